import type { ChatCompletionRequest } from './chat-completion.ts';
import { requestEndpoint } from './request-endpoint.ts';

/** What is counted: a text by itself, or a conversation as the model would read it. */
export type Countable = { readonly content: string } | Pick<ChatCompletionRequest, 'messages'>;

/**
 * How many tokens something is for a model, counted by the model's own tokenizer. A text has 1,048,576 characters at most.
 * @throws ApiError as {@link requestEndpoint} does, also where the model's files are not on this device.
 */
export async function countTokens(model: string, counted: Countable, signal: AbortSignal): Promise<number> {
  const response = await requestEndpoint('tokenize', signal, { model, ...counted });
  const { count } = (await response.json()) as { count: number };
  return count;
}
