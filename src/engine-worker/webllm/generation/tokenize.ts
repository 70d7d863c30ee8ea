import { ApiError } from '../../../shared/api-error.ts';
import { IMAGE_PLACE, type TokenizeInput } from '../../../shared/engine/tokenization.ts';
import { systemPrefix } from '../prompt/chat-template.ts';
import { cutControlTokens } from '../../prompt/cut-control-tokens.ts';
import type { LoadedEmbeddingModel } from '../loading/load-embedding-model.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import { planGeneration } from './plan-generation.ts';
import type { PipelineTokenizer } from '../pipeline/webllm-pipeline.ts';

/**
 * Returns the token ids of a text, or of the prompt that a conversation is rendered to.
 * @throws ApiError if the model cannot process the input.
 */
export async function tokenize(
  input: TokenizeInput,
  model: LoadedModel | LoadedEmbeddingModel,
): Promise<readonly number[]> {
  return input.type === 'text' ? textTokens(input, model) : conversationTokens(input, model);
}

/** Returns the token ids of a text. @throws ApiError if this version of WebLLM does not expose its tokenizer. */
export function textTokens(
  input: Extract<TokenizeInput, { type: 'text' }>,
  model: LoadedModel | LoadedEmbeddingModel,
): readonly number[] {
  const tokenizer = tokenizerOf(model);
  const { control, surrounding } = model;
  const texts = input.markers ? [input.text] : cutControlTokens(input.text, control.texts);
  const tokens = texts.flatMap((text) => Array.from(tokenizer.encode(text)));
  return input.prefix ? [...surrounding.before, ...tokens, ...surrounding.after] : tokens;
}

async function conversationTokens(
  input: Extract<TokenizeInput, { type: 'conversation' }>,
  model: LoadedModel | LoadedEmbeddingModel,
): Promise<readonly number[]> {
  const tokenizer = tokenizerOf(model);
  const { template, control } = model;
  if (!('tokenPrompt' in model)) {
    const sentence = `\`${model.entry.id}\` reads texts, not conversations. Give a \`prompt\`.`;
    throw new ApiError('unsupported_value', sentence, { param: 'messages' });
  }
  const { messages } = planGeneration(input.request, model);
  const read = input.reply ? messages : messages.slice(0, -1);
  const encode = (text: string) => Array.from(tokenizer.encode(text));
  const parts = read.map(async ({ content }) => {
    if (typeof content === 'string') return encode(content);
    const images = content.filter((part) => part.type === 'image_url');
    const { countImageTokens = rejectImage } = model;
    const counts = images.map(({ image_url: { url } }) => countImageTokens(url));
    const places = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    return Array.from({ length: places }, () => IMAGE_PLACE);
  });
  // Prefix tokens that WebLLM adds are not part of `messages`.
  const added = systemPrefix(template, control).engineTokens === 0 ? [] : template.system_prefix_token_ids;
  return [...added, ...(await Promise.all(parts)).flat()];
}

async function rejectImage(): Promise<never> {
  throw new Error('This WebLLM does not tell how many tokens an image has.');
}

/** Returns the text of token ids. @throws ApiError `invalid_value` for an id outside the model's vocabulary. */
export function detokenize(tokens: readonly number[], model: LoadedModel | LoadedEmbeddingModel): string {
  const { entry, vocabularySize } = model;
  const foreign = tokens.find((token) => token >= vocabularySize);
  if (foreign !== undefined) {
    const sentence = `\`tokens\`: the model \`${entry.id}\` has the tokens 0 to ${vocabularySize - 1}, but ${foreign} was given.`;
    throw new ApiError('invalid_value', sentence, { param: 'tokens' });
  }
  return tokenizerOf(model).decode(Int32Array.from(tokens));
}

function tokenizerOf({ pipeline, entry }: LoadedModel | LoadedEmbeddingModel): PipelineTokenizer {
  if (pipeline.tokenizer !== undefined) return pipeline.tokenizer;
  throw new ApiError('unsupported_value', `The tokenizer of \`${entry.id}\` cannot be reached.`, { param: 'model' });
}
