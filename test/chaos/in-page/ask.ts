import type { Tabserve } from '../../../src/page/index.ts';
import { listUpstreams } from '../../../src/page/upstream-permissions.ts';
import { setUpstreamPermission } from '../../../src/shared/upstreams/upstream-database.ts';
import { ENGINE_HEADER } from '../../../src/shared/upstreams/upstream.ts';

import { beServed, isControlled, pause } from './be-served.ts';
import type { Manner } from './manner.ts';
import { prompt } from './prompt.ts';

export { lastOwnReload } from '../../../src/chat/app/reload-when-required.ts';
export { beServed } from './be-served.ts';
export * from './chat.ts';
export { readStored, sendDocuments } from './documents.ts';
export { startControl } from './start-control.ts';

/** A request that the page sends. */
export interface PageRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds after which the page aborts the request; null for never. */
  readonly abortAfter: number | null;
  /** Milliseconds to wait before each piece is read. */
  readonly readPause: number;
  /** Whether it is sent by `tabserve.fetch`, which resumes a response that breaks. */
  readonly resumes: boolean;
  readonly manner: Manner;
}

/** The response as the page received it. */
export interface PageReply {
  /** How far the response got. `whole`: the body was read to its end. */
  readonly stage: 'elsewhere' | 'no head' | 'broken body' | 'whole';
  readonly status: number | null;
  readonly contentType: string;
  readonly retryAfter: string | null;
  /** Whether the response says that no retry helps. */
  readonly isFinal: boolean;
  readonly body: string;
  /** Name and message of the error that `fetch` or the body threw. */
  readonly failure: string | null;
  /** Whether a service worker controlled the page when it sent the request. */
  readonly controlled: boolean;
  /** Whether, after a failed request, another request of the page bypassed the service worker that controls it. */
  readonly bypassed: boolean;
}

/** The progress of a running request. */
interface Asking {
  /** Times, by the page's `performance.now()`, of the request and of the last progress. */
  readonly since: number;
  heard: number;
  step: 'waits for the head' | 'reads the body' | 'asks whether it is bypassed';
  characters: number;
}

/** The running requests of this page. Global, because this script is evaluated again for each call. */
const asking = ((globalThis as { tabserveChaosAsking?: Set<Asking> }).tabserveChaosAsking ??= new Set());

interface ChatApp extends Element {
  readonly tabserve?: Tabserve & { call(name: string, parameters: unknown): Promise<unknown> };
}

/** Maximum milliseconds of each attempt in {@link describePage}. */
const OUTCOME_TIME = 2000;

/**
 * Whether requests bypass the service worker that controls the page. It answers OPTIONS without an engine or network.
 */
async function isBypassed(): Promise<boolean> {
  const response = await fetch('/v1/models', { method: 'OPTIONS', cache: 'no-store' }).catch(() => null);
  return isControlled() && !response?.headers.has(ENGINE_HEADER);
}

/** Milliseconds from one question for an answer in the background to the next. */
const POLL_INTERVAL = 400;

/** How often in a row such a question may get no answer, as when the service worker is stopped. */
const MAX_SILENCES = 10;

/** Sends a request once the page is controlled; a reload may have happened since {@link beServed}. Never rejects. */
export async function ask(origin: string, request: PageRequest): Promise<PageReply> {
  await beServed(origin);
  const now = performance.now();
  const progress: Asking = { since: now, heard: now, step: 'waits for the head', characters: 0 };
  asking.add(progress);
  try {
    const { manner } = request;
    if (manner === 'Prompt API') return await askByPromptApi(origin, request);
    if (manner === 'upstream') await allowUpstreams();
    const reply = await askAndTell(origin, request, progress);
    if (manner === 'polling') return await poll(origin, request, reply, progress);
    return manner === 'reading back' ? await readBack(origin, request, reply, progress) : reply;
  } finally {
    asking.delete(progress);
  }
}

async function poll(origin: string, request: PageRequest, first: PageReply, progress: Asking): Promise<PageReply> {
  let reply = first;
  for (let silences = 0; isUnfinished(reply) && silences < MAX_SILENCES;) {
    await pause(POLL_INTERVAL);
    const { id } = JSON.parse(reply.body) as { readonly id: string };
    const path = `${request.path}/${id}`;
    const next = await askAndTell(origin, { ...request, path, method: 'GET', body: null }, progress);
    const isSilence = next.status === null || next.stage !== 'whole';
    silences = isSilence ? silences + 1 : 0;
    if (!isSilence || silences === MAX_SILENCES) reply = next;
  }
  return reply;
}

/** Asks for the stored answer that a response names. */
async function readBack(origin: string, request: PageRequest, first: PageReply, progress: Asking): Promise<PageReply> {
  const id = first.stage === 'whole' && first.status === 200 ? (/"id":"([^"]+)"/.exec(first.body)?.[1] ?? '') : '';
  if (id === '') return first;
  for (let attempt = 1; ; attempt++) {
    const path = `${request.path}/${id}`;
    const reply = await askAndTell(origin, { ...request, path, method: 'GET', body: null }, progress);
    if (attempt === MAX_SILENCES || (reply.stage === 'whole' && reply.status === 200)) return reply;
    await pause(POLL_INTERVAL);
  }
}

