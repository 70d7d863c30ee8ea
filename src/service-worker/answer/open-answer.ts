import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';
import { sleep } from '../../shared/timing.ts';
import { trace } from '../../shared/trace.ts';
import type { AppSettings } from '../app-settings.ts';
import type { ExchangeObserver } from '../exchange.ts';
import { mayPass, toApiError } from '../responses.ts';
import { awaitHead, type HeadOptions } from './await-head.ts';
import type { CompletionEncoder } from './completion-encoder.ts';
import { readEvents } from './event-reader.ts';

interface AnswerOptions extends HeadOptions, Pick<AppSettings, 'keepAliveInterval'> {
  /** Fires when the app runs inside a page or in Node; in a service worker it never does. */
  readonly signal: AbortSignal;
  readonly observer: ExchangeObserver | null;
}

/** Milliseconds before a completion is begun again: a tab that takes over the engine needs a moment. */
const PAUSE_BEFORE_REPETITION = 1000;

/**
 * Waits until the status of the answer can be chosen and gives the body from there on. Cancelling the body ends the
 * completion; it is the only way in which a service worker learns that its client has left.
 *
 * After that the status is sent. A failure of an answer that is sent whole, and of which nothing was sent yet, is
 * then answered by one more completion, which finds another engine or the model loaded anew; only if that fails
 * too is the failure told in the body.
 *
 * @param begin Begins the completion, or begins it again.
 * @param createEncoder Makes a fresh encoder for each completion that is begun.
 * @throws ApiError when the completion fails before that moment: it still gets its real status.
 */
export async function openAnswer(
  begin: () => ReadableStream<readonly CompletionEvent[]>,
  createEncoder: () => CompletionEncoder,
  options: AnswerOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { keepAliveInterval, signal, observer, requestId } = options;
  const leaving = new AbortController();
  const start = () => {
    observer?.completionStarted();
    return readEvents(begin(), observer);
  };
  let encoder = createEncoder();
  let reader = start();
  const leave = () => {
    observer?.cancelled();
    leaving.abort();
    reader.cancel();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });

  const clientGone = async () => {
    const gone = await options.clientGone();
    if (gone) observer?.cancelled();
    return gone;
  };
  const first = await awaitHead(reader, encoder, { ...options, clientGone });

  /** One completion's texts from these events on, with a sign of life whenever nothing was sent for a while. */
  async function* texts(next: readonly CompletionEvent[] | null): AsyncGenerator<string, undefined> {
    let sent = performance.now();
    let events = next;
    if (events === null) yield encoder.keepAlive();
    for (;;) {
      events ??= await reader.next(Math.max(0, sent + keepAliveInterval - performance.now()));
      const { text, thrown, ended } = encodeEvents(encoder, events ?? []);
      events = null;
      // Measured at each byte: events that say nothing new do not count.
      const silent = text === '' && performance.now() >= sent + keepAliveInterval;
      if (text !== '' || silent) {
        sent = performance.now();
        yield text || encoder.keepAlive();
      }
      if (thrown !== undefined) throw thrown;
      if (ended) return undefined;
    }
  }

  async function* answer(): AsyncGenerator<string, undefined> {
    try {
      return yield* texts(first);
    } catch (thrown) {
      reader.cancel();
      if (leaving.signal.aborted) throw thrown;
      const error = toApiError(thrown);
      if (!encoder.sentWhole || !mayPass(error)) throw error;
      trace(requestId, 'is begun again after', error.code);
    }
    await sleep(PAUSE_BEFORE_REPETITION, leaving.signal);
    encoder = createEncoder();
    reader = start();
    return yield* texts(null);
  }

  const body = answer();
  const bytes = new TextEncoder();
  let cancelled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await body.next();
        if (done === true) controller.close();
        else controller.enqueue(bytes.encode(value));
      } catch (thrown) {
        reader.cancel();
        if (cancelled) return;
        if (signal.aborted) throw signal.reason;
        const error = toApiError(thrown);
        observer?.failed(error.code);
        controller.enqueue(bytes.encode(encoder.fail(error)));
        controller.close();
      }
    },
    cancel() {
      cancelled = true;
      leave();
    },
  });
}

/** The text of events that came together. `thrown` is what ends it: a failure of the completion, or a defect. */
function encodeEvents(
  encoder: CompletionEncoder,
  events: readonly CompletionEvent[],
): { text: string; thrown?: unknown; ended: boolean } {
  let text = '';
  let ended = false;
  try {
    for (const event of events) {
      if (event.type === 'error') throw ApiError.fromData(event.error);
      text += encoder.encode(event);
      ended = event.type === 'done';
    }
  } catch (thrown) {
    return { text, thrown, ended };
  }
  return { text, ended };
}
