/** Name of the BroadcastChannel that carries the trace between all contexts of a site. */
const TRACE_CHANNEL = 'tabserve/trace';

/** Milliseconds after its start in which a context keeps its lines: a page that traces has not answered it yet. */
const UNDECIDED_TIME = 1000;

type TraceContext = 'page' | 'service-worker' | 'engine';

/** One thing that happened to one request. */
export interface TraceLine {
  readonly context: TraceContext;
  /** Id of the request (`req_…`), call or client that the line is about. */
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970, to the fraction, comparable between contexts. */
  readonly time: number;
}

type TraceMessage =
  /** A context has started and asks whether anybody traces. */
  | { readonly type: 'started' }
  | { readonly type: 'switched'; readonly on: boolean }
  | { readonly type: 'line'; readonly line: TraceLine };

/** Switched off, on, or not yet known: then lines are kept for the moment that a page needs to answer. */
let state: 'off' | 'on' | 'undecided' = 'off';
let context: TraceContext = 'page';
let channel: BroadcastChannel | null = null;
let kept: TraceLine[] = [];

/** Whether what is told now may be read by anybody: for those whose words cost something to find. */
export function isTracing(): boolean {
  return state !== 'off';
}

/**
 * Notes what happens to a request. Costs one comparison while nobody traces.
 * @param id What the line is about: the request's id wherever there is one.
 * @param words What happens, as short words and plain values.
 */
export function trace(id: string, ...words: readonly unknown[]): void {
  if (state === 'off') return;
  const text = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
  const line: TraceLine = { context, id, text, time: performance.timeOrigin + performance.now() };
  if (state === 'undecided') kept.push(line);
  else channel?.postMessage({ type: 'line', line } satisfies TraceMessage);
}

/**
 * Lets this context be traced. Call it once, when it starts.
 * @param signal Ends it, where the context lives longer than what is traced. Default: never.
 */
export function joinTrace(started: TraceContext, signal?: AbortSignal): void {
  context = started;
  state = 'undecided';
  channel = new BroadcastChannel(TRACE_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<TraceMessage>) => {
    if (data.type === 'switched') decide(data.on);
  });
  channel.postMessage({ type: 'started' } satisfies TraceMessage);
  const timer = setTimeout(() => {
    if (state === 'undecided') decide(false);
  }, UNDECIDED_TIME);
  signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    decide(false);
    channel?.close();
    channel = null;
  });
}

/**
 * Makes every context of this site tell what it does, and hands each line to `print`, this page's own too.
 * @returns a function that ends it.
 */
export function startTrace(print: (line: TraceLine) => void): () => void {
  const tracing = new BroadcastChannel(TRACE_CHANNEL);
  const send = (message: TraceMessage) => tracing.postMessage(message);
  tracing.addEventListener('message', ({ data }: MessageEvent<TraceMessage>) => {
    if (data.type === 'line') print(data.line);
    // Also when another page has stopped: this one goes on.
    else if (data.type === 'started' || !data.on) send({ type: 'switched', on: true });
  });
  send({ type: 'switched', on: true });
  return () => {
    send({ type: 'switched', on: false });
    tracing.close();
  };
}

function decide(on: boolean): void {
  state = on ? 'on' : 'off';
  if (on) for (const line of kept) channel?.postMessage({ type: 'line', line } satisfies TraceMessage);
  kept = [];
}
