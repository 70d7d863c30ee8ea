import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { Exchange } from '../http/exchange.ts';
import { toApiError } from '../http/http-responses.ts';
import type { CompletionEncoder } from '../encoders/completion-encoder.ts';
import { completionTexts } from './encode-completion.ts';
import { readEvents } from './event-reader.ts';

/**
 * Answers at once with what an encoder makes of the events of an answer that exists already, however it ended: a failure
 * of that answer is no failure to tell of it. Whoever leaves ends only the telling.
 */
export function answerStream(
  { settings, request, observer }: Exchange,
  events: ReadableStream<readonly CompletionEvent[]>,
  encoder: CompletionEncoder,
): Response {
  const reader = readEvents(events, observer);
  async function* texts(): AsyncGenerator<string, undefined> {
    try {
      return yield* completionTexts(reader, encoder, [], settings.keepAliveInterval);
    } catch (thrown) {
      yield encoder.fail(toApiError(thrown));
    }
  }
  const body = texts();
  const bytes = new TextEncoder();
  const leave = () => reader.cancel();
  request.signal.addEventListener('abort', leave);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await body.next();
      if (done === true) controller.close();
      else controller.enqueue(bytes.encode(value));
    },
    cancel: leave,
  });
  return new Response(stream, {
    headers: { 'content-type': encoder.contentType, 'cache-control': encoder.cacheControl },
  });
}
