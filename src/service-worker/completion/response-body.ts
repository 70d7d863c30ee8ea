import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { isTransient } from '../../shared/http/retry-after.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { AppSettings } from '../app-settings.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import { toApiError } from '../http/http-responses.ts';
import type { ExchangeObserver } from '../request-log/exchange-observer.ts';
import { awaitHeaders, type AwaitHeadersOptions } from './await-headers.ts';
import { encodeCompletion } from './encode-completion.ts';
import { readEvents } from './event-reader.ts';

interface ResponseBodyOptions extends AwaitHeadersOptions, Pick<AppSettings, 'keepAliveInterval'> {
  readonly waiting: Set<object>;
  /** The request's signal. Never aborts in a service worker; it does in a page and in Node. */
  readonly signal: AbortSignal;
  readonly observer: ExchangeObserver | null;
}

/**
 * Milliseconds before the second attempt. If the engine's tab was closed, another tab needs time to start an engine.
 */
const RETRY_DELAY = 1000;

/**
 * Waits until the response headers can be sent, then returns the body. Cancelling the body ends the completion; a
 * service worker has no other way to learn that its client aborted the request.
 *
 * If a JSON response fails after its headers, the completion runs once more: another engine may exist, or the model may
 * be loaded again. Only if that fails too does the body report the error.
 *
 * @param begin Starts the completion; called again for the second attempt.
 * @param createEncoder Called for each attempt.
 * @throws ApiError if the completion fails before the headers are sent.
 */
export async function openResponseBody(
  begin: () => ReadableStream<readonly CompletionEvent[]>,
  createEncoder: () => CompletionEncoder,
  options: ResponseBodyOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { keepAliveInterval, waiting, signal, observer, requestId } = options;
  const start = () => {
    observer?.completionStarted();
    return readEvents(begin(), waiting, observer);
  };
  let encoder = createEncoder();
  let reader = start();
  const aborted = new AbortController();
  const abort = (reason?: unknown) => {
    observer?.cancelled();
    aborted.abort();
    reader.cancel(reason);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', () => abort());

  const clientDisconnected = async () => {
    const gone = await options.clientDisconnected();
    if (gone) abort();
    return gone;
  };
  const first = await awaitHeaders(reader, encoder, { ...options, clientDisconnected });

  async function* texts(): AsyncGenerator<string, undefined> {
    try {
      return yield* encodeCompletion(reader, encoder, first, keepAliveInterval);
    } catch (thrown) {
      reader.cancel();
      if (aborted.signal.aborted) throw thrown;
      const error = toApiError(thrown);
      if (!encoder.isBuffered || !isTransient(error)) throw error;
      trace(requestId, 'starts a second attempt after', error.code);
    }
    await sleep(RETRY_DELAY, aborted.signal);
    encoder = createEncoder();
    reader = start();
    return yield* encodeCompletion(reader, encoder, null, keepAliveInterval);
  }

  const body = texts();
  // A JSON answer that is complete is encoded before its headers, so that a failure of its encoder has its status.
  const isComplete = encoder.isBuffered && first?.at(-1)?.type === 'done';
  let encoded = isComplete ? await body.next() : null;
  const bytes = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = encoded ?? (await body.next());
        encoded = null;
        if (done === true) controller.close();
        else controller.enqueue(bytes.encode(value));
      } catch (thrown) {
        reader.cancel();
        if (signal.aborted) throw signal.reason;
        if (aborted.signal.aborted) return;
        const error = toApiError(thrown);
        // The completion was cancelled in the engine: by the page over its own port before it cancelled the body, or by
        // a request that cancels or deletes the answer. So this is a cancellation, not a failure.
        if (error.code === 'stream_not_found' || error.code === 'answer_cancelled') observer?.cancelled();
        else observer?.failed(error.code);
        controller.enqueue(bytes.encode(encoder.encodeError(error)));
        controller.close();
      }
    },
    cancel: abort,
  });
}
