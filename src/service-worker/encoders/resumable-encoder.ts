import type { CompletionEncoder } from './completion-encoder.ts';

/**
 * Wraps an encoder so that a client can resume its stream: the text of each event is followed by `id: <number of the
 * event>`, a block without data, which the standard permits (HTML, "Server-sent events").
 *
 * The wrapped encoder also receives the events that the client already has, because it keeps state; their text is
 * dropped. The last event is always sent, so that a client that already has all events learns that the stream has
 * ended.
 *
 * @param lastEvent Number of the last event that the client has received; −1 if it has received none.
 */
export function createResumableEncoder(encoder: CompletionEncoder, lastEvent: number): CompletionEncoder {
  let next = 0;
  return {
    ...encoder,
    encode(event) {
      const number = next++;
      const text = encoder.encode(event);
      if (text === '' || (number <= lastEvent && event.type !== 'done')) return '';
      return `${text}id: ${number}\n\n`;
    },
  };
}
