/** Name of the BroadcastChannel that carries the trace between the contexts of a site. */
const TRACE_CHANNEL = 'tabserve/trace';

/**
 * Milliseconds for which a context buffers its lines after its start. Until then a page that prints the trace may still
 * reply.
 */
const UNDECIDED_TIME = 1000;

type TraceContext = 'page' | 'service-worker' | 'engine';

export interface TraceLine {
  readonly context: TraceContext;
  /** Id of the request (`req_…`), call or client that the line is about. */
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970 with fractions, comparable between contexts. */
  readonly time: number;
}

type TraceMessage =
  /** A context has started, and asks whether a page prints the trace. */
  | { readonly type: 'started' }
  | { readonly type: 'switched'; readonly on: boolean }
  | { readonly type: 'line'; readonly line: TraceLine };

let state: 'off' | 'on' | 'undecided' = 'off';
let context: TraceContext = 'page';
let channel: BroadcastChannel | null = null;
/** Lines that were added before it was known whether a page prints the trace. */
let buffered: TraceLine[] = [];

/** Whether lines are printed or buffered. Check this before you compute costly words for a line. */
export function isTracing(): boolean {
  return state !== 'off';
}

/**
 * Adds a line to the trace. Costs one comparison while tracing is off.
 * @param id The request's id if there is one, else that of a call or client.
 * @param words Short words and plain values.
 */
export function trace(id: string, ...words: readonly unknown[]): void {
  if (state === 'off') return;
  const text = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
  const line: TraceLine = { context, id, text, time: performance.timeOrigin + performance.now() };
  if (state === 'undecided') buffered.push(line);
  else channel?.postMessage({ type: 'line', line } satisfies TraceMessage);
}

/**
 * Connects this context to the trace. Call it once, at startup.
 * @param signal Disconnects before the context ends. Default: never.
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
 * Switches tracing on in all contexts of this site and passes each line to `print`, including this page's own.
 * @returns a function that stops tracing.
 */
export function startTrace(print: (line: TraceLine) => void): () => void {
  const tracing = new BroadcastChannel(TRACE_CHANNEL);
  const send = (message: TraceMessage) => tracing.postMessage(message);
  tracing.addEventListener('message', ({ data }: MessageEvent<TraceMessage>) => {
    if (data.type === 'line') print(data.line);
    // A context has started, or another page has turned the trace off, but this page still prints it.
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
  if (on) for (const line of buffered) channel?.postMessage({ type: 'line', line } satisfies TraceMessage);
  buffered = [];
}
