import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';
import type { AppSettings } from '../app-settings.ts';
import type { ExchangeObserver } from '../exchange.ts';
import { toApiError } from '../responses.ts';
import { isWaiting, type CompletionEncoder } from './completion-encoder.ts';
import { readEvents } from './event-reader.ts';

interface AnswerOptions extends Pick<AppSettings, 'headDelay' | 'keepAliveInterval'> {
  /** Fires when the app runs inside a page or in Node; in a service worker it never does. */
  readonly signal: AbortSignal;
  readonly observer: ExchangeObserver | null;
}

/**
 * Waits until the status of the answer can be chosen (the first output, a failure, or the head delay)
 * and gives the body from there on. Cancelling the body ends the completion; it is the only way in which
 * a service worker learns that its client has left, so the body must exist early.
 *
 * @throws ApiError when the completion fails before that moment: it still gets its real status.
 */
export async function openAnswer(
  events: ReadableStream<readonly CompletionEvent[]>,
  encoder: CompletionEncoder,
  { headDelay, keepAliveInterval, signal, observer }: AnswerOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  observer?.completionStarted();
  const reader = readEvents(events, observer);
  const cancel = () => {
    observer?.cancelled();
    reader.cancel();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  const bytes = new TextEncoder();

  const headTime = performance.now() + headDelay;
  let first = await reader.next(headDelay);
  while (first?.every((event) => isWaiting(event))) {
    for (const event of first) encoder.encode(event);
    first = await reader.next(Math.max(0, headTime - performance.now()));
  }
  const output = first?.find((event) => !isWaiting(event));
  if (output?.type === 'error') throw ApiError.fromData(output.error);

  let cancelled = false;

  return new ReadableStream({
    start(controller) {
      if (first === null) controller.enqueue(bytes.encode(encoder.keepAlive()));
    },
    async pull(controller) {
      let text = '';
      let ended = false;
      try {
        // The stream pulls again only after something was sent.
        while (text === '' && !ended) {
          const events = first ?? (await reader.next(keepAliveInterval));
          first = null;
          if (events === null) text = encoder.keepAlive();
          for (const event of events ?? []) {
            if (event.type === 'error') throw ApiError.fromData(event.error);
            text += encoder.encode(event);
            ended = event.type === 'done';
          }
        }
        if (text !== '') controller.enqueue(bytes.encode(text));
        if (ended) controller.close();
      } catch (thrown) {
        reader.cancel();
        if (cancelled) return;
        if (signal.aborted) throw signal.reason;
        const error = toApiError(thrown);
        observer?.failed(error.code);
        const failure = encoder.fail(error);
        if (failure === null) throw error;
        controller.enqueue(bytes.encode(text + failure));
        controller.close();
      }
    },
    cancel() {
      cancelled = true;
      cancel();
    },
  });
}
