import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { AppSettings } from '../app-settings.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';
import { isTransient } from '../../shared/http/retry-after.ts';
import { toApiError } from '../http/http-responses.ts';
import { awaitHead, type HeadOptions } from './await-headers.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import { completionTexts } from './encode-completion.ts';
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
  const start = () => {
    observer?.completionStarted();
    return readEvents(begin(), observer);
  };
  let encoder = createEncoder();
  let reader = start();
  const left = new AbortController();
  const leave = () => {
    observer?.cancelled();
    left.abort();
    reader.cancel();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave);

  const clientGone = async () => {
    const gone = await options.clientGone();
    if (gone) leave();
    return gone;
  };
  const first = await awaitHead(reader, encoder, { ...options, clientGone });

  async function* texts(): AsyncGenerator<string, undefined> {
    try {
      return yield* completionTexts(reader, encoder, first, keepAliveInterval);
    } catch (thrown) {
      reader.cancel();
      if (left.signal.aborted) throw thrown;
      const error = toApiError(thrown);
      if (!encoder.sentWhole || !isTransient(error)) throw error;
      trace(requestId, 'is begun again after', error.code);
    }
    await sleep(PAUSE_BEFORE_REPETITION, left.signal);
    encoder = createEncoder();
    reader = start();
    return yield* completionTexts(reader, encoder, null, keepAliveInterval);
  }

  const body = texts();
  const bytes = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await body.next();
        if (done === true) controller.close();
        else controller.enqueue(bytes.encode(value));
      } catch (thrown) {
        reader.cancel();
        if (signal.aborted) throw signal.reason;
        if (left.signal.aborted) return;
        const error = toApiError(thrown);
        // In mid-answer this says that the client has cancelled it by its name, sooner than the body could.
        if (error.code === 'stream_not_found' || error.code === 'answer_cancelled') observer?.cancelled();
        else observer?.failed(error.code);
        controller.enqueue(bytes.encode(encoder.fail(error)));
        controller.close();
      }
    },
    cancel: leave,
  });
}
