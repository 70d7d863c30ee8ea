import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { AppSettings } from '../app-settings.ts';
import { isWaiting, type CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { EventReader } from './event-reader.ts';

export interface AwaitHeadersOptions extends Pick<
  AppSettings,
  'headersDelay' | 'jsonHeadersDelay' | 'streamHeadersAwaitModel' | 'clientCheckInterval'
> {
  readonly requestId: string;
  /** Milliseconds for which the response headers may wait for the model. Then the response fails. */
  readonly headersTimeout: number;
  /** Readers of completions, of all clients, that have no output yet. */
  readonly waiting: ReadonlySet<object>;
  /** Whether the client wants the headers of a JSON response before its end: it has sent `EARLY_HEADERS_HEADER`. */
  readonly wantsEarlyHeaders: boolean;
  /**
   * Checks whether the client (page, frame, worker) was closed. Needed until the response body exists; from then on the
   * body's `cancel()` reports it.
   */
  readonly clientDisconnected: () => Promise<boolean>;
  /** Called before the headers are sent, with what runs the model and on which device, such as `llama.cpp; cpu`. */
  readonly onEngine: (engine: string) => void;
}

/**
 * Waits until the response headers can be sent: until a failure or enough output, or the end of the waiting time. The
 * waiting time is limited because only the body's `cancel()` reports that the client aborted the request, and the body
 * exists only after the headers.
 *
 * A stream waits `headersDelay` for its first output. A JSON response waits `headersTimeout` for its end, so that a
 * failure gets its own status, and clients retry a 503 automatically. While another completion waits for its first
 * output, it waits only `jsonHeadersDelay` from its own first output: its client may have aborted it, and then the other
 * one can run. If the client wants early headers, they are sent `headersDelay` after the model is ready.
 *
 * @returns the events from the first output on; null if there is none yet. Earlier events were passed to the encoder.
 * @throws ApiError if the completion fails; `model_loading` if the model is not ready within `headersTimeout`.
 */
export async function awaitHeaders(
  reader: EventReader,
  encoder: CompletionEncoder,
  options: AwaitHeadersOptions,
): Promise<readonly CompletionEvent[] | null> {
  const { headersDelay, clientCheckInterval, clientDisconnected, requestId } = options;
  const started = performance.now();
  const awaitsModel = encoder.isBuffered || options.streamHeadersAwaitModel;
  const awaitsEnd = encoder.isBuffered && !options.wantsEarlyHeaders;
  const deadline = awaitsModel ? started + options.headersTimeout : Number.POSITIVE_INFINITY;
  let sendTime = awaitsModel ? Number.POSITIVE_INFINITY : started + headersDelay;
  let checkTime = started + clientCheckInterval;
  let loading = false;
  let ready = false;
  let firstOutput: number | null = null;
  const output: CompletionEvent[] = [];
  for (;;) {
    const events = await reader.next(Math.max(0, Math.min(sendTime, deadline, checkTime) - performance.now()));
    const now = performance.now();
    for (const event of events ?? []) {
      // A stream still sends the output that precedes its failure.
      if (event.type === 'error' && (encoder.isBuffered || output.length === 0)) throw ApiError.fromData(event.error);
      if (event.type === 'prefill' && event.engine !== undefined) options.onEngine(event.engine);
      if (output.length > 0 || !isWaiting(event)) {
        output.push(event);
        continue;
      }
      encoder.encode(event);
      if (!awaitsModel) continue;
      // If the model must be loaded, the engine sends `loading` before the first `queued`. So a `queued` after
      // `loading` does not mean that the model is ready.
      loading = event.type === 'loading' || (event.type === 'queued' && loading);
      ready = !loading;
      sendTime = loading || awaitsEnd ? Number.POSITIVE_INFINITY : Math.min(sendTime, now + headersDelay);
    }
    if (output.length > 0) {
      if (!awaitsEnd || output.at(-1)?.type === 'done') return output;
      ready = true;
      firstOutput ??= now;
      sendTime = options.waiting.size > 0 ? firstOutput + options.jsonHeadersDelay : Number.POSITIVE_INFINITY;
    }
    if (now >= sendTime || (ready && now >= deadline)) return output.length > 0 ? output : null;
    if (now >= deadline) {
      trace(requestId, 'the model was not ready within the headers timeout');
      reader.cancel();
      throw modelStillLoading();
    }
    if (now < checkTime) continue;
    checkTime = now + clientCheckInterval;
    if (await clientDisconnected()) {
      trace(requestId, 'the client disconnected before the response headers');
      reader.cancel();
      // Never delivered: the client is gone.
      throw engineUnavailable('The client disconnected.');
    }
  }
}

/**
 * Creates the error for a request whose model is not loaded in time. The load continues, and the next request joins it.
 */
export function modelStillLoading(): ApiError {
  return new ApiError('model_loading', 'The model is still loading. Try again right away: loading continues.', {
    retryAfter: 1,
  });
}
