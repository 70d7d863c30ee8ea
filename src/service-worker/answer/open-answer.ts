import { ApiError } from '../../shared/api-error.ts';
import type { CompletionEvent } from '../../shared/completion-event.ts';
import type { AppSettings } from '../app-settings.ts';
import type { CompletionEncoder, OutputEvent } from './completion-encoder.ts';
import { readEvents } from './event-reader.ts';
import { waitingComment } from './waiting-comment.ts';

type WaitingEvent = Exclude<CompletionEvent, OutputEvent | { type: 'error' }>;

interface AnswerOptions extends Pick<AppSettings, 'headDelay' | 'keepAliveInterval'> {
  /** Fires when the app runs inside a page or in Node; in a service worker it never does. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the status of the answer can be chosen (the first output, a failure, or the head delay)
 * and gives the body from there on. Cancelling the body ends the completion; it is the only way in which
 * a service worker learns that its client has left, so the body must exist early.
 *
 * @throws ApiError when the completion fails before that moment: it still gets its real status.
 */
export async function openAnswer(
  events: ReadableStream<CompletionEvent>,
  encoder: CompletionEncoder,
  { headDelay, keepAliveInterval, signal }: AnswerOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const reader = readEvents(events);
  if (signal.aborted) reader.cancel();
  else signal.addEventListener('abort', () => reader.cancel(), { once: true });
  const bytes = new TextEncoder();
  const headTime = performance.now() + headDelay;
  let waitingFor = 'keep-alive';

  let first: CompletionEvent | null;
  do {
    first = await reader.next(Math.max(0, headTime - performance.now()));
    if (first?.type === 'error') throw ApiError.fromData(first.error);
    if (first !== null && isWaiting(first)) waitingFor = waitingComment(first);
  } while (first !== null && isWaiting(first));

  /** The next thing to send: output, or a comment once waiting has changed or lasted. */
  async function next(): Promise<{ text: string; end: boolean }> {
    const event = first ?? (await reader.next(keepAliveInterval));
    first = null;
    if (event === null) return { text: encoder.keepAlive(waitingFor), end: false };
    if (event.type === 'error') throw ApiError.fromData(event.error);
    if (!isWaiting(event)) {
      waitingFor = 'keep-alive';
      return { text: encoder.encode(event), end: event.type === 'done' };
    }
    const comment = waitingComment(event);
    if (comment === waitingFor) return { text: '', end: false };
    waitingFor = comment;
    return { text: encoder.keepAlive(waitingFor), end: false };
  }

  return new ReadableStream({
    start(controller) {
      if (first === null) controller.enqueue(bytes.encode(encoder.keepAlive(waitingFor)));
    },
    // The stream calls this again only after something was sent, hence the loop.
    async pull(controller) {
      try {
        let step = await next();
        while (step.text === '' && !step.end) step = await next();
        if (step.text !== '') controller.enqueue(bytes.encode(step.text));
        if (step.end) controller.close();
      } catch (thrown) {
        reader.cancel();
        if (signal.aborted) throw signal.reason;
        const error = ApiError.from(thrown);
        const text = encoder.fail(error);
        if (text === null) throw error;
        controller.enqueue(bytes.encode(text));
        controller.close();
      }
    },
    cancel() {
      reader.cancel();
    },
  });
}

function isWaiting(event: CompletionEvent): event is WaitingEvent {
  return event.type === 'queued' || event.type === 'loading' || event.type === 'prefill';
}
