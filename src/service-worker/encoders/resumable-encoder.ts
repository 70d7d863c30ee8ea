import type { CompletionEncoder } from './completion-encoder.ts';

/**
 * An encoder for a client that may come back: after what an event is sent as, a line `id: <number of the event>`, which
 * the standard lets stand without data (HTML, "Server-sent events"). Whatever comes before that line belongs to the event.
 *
 * The events that the client has had already pass through the encoder, which knows by them what was said before, and only
 * their texts are left out. The last one is always told: who comes back for nothing else has to hear that it is the end.
 *
 * @param lastEvent Number of the last event that the client has had; −1 for none.
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
