import type { ApiError } from '../../shared/api-error.ts';
import { isWaiting, type CompletionEncoder } from '../encoders/completion-encoder.ts';
import { dataEvent, WaitingComments } from '../encoders/server-sent-events.ts';
import type { ResponseEvent, ResponseWriter } from './response-writer.ts';
import { inTermsOfResponses } from './terms-of-responses.ts';

/** A response as one JSON document. What fails after the head is a response that has failed, with the status that was sent. */
export function createResponseJsonEncoder(writer: ResponseWriter): CompletionEncoder {
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    sentWhole: true,
    encode(event) {
      writer.write(event);
      return event.type === 'done' ? JSON.stringify(writer.response) : '';
    },
    keepAlive: () => '\n',
    fail(error) {
      writer.write({ type: 'error', error: inTermsOfResponses(error).toData() });
      return JSON.stringify(writer.response);
    },
  };
}

export interface ResponseStreamOptions {
  /** Number of the last event that the client has had; −1 for none. */
  readonly startingAfter: number;
  /** Whether the first events are sent before there is output, which is what clients want. Default: true. */
  readonly beginsEarly?: boolean;
}

/** A response as Server-Sent Events with types and numbers. There is no `[DONE]`: the last event says that it is the last. */
export function createResponseStreamEncoder(
  writer: ResponseWriter,
  { startingAfter, beginsEarly = true }: ResponseStreamOptions,
): CompletionEncoder {
  const waiting = new WaitingComments();
  const texts = (events: readonly ResponseEvent[]) =>
    events
      .filter((event) => event.sequence_number > startingAfter)
      .map((event) => `event: ${event.type}\n${dataEvent(event)}`)
      .join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    cacheControl: 'no-cache',
    sentWhole: false,
    encode(event) {
      const text = texts(writer.write(event));
      if (isWaiting(event)) return text + waiting.tell(event);
      waiting.end();
      return text;
    },
    keepAlive: () => (beginsEarly && texts(writer.begin())) || waiting.repeat(),
    fail: (error: ApiError) => texts(writer.write({ type: 'error', error: inTermsOfResponses(error).toData() })),
  };
}
