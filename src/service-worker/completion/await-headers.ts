import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { trace } from '../../shared/trace/trace.ts';
import type { AppSettings } from '../app-settings.ts';
import { isWaiting, type CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { EventReader } from './event-reader.ts';

export interface HeadOptions extends Pick<AppSettings, 'headDelay' | 'streamAwaitsModel' | 'clientCheckInterval'> {
  readonly requestId: string;
  /** Milliseconds after which an answer whose head may wait for the model is given up. */
  readonly headHoldTime: number;
  /** Whether the client is known to have left, which no signal tells while there is no body. */
  readonly clientGone: () => Promise<boolean>;
}

/**
 * Waits until the status of the answer can be chosen: at the first output, at a failure, or when it is time that
 * the body exists, since only a body's `cancel()` tells that a client has left.
 *
 * That time is short for what is sent piece by piece. An answer that is sent whole waits for its model first: all
 * that can go wrong until a model is ready then still has its status, and clients repeat a 503 by themselves.
 *
 * @returns the events from the first output on; null when there is none yet. The encoder has had those before.
 * @throws ApiError when the completion fails; `model_loading` when the model is not ready at the end of the hold time.
 */
export async function awaitHead(
  reader: EventReader,
  encoder: CompletionEncoder,
  { headDelay, streamAwaitsModel, headHoldTime, clientCheckInterval, clientGone, requestId }: HeadOptions,
): Promise<readonly CompletionEvent[] | null> {
  const started = performance.now();
  const awaitsModel = encoder.sentWhole || streamAwaitsModel;
  const limit = awaitsModel ? started + headHoldTime : Number.POSITIVE_INFINITY;
  let headTime = awaitsModel ? Number.POSITIVE_INFINITY : started + headDelay;
  let checkTime = started + clientCheckInterval;
  let loading = false;
  for (;;) {
    const events = await reader.next(Math.max(0, Math.min(headTime, limit, checkTime) - performance.now()));
    const now = performance.now();
    const last = events?.at(-1);
    // Of an answer that has failed before and is read from its log, all events come at once.
    if (encoder.sentWhole && last?.type === 'error') throw ApiError.fromData(last.error);
    for (const [index, event] of (events ?? []).entries()) {
      if (event.type === 'error') throw ApiError.fromData(event.error);
      if (!isWaiting(event)) return events?.slice(index) ?? null;
      encoder.encode(event);
      if (!awaitsModel) continue;
      // The engine says that it must load before it says a place in the queue.
      loading = event.type === 'loading' || (event.type === 'queued' && loading);
      headTime = loading ? Number.POSITIVE_INFINITY : Math.min(headTime, now + headDelay);
    }
    if (now >= headTime) return null;
    if (now >= limit) {
      trace(requestId, 'the head cannot wait any longer for the model');
      reader.cancel();
      throw notReady();
    }
    if (now < checkTime) continue;
    checkTime = now + clientCheckInterval;
    if (await clientGone()) {
      trace(requestId, 'the client has left before the head');
      reader.cancel();
      // What is answered now, nobody reads.
      throw engineUnavailable('The client has left.');
    }
  }
}

/** The load goes on without the request, and the next one joins it. */
export function notReady(): ApiError {
  return new ApiError('model_loading', 'The model is still being loaded. Ask again at once: the load goes on.', {
    retryAfter: 1,
  });
}
