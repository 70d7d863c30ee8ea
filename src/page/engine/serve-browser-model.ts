import { holdLivenessLock, whenReleased } from '../../shared/locks/liveness-lock.ts';
import type { BrowserModelReply, BrowserModelRequest } from '../../shared/messaging/browser-model-messages.ts';
import type { PageTaskMessage } from '../../shared/messaging/messages.ts';
import { storeBrowserModel } from '../../shared/storage/browser-model.ts';
import { languageModelAtStart } from './native-language-model.ts';

/**
 * The part of the browser's Prompt API that this file uses. Browsers from before 2026 have `inputQuota` and
 * `inputUsage` instead of the names with `context`. Source: github.com/webmachinelearning/prompt-api, `index.bs`,
 * commit 2e27365 (2026-06-22).
 */
interface BrowserSession {
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  measureContextUsage?(prompt: readonly object[], options: object): Promise<number>;
  measureInputUsage?(prompt: readonly object[], options: object): Promise<number>;
  promptStreaming(prompt: readonly object[], options: object): ReadableStream<string>;
  destroy(): void;
}

interface BrowserLanguageModel {
  availability(options: object): Promise<string>;
  create(options: object): Promise<BrowserSession>;
}

/** The browser's own API; undefined if it has none. */
const languageModel = nativeLanguageModel();

/**
 * Asks the browser whether it has a model of its own, and stores the reply: the service worker's list of models depends
 * on it. Returns false if the browser does not say that it has one.
 * @throws ApiError `storage_unavailable` if the reply cannot be stored.
 */
export async function detectBrowserModel(): Promise<boolean> {
  // Languages are given, because Chrome otherwise logs a warning on each visitor's console.
  const options = { expectedOutputs: [{ type: 'text', languages: ['en'] }] };
  const ask = async () => (await languageModel?.availability(options)) ?? 'unavailable';
  const exists = (await ask().catch(() => 'unavailable')) !== 'unavailable';
  await storeBrowserModel(exists);
  return exists;
}

/**
 * Runs the browser's own model for the engine, until the engine has released the lock `wanted`, this page is frozen, or
 * `signal` aborts.
 *
 * Each request gets a new session, because a request contains its whole conversation. One more session keeps the model
 * in memory.
 */
export async function serveBrowserModel(
  { wanted, lockName, port }: Pick<PageTaskMessage, 'wanted' | 'lockName' | 'port'>,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const running = new Map<number, Record<'cancelled' | 'finished', AbortController>>();
  const reply = (message: BrowserModelReply) => port.postMessage(message);

  const run = async (request: Exclude<BrowserModelRequest, { type: 'cancel' | 'finish' }>) => {
    const [cancelled, finished] = [new AbortController(), new AbortController()];
    running.set(request.id, { cancelled, finished });
    const until = AbortSignal.any([ended.signal, cancelled.signal]);
    try {
      reply(
        request.type === 'load'
          ? await load(request, reply, until)
          : await answer(request, reply, until, finished.signal),
      );
    } catch (thrown) {
      reply({ type: 'error', id: request.id, ...describe(thrown) });
    } finally {
      running.delete(request.id);
    }
  };

  const load = async ({ id }: { readonly id: number }, report: typeof reply, until: AbortSignal) => {
    const session = await createSession({
      signal: until,
      monitor: (monitor: EventTarget) =>
        monitor.addEventListener('downloadprogress', (event) =>
          report({ type: 'progress', id, progress: (event as ProgressEvent).loaded }),
        ),
    });
    ended.signal.addEventListener('abort', () => session.destroy(), { once: true });
    return { type: 'loaded', id, contextWindow: session.contextWindow ?? session.inputQuota ?? 0 } as const;
  };

  await holdLivenessLock(lockName, ended.signal);
  whenReleased(wanted, end, ended.signal);
  document.addEventListener('freeze', end, { signal: ended.signal });
  signal.addEventListener('abort', end, { signal: ended.signal });
  if (signal.aborted) end();
  port.addEventListener('message', ({ data }: MessageEvent<BrowserModelRequest>) => {
    if (data.type === 'cancel') running.get(data.id)?.cancelled.abort();
    else if (data.type === 'finish') running.get(data.id)?.finished.abort();
    else void run(data);
  });
  port.start();
  port.postMessage({ type: 'started' });
}

/** Generates one answer and sends its pieces as replies, until the model or `finished` ends it. */
async function answer(
  { id, initialPrompts, prompt, constraint }: Extract<BrowserModelRequest, { type: 'prompt' }>,
  reply: (message: BrowserModelReply) => void,
  signal: AbortSignal,
  finished: AbortSignal,
): Promise<BrowserModelReply> {
  const session = await createSession({ signal, ...(initialPrompts.length > 0 && { initialPrompts }) });
  try {
    const used = () => session.contextUsage ?? session.inputUsage ?? 0;
    const options = { signal, ...(constraint && { responseConstraint: constraint }) };
    const added = await (session.measureContextUsage ?? session.measureInputUsage)?.call(session, [prompt], options);
    const promptTokens = used() + (added ?? 0);
    const pieces = session.promptStreaming([prompt], options).getReader();
    for (let read = await pieces.read(); !read.done && !finished.aborted; read = await pieces.read())
      reply({ type: 'piece', id, text: read.value });
    return { type: 'done', id, promptTokens, completionTokens: Math.max(0, used() - promptTokens) };
  } finally {
    session.destroy();
  }
}

async function createSession(options: object): Promise<BrowserSession> {
  if (languageModel === undefined) throw new DOMException('This page has no LanguageModel.', 'NotSupportedError');
  return languageModel.create(options);
}

function describe(thrown: unknown): { name: string; message: string; requested?: number } {
  const { name, message, requested } = thrown as { name?: unknown; message?: unknown; requested?: unknown };
  return { name: String(name), message: String(message), ...(typeof requested === 'number' && { requested }) };
}

/**
 * Returns the browser's own API. A substitute that a script installed, such as Tabserve's, is ignored: it may send
 * prompts to a server.
 */
function nativeLanguageModel(): BrowserLanguageModel | undefined {
  const isNative =
    typeof languageModelAtStart === 'function' &&
    /\[native code\]\s*\}$/.test(Function.prototype.toString.call(languageModelAtStart));
  return isNative ? (languageModelAtStart as unknown as BrowserLanguageModel) : undefined;
}
