import { ENGINE_HEADER } from '../../../src/shared/upstreams/upstream.ts';

export { lastOwnReload } from '../../../src/chat/app/reload-when-required.ts';
export { startControl } from './start-control.ts';

/** One request as a page makes it. */
export interface PageRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds after which the page loses interest; null for never. */
  readonly abortAfter: number | null;
  /** Milliseconds to wait before each piece is read. */
  readonly readPause: number;
}

/** What the page saw of the answer. */
export interface PageReply {
  /** Where it ended: `whole` only when the body was read to its end. */
  readonly stage: 'elsewhere' | 'no head' | 'broken body' | 'whole';
  readonly status: number | null;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly body: string;
  /** Name and message of what `fetch` or the body threw. */
  readonly failure: string | null;
  /** Whether a service worker was in charge of the page when it asked. */
  readonly controlled: boolean;
  /** Whether a request of this page, made right after one that failed, did not reach the service worker in charge of it. */
  readonly bypassed: boolean;
}

/** How far a request is that has not ended. */
interface Asking {
  /** Milliseconds of the page's life at which it was asked, and at which something was last heard of it. */
  readonly since: number;
  heard: number;
  step: 'waits for the head' | 'reads the body' | 'asks whether it is bypassed';
  characters: number;
}

/** The requests of this page that have not ended. This code is evaluated anew for each. */
const asking = ((globalThis as { tabserveChaosAsking?: Set<Asking> }).tabserveChaosAsking ??= new Set());

interface ChatApp extends Element {
  readonly tabserve?: { readonly status: unknown; applyUpdate(): Promise<void> };
}

/** Milliseconds at the start of a page's life in which it need not be served yet. */
const START_TIME = 30_000;

/** Milliseconds for what a page tries in order to describe itself. */
const OUTCOME_TIME = 2000;

const isControlled = () => navigator.serviceWorker.controller !== null;

/** Whether the worker in charge answers; it answers this without an engine, also where there is no network. */
async function isBypassed(): Promise<boolean> {
  const response = await fetch('/v1/models', { method: 'OPTIONS', cache: 'no-store' }).catch(() => null);
  return isControlled() && !response?.headers.has(ENGINE_HEADER);
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** Resolves once the page of this origin is served, or as soon as it should have been; at once in any other. */
export async function beServed(origin: string): Promise<void> {
  while (location.origin === origin && !isControlled() && performance.now() < START_TIME) await pause(50);
}

/**
 * Asks the endpoint, once the page is served: a reload may have come between {@link beServed} and this call. Never rejects.
 */
export async function ask(origin: string, request: PageRequest): Promise<PageReply> {
  await beServed(origin);
  const now = performance.now();
  const progress: Asking = { since: now, heard: now, step: 'waits for the head', characters: 0 };
  asking.add(progress);
  try {
    return await askAndTell(origin, request, progress);
  } finally {
    asking.delete(progress);
  }
}

async function askAndTell(origin: string, request: PageRequest, progress: Asking): Promise<PageReply> {
  const nothing = {
    status: null,
    contentType: '',
    retryAfter: null,
    body: '',
    failure: null,
    controlled: false,
    bypassed: false,
  };
  if (location.origin !== origin) return { ...nothing, stage: 'elsewhere', failure: location.href };
  const controlled = isControlled();
  const { path, method, headers, body, abortAfter, readPause } = request;
  const signal = abortAfter === null ? null : AbortSignal.timeout(abortAfter);
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body, signal });
  } catch (thrown) {
    progress.step = 'asks whether it is bypassed';
    return { ...nothing, controlled, bypassed: await isBypassed(), stage: 'no head', failure: String(thrown) };
  }
  progress.step = response.status === 404 ? 'asks whether it is bypassed' : 'reads the body';
  const reply = {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfter: response.headers.get('retry-after'),
    controlled,
    bypassed: response.status === 404 && (await isBypassed()),
  };
  let text = '';
  try {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      if (readPause > 0) await pause(readPause);
      const piece = await reader?.read();
      if (piece?.value === undefined) break;
      text += piece.value;
      progress.heard = performance.now();
      progress.characters = text.length;
    }
  } catch (thrown) {
    return { ...reply, stage: 'broken body', body: text, failure: String(thrown) };
  }
  return { ...reply, stage: 'whole', body: text, failure: null };
}

/** Reads a file in the first of this origin's caches that answers; it never resolves where none of them does any more. */
export async function readAnyCache(): Promise<void> {
  const names = await caches.keys();
  if (names.length > 0) await Promise.any(names.map(async (name) => (await caches.open(name)).match('/')));
}

/** What the page tells of itself when something is wrong. */
export async function describePage(): Promise<unknown> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  return {
    address: location.href,
    age: performance.now(),
    asking: [...asking],
    status: pageStatus(),
    console: (globalThis as { readonly tabserveChaosConsole?: readonly string[] }).tabserveChaosConsole ?? [],
    controller: navigator.serviceWorker.controller?.state ?? null,
    isServedByRegistered: registrations.some(({ active }) => active === navigator.serviceWorker.controller),
    registrations: registrations.map(({ installing, waiting, active }) => [
      installing?.state ?? null,
      waiting?.state ?? null,
      active?.state ?? null,
    ]),
    locks: await locks(),
    // A browser whose storage fails cannot install a service worker, whatever the site does.
    // One operation that hangs in a cache keeps all later ones in it waiting.
    kept: await outcome(async () => {
      const names = await caches.keys();
      const found = names.map(async (name) => {
        const cache = await caches.open(name);
        return `${name}: ${await outcome(async () => (await cache.match('/', { ignoreSearch: true }))?.status)}`;
      });
      return (await Promise.all(found)).join('; ');
    }, 2 * OUTCOME_TIME),
    caches: await outcome(async () => {
      const cache = await caches.open('chaos-probe');
      await cache.put('/chaos-probe', new Response('works'));
      return (await cache.match('/chaos-probe'))?.text();
    }),
    database: await outcome(
      () =>
        new Promise<string>((resolve, reject) => {
          const opening = indexedDB.open('chaos-probe');
          opening.addEventListener('success', () => resolve('works'));
          opening.addEventListener('error', () => reject(opening.error ?? new Error('no reason')));
        }),
    ),
    script: await outcome(async () => (await fetch('/site-service-worker.js', { cache: 'no-store' })).status),
  };
}

/** What an attempt came to, or why it failed, or that it takes long. */
async function outcome(attempt: () => Promise<unknown>, time: number = OUTCOME_TIME): Promise<string> {
  const late = pause(time).then(() => 'no answer');
  return Promise.race([attempt().then(String, String), late]);
}

/** The locks of the origin, held and waited for. */
export async function locks(): Promise<{ held: LockInfo[]; pending: LockInfo[] }> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return { held, pending };
}

/** Takes over a newer build, as the button of the page does. The page reloads. */
export function applyUpdate(): void {
  void document.querySelector<ChatApp>('chat-app')?.tabserve?.applyUpdate();
}

function pageStatus(): unknown {
  return document.querySelector<ChatApp>('chat-app')?.tabserve?.status ?? null;
}
