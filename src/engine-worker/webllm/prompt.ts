import type { ChatCompletionUserMessageParam } from '@mlc-ai/web-llm';

/**
 * A prompt, ready for a model whose template adds nothing: texts that are tokenized each by itself, and
 * images between them.
 */
export type PromptPart = { readonly text: string } | { readonly image: string };

/** WebLLM's form of a prompt: one user message for each part. */
export function promptMessages(parts: readonly PromptPart[]): ChatCompletionUserMessageParam[] {
  return parts.map((part) => ({
    role: 'user',
    content: 'text' in part ? part.text : [{ type: 'image_url', image_url: { url: part.image } }],
  }));
}
