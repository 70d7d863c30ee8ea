import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import type { Exchange } from '../http/exchange.ts';
import { toApiError } from '../http/http-responses.ts';
import { encodeCompletion } from './encode-completion.ts';
import { readEvents } from './event-reader.ts';

/**
 * Responds with the encoded events of a stored answer. The status is 200 even if the answer failed, because reading it
 * succeeds. A client that disconnects ends the response, not the completion.
 */
export function streamStoredAnswer(
  { settings, request, waiting, observer }: Exchange,
  events: ReadableStream<readonly CompletionEvent[]>,
  encoder: CompletionEncoder,
): Response {
  const reader = readEvents(events, waiting, observer);
  async function* texts(): AsyncGenerator<string, undefined> {
    try {
      return yield* encodeCompletion(reader, encoder, [], settings.keepAliveInterval);
    } catch (thrown) {
      yield encoder.encodeError(toApiError(thrown));
    }
  }
  const body = texts();
  const bytes = new TextEncoder();
  const abort = () => reader.cancel();
  request.signal.addEventListener('abort', abort);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await body.next();
      if (done === true) controller.close();
      else controller.enqueue(bytes.encode(value));
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, {
    headers: { 'content-type': encoder.contentType, 'cache-control': encoder.cacheControl },
  });
}
