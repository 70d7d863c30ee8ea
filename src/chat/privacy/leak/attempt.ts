import type { AttemptOutcome, LeakWay } from './leak-verdict.ts';

export interface AttemptPlace {
  /** The host that this attempt names. It does not exist. */
  readonly host: string;
  /** An element on the page, invisible but laid out, that is removed after the attempts. */
  readonly stage: HTMLElement;
  /** The page's `Connection-Allowlist` header; null if there is none, or if the browser does not enforce it. */
  readonly allowlist: string | null;
  /** Aborts when the time for the attempts is over. */
  readonly signal: AbortSignal;
}

/** Tries to send something. An exception that it throws before its first `await` counts as a refusal. */
export type Attempt = (place: AttemptPlace) => AttemptOutcome | Promise<AttemptOutcome>;

/** A table of attempts. */
export type Attempts<Way extends LeakWay> = Readonly<Record<Way, Attempt>>;

export const ENDED: AttemptOutcome = { kind: 'ended' };

/** @param name The name of what the page lacks. */
export const absent = (name: string): AttemptOutcome => ({ kind: 'absent', detail: name });

/** Resolves when a request ends, however it ends. */
export async function whenSettled(request: Promise<unknown>): Promise<AttemptOutcome> {
  await request.catch(() => undefined);
  return ENDED;
}

/** Resolves when a target reports an error, or when the time is over. */
export function whenFailed(target: EventTarget, signal: AbortSignal): Promise<AttemptOutcome> {
  return new Promise((resolve) => {
    const end = () => resolve(ENDED);
    target.addEventListener('error', end, { once: true, signal });
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Puts an element onto the stage. Resolves when it fails, or when the time is over. */
export function show(element: HTMLElement, { stage, signal }: AttemptPlace): Promise<AttemptOutcome> {
  const ended = whenFailed(element, signal);
  stage.append(element);
  return ended;
}

/** Makes an element with properties. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
