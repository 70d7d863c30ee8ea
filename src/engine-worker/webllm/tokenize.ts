import { ApiError } from '../../shared/api-error.ts';
import type { TokenizeInput } from '../../shared/tokenization.ts';
import { systemPrefix } from './chat-template.ts';
import { cutControlTokens } from './control-tokens.ts';
import type { LoadedEmbeddingModel } from './embedding-model.ts';
import type { LoadedModel } from './loaded-model.ts';
import { planGeneration } from './plan-generation.ts';
import type { PipelineTokenizer } from './token-prompts.ts';

/**
 * The tokens of a text, or those that a conversation would be read as.
 * @throws ApiError for what this model cannot read.
 */
export function tokenize(input: TokenizeInput, model: LoadedModel | LoadedEmbeddingModel): number[] {
  const tokenizer = tokenizerOf(model);
  const { template, control, frame } = model;
  const encode = (texts: readonly string[]) => texts.flatMap((text) => Array.from(tokenizer.encode(text)));
  if (input.type === 'text') {
    const texts = input.markers ? [input.text] : cutControlTokens(input.text, control);
    return input.prefix ? [...frame.before, ...encode(texts), ...frame.after] : encode(texts);
  }
  if (!('promptCache' in model)) {
    const sentence = `\`${model.entry.id}\` reads texts, not conversations. Give a \`prompt\`.`;
    throw new ApiError('unsupported_value', sentence, { param: 'messages' });
  }
  const { messages } = planGeneration(input.request, model);
  const texts = messages.map(({ content }) => String(content));
  // What WebLLM adds by itself is no text of the prompt.
  const added = systemPrefix(template, control).engineTokens === 0 ? [] : template.system_prefix_token_ids;
  return [...added, ...encode(input.reply ? texts : texts.slice(0, -1))];
}

/** @throws ApiError `invalid_value` for a token that this model does not have. */
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
