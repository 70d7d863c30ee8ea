import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { modelStillLoading } from './await-headers.ts';

/**
 * Counts the tokens of a request's prompt, as a response would in `usage`. Used by the routes that only count.
 * @param messages The messages of the request.
 */
export async function countPromptTokens(
  exchange: Exchange,
  messages: readonly ReadMessage[],
  request: CompletionRequest,
): Promise<number> {
  refuseImages(messages);
  const { requestId, clientId, callEngine } = exchange;
  const input = { type: 'conversation', request, reply: true } as const;
  const called = callEngine('models/tokenize', { id: request.model, input, pieces: false }, { requestId, clientId });
  return (await withHeadersTimeout(exchange, called)).tokens.length;
}

/** @throws ApiError `unsupported_value` if a message contains an image. */
export function refuseImages(messages: readonly ReadMessage[]): void {
  const image = messages.flatMap(({ media }) => media)[0];
  if (image === undefined) return;
  const sentence = `\`${image.param}\`: the tokens of an image are known only when the model processes it.`;
  throw new ApiError('unsupported_value', sentence, { param: image.param });
}

/**
 * Waits for a call of the engine, for at most `headersTimeout`.
 * @throws ApiError `model_loading` if the model is not ready by then.
 */
export async function withHeadersTimeout<Result>({ settings }: Exchange, called: Promise<Result>): Promise<Result> {
  const result = await withTimeout(settings.headersTimeout, called, undefined);
  if (result === undefined) throw modelStillLoading();
  return result;
}
