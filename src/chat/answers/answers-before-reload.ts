/** Key in sessionStorage, which a reload of the tab keeps. */
const KEY = 'tabserve-answers-before-reload';

/** Milliseconds from leaving the page to its next load, after which the user may no longer want the answers. */
const RECENT = 60_000;

interface AnswersBeforeReload {
  /** When the page was left, in milliseconds since 1970. */
  readonly time: number;
  readonly ids: readonly string[];
}

/**
 * Remembers which answers this tab generates while its page is being reloaded or closed. Call it in the event
 * `pagehide`: after a crash of the tab nothing is remembered, because an answer may have caused the crash.
 */
export function noteAnswersBeforeReload(ids: readonly string[]): void {
  try {
    if (ids.length === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ time: Date.now(), ids } satisfies AnswersBeforeReload));
  } catch {
    // Storage may be denied. Then the answers are shown as interrupted.
  }
}

/** Returns the ids of the answers that this tab generated when its page was reloaded a moment ago, and forgets them. */
export function takeAnswersBeforeReload(): ReadonlySet<string> {
  try {
    const noted = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as AnswersBeforeReload | null;
    sessionStorage.removeItem(KEY);
    return new Set(noted !== null && Date.now() - noted.time < RECENT ? noted.ids : []);
  } catch {
    return new Set();
  }
}