/** Whether an answer in the background has been accepted and has not ended. */
function isUnfinished({ stage, status, body }: PageReply): boolean {
  return stage === 'whole' && status === 200 && /^\s*\{[^]*"status":"(queued|in_progress)"/.test(body);
}

const NOTHING = {
  status: null,
  contentType: '',
  retryAfter: null,
  isFinal: false,
  body: '',
  failure: null,
  controlled: false,
  bypassed: false,
};

async function askByPromptApi(origin: string, request: PageRequest): Promise<PageReply> {
  const endpoint = tabserve();
  if (location.origin !== origin || !endpoint) return { ...NOTHING, stage: 'elsewhere', failure: location.href };
  const controlled = isControlled();
  const outcome = await prompt(endpoint, request);
  const bypassed = outcome.status !== 200 && (await isBypassed());
  return { ...NOTHING, ...outcome, controlled, bypassed, contentType: 'application/json' };
}

/** Gives the person's permission, which is lost with the site's data. */
async function allowUpstreams(): Promise<void> {
  for (const { origin, allowed } of await listUpstreams().catch(() => [])) {
    if (!allowed) await setUpstreamPermission({ origin, granted: Date.now(), key: null }).catch(() => {});
  }
}

async function askAndTell(origin: string, request: PageRequest, progress: Asking): Promise<PageReply> {
  if (location.origin !== origin) return { ...NOTHING, stage: 'elsewhere', failure: location.href };
  const controlled = isControlled();
  const { path, method, headers, body, abortAfter, readPause, resumes } = request;
  const send = resumes ? (tabserve()?.fetch ?? fetch) : fetch;
  const signal = abortAfter === null ? null : AbortSignal.timeout(abortAfter);
  let response: Response;
  try {
    response = await send(path, { method, headers, body, signal });
  } catch (thrown) {
    progress.step = 'asks whether it is bypassed';
    return { ...NOTHING, controlled, bypassed: await isBypassed(), stage: 'no head', failure: String(thrown) };
  }
  progress.step = response.status === 404 ? 'asks whether it is bypassed' : 'reads the body';
  const reply = {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfter: response.headers.get('retry-after'),
    isFinal: response.headers.get('x-should-retry') === 'false',
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

/** Name of the cache with which {@link describePage} tests whether a new cache works. */
const PROBE = 'chaos-probe';

/** Reads a file from the first of the site's caches that responds. Never resolves if no cache responds. */
export async function readAnyCache(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name !== PROBE);
  if (names.length > 0) await Promise.any(names.map((cacheName) => caches.match('/', { cacheName })));
}

/** Describes the state of the page for the report of a failure. */
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
    // Whether each cache responds: without working caches, no service worker can be installed. Each has its own
    // timeout, because an operation that hangs blocks all later ones in its cache.
    kept: await outcome(async () => {
      const names = await caches.keys();
      const found = names.map(async (name) => {
        const cache = await caches.open(name);
        return `${name}: ${await outcome(async () => (await cache.match('/', { ignoreSearch: true }))?.status)}`;
      });
      return (await Promise.all(found)).join('; ');
    }, 2 * OUTCOME_TIME),
    caches: await outcome(async () => {
      const cache = await caches.open(PROBE);
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

/** Returns the result of an attempt, its error, or `no answer` after a timeout. */
async function outcome(attempt: () => Promise<unknown>, time: number = OUTCOME_TIME): Promise<string> {
  const late = pause(time).then(() => 'no answer');
  return Promise.race([attempt().then(String, String), late]);
}

/** The locks of the origin, held and pending. */
export async function locks(): Promise<{ held: LockInfo[]; pending: LockInfo[] }> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return { held, pending };
}

/** Applies a newer build, as the page's button does. The page reloads. */
export function applyUpdate(): void {
  void tabserve()?.applyUpdate();
}

/** Calls a function of the engine, as the chat page's screens do. Rejects with the engine's error. */
export async function callEngine(name: string, parameters: unknown): Promise<void> {
  await tabserve()?.call(name, parameters);
}

/** The endpoint of the chat page, or of a page that lets tests use its own. */
function tabserve(): ChatApp['tabserve'] {
  const { tabserve } = globalThis as Pick<ChatApp, 'tabserve'>;
  return document.querySelector<ChatApp>('chat-app')?.tabserve ?? tabserve;
}

/** How many requests this page has sent to the endpoint. */
export function requestsSent(): number {
  return (globalThis as { readonly tabserveChaosRequests?: number }).tabserveChaosRequests ?? 0;
}

/** How often this page has asked for the same stream within twenty seconds, at most. */
export function mostRepeats(): number {
  return (globalThis as { readonly tabserveChaosStorm?: number }).tabserveChaosStorm ?? 0;
}

function pageStatus(): unknown {
  return tabserve()?.status ?? null;
}
