import { ApiError } from '../../shared/api-error.ts';
import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { Engine } from '../../shared/engine/engine.ts';
import { trace } from '../../shared/trace/trace.ts';
import { dropOldestMessages } from './drop-oldest-messages.ts';

/**
 * Generates events. With `truncation: 'auto'` it drops the oldest messages until the conversation fits into the context
 * window. It has to try, because only the engine knows whether a conversation fits.
 * @throws any error of the engine.
 */
export function generateTruncated(
  engine: Engine,
  request: CompletionRequest,
  signal: AbortSignal,
  requestId: string,
): AsyncIterable<GenerationEvent> {
  return request.truncation === 'auto'
    ? truncatedGeneration(engine, request, signal, requestId)
    : engine.generate(request, signal);
}

async function* truncatedGeneration(
  engine: Engine,
  request: CompletionRequest,
  signal: AbortSignal,
  requestId: string,
): AsyncGenerator<GenerationEvent, undefined> {
  let { messages } = request;
  for (;;) {
    let hasOutput = false;
    try {
      for await (const event of engine.generate({ ...request, messages }, signal)) {
        hasOutput ||= event.type !== 'prefill';
        yield event;
      }
      return undefined;
    } catch (thrown) {
      const isTooLong = thrown instanceof ApiError && thrown.code === 'context_length_exceeded' && !hasOutput;
      const rest = isTooLong ? dropOldestMessages(messages) : messages;
      if (rest.length === messages.length) throw thrown;
      trace(requestId, `does not fit: ${messages.length - rest.length} messages are left out`);
      messages = rest;
    }
  }
}
