import { isWaiting, type CompletionEncoder } from '../encoders/completion-encoder.ts';
import { namedEvent, WaitingComments } from '../encoders/server-sent-events.ts';
import { messagesErrorBody } from '../../shared/http/messages-api-errors.ts';
import type { MessageWriter } from './message-writer.ts';

/**
 * Encodes a message as one JSON document. An error after the response headers becomes an error object with status 200.
 */
export function createMessageJsonEncoder(writer: MessageWriter, requestId: string): CompletionEncoder {
  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    isBuffered: true,
    encode(event) {
      for (const _ of writer.write(event));
      return event.type === 'done' ? JSON.stringify(writer.message) : '';
    },
    keepAlive: () => '\n',
    encodeError: (error) => JSON.stringify(messagesErrorBody(error, requestId)),
  };
}

/** Encodes a message as named Server-Sent Events, which end with `message_stop`. */
export function createMessageStreamEncoder(writer: MessageWriter, requestId: string): CompletionEncoder {
  const waiting = new WaitingComments();
  return {
    contentType: 'text/event-stream; charset=utf-8',
    cacheControl: 'no-cache',
    isBuffered: false,
    encode(event) {
      const text = [...writer.write(event)].map(namedEvent).join('');
      return isWaiting(event) ? waiting.encode(event) : text;
    },
    keepAlive: () => namedEvent({ type: 'ping' }),
    encodeError: (error) => namedEvent({ type: 'error', ...messagesErrorBody(error, requestId) }),
  };
}
