import { ApiError } from '../../shared/api-error.ts';
import { isWaiting, type CompletionEncoder } from '../encoders/completion-encoder.ts';
import { namedEvent, WaitingComments } from '../encoders/server-sent-events.ts';
import type { ResponseEvent, ResponseWriter } from './response-writer.ts';

/**
 * Encodes a response as one JSON document. An error after the response headers becomes a response with the status
 * `failed`, while the HTTP status stays 200.
 */
export function createResponseJsonEncoder(writer: ResponseWriter): CompletionEncoder {
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    isBuffered: true,
    encode(event) {
      writer.write(event);
      return event.type === 'done' ? JSON.stringify(writer.response) : '';
    },
    keepAlive: () => '\n',
    encodeError(error) {
      writer.write({ type: 'error', error: toResponsesError(error).toData() });
      return JSON.stringify(writer.response);
    },
  };
}

export interface ResponseStreamOptions {
  /** Number of the last event that the client has received; −1 if it has received none. */
  readonly startingAfter: number;
  /**
   * Whether the first keep-alive sends the events that precede the output, such as `response.created`. False for a
   * resumable stream: a resumed one would send them again, because a keep-alive has no event number. Default: true.
   */
  readonly beginsEarly?: boolean;
}

/** Encodes a response as Server-Sent Events. There is no `[DONE]`: the type of the last event shows the end. */
export function createResponseStreamEncoder(
  writer: ResponseWriter,
  { startingAfter, beginsEarly = true }: ResponseStreamOptions,
): CompletionEncoder {
  const waiting = new WaitingComments();
  const texts = (events: readonly ResponseEvent[]) =>
    events
      .filter((event) => event.sequence_number > startingAfter)
      .map(namedEvent)
      .join('');
  return {
    contentType: 'text/event-stream; charset=utf-8',
    cacheControl: 'no-cache',
    isBuffered: false,
    encode(event) {
      const text = texts(writer.write(event));
      if (isWaiting(event)) return text + waiting.encode(event);
      waiting.reset();
      return text;
    },
    keepAlive: () => (beginsEarly && texts(writer.begin())) || waiting.repeat(),
    encodeError: (error: ApiError) => texts(writer.write({ type: 'error', error: toResponsesError(error).toData() })),
  };
}

/** Maps the field names in the engine's errors, which are those of chat completions, to names of the Responses API. */
const PARAMS: Readonly<Record<string, string>> = {
  messages: 'input',
  'response_format.json_schema.schema': 'text.format.schema',
};

/** Replaces the field that an engine's error names by its counterpart in the Responses API. */
export function toResponsesError(error: ApiError): ApiError {
  const { code, message, param, retryAfter, overflow, cause } = error;
  if (param === null || !Object.hasOwn(PARAMS, param)) return error;
  const name = PARAMS[param]!;
  // The sentence of a full window names the field as a word.
  const said = overflow ? message.replaceAll(param, name) : message;
  return new ApiError(code, said, { param: name, cause, retryAfter, overflow });
}
