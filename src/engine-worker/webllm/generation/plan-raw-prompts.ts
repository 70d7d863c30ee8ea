import { ApiError } from '../../../shared/api-error.ts';
import type { CompletionRequest, RawPrompt, RawPrompts } from '../../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../../shared/engine/engine-errors.ts';
import { systemPrefix } from '../prompt/chat-template.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import { answerBias, answerFormat, SCHEMA_PARAM, type GenerationPlan } from './plan-generation.ts';
import { promptMessages } from '../prompt/render-prompt.ts';

/**
 * Markers of fill-in-the-middle prompts. A model is assumed to support them if each is a single token of its tokenizer.
 * Sources: the model cards of Qwen2.5-Coder and of StarCoder2.
 */
const GAP_MARKERS = [
  { before: '<|fim_prefix|>', after: '<|fim_suffix|>', gap: '<|fim_middle|>' },
  { before: '<fim_prefix>', after: '<fim_suffix>', gap: '<fim_middle>' },
] as const;

/**
 * Plans the generation for each raw prompt (a text or token ids without chat template). A text is prefixed with the
 * model's begin-of-text tokens unless it starts with them; token ids are used unchanged. The template's stop sequences
 * and thinking markers do not apply, and the answer may contain control tokens.
 *
 * @throws ApiError for token ids that the model does not have, for too many of them, or for a `suffix` if the model
 * does not support it.
 */
export function planRawPrompts(request: CompletionRequest, raw: RawPrompts, model: LoadedModel): GenerationPlan[] {
  const format = answerFormat(request);
  const grammar = format === null ? null : SCHEMA_PARAM;
  return raw.prompts.map((prompt, index) => ({
    ...promptOf(prompt, raw.suffix, model),
    format,
    errorContext: { grammar, images: false, prompt: 'prompt', model: model.entry },
    templateStops: [],
    thinking: null,
    firstChoice: index * request.choices,
    unwanted: answerBias(request, null, model),
    echo: raw.echo ? textOf(prompt, model) : '',
  }));
}

function promptOf(
  prompt: RawPrompt,
  suffix: string | null,
  model: LoadedModel,
): Pick<GenerationPlan, 'messages' | 'fits'> {
  const text = suffix === null ? prompt : aroundGap(textOf(prompt, model), suffix, model);
  if (typeof text !== 'string') return { messages: [tokenMessage(text, model)], fits: true };
  const prefix = systemPrefix(model.template, model.control);
  const begun = text.startsWith(prefix.texts.join(''));
  const texts = [...(begun ? [] : prefix.texts), text].filter((part) => part !== '');
  if (texts.length > 0 || prefix.engineTokens > 0) {
    return { messages: promptMessages(texts.map((part) => ({ text: part }))), fits: false };
  }
  // An empty prompt would have no token. The end-of-text token stands for it, because it precedes a new document.
  return { messages: [tokenMessage(model.template.stop_token_ids.slice(0, 1), model)], fits: true };
}

function tokenMessage(tokens: readonly number[], { tokenPrompt, entry, vocabularySize }: LoadedModel) {
  if (tokenPrompt === undefined) throw refusal('prompts of tokens cannot be given to this model; send text.');
  if (tokens.length >= entry.contextWindow) throw contextLengthExceeded(entry, tokens.length, { param: 'prompt' });
  const foreign = tokens.find((token) => token >= vocabularySize);
  if (foreign !== undefined) {
    throw refusal(`the model has the tokens 0 to ${vocabularySize - 1}, but ${foreign} was given.`);
  }
  return { role: 'user', content: tokenPrompt(tokens) } as const;
}

function textOf(prompt: RawPrompt, { pipeline }: LoadedModel): string {
  if (typeof prompt === 'string') return prompt;
  if (pipeline.tokenizer === undefined) throw refusal('the text of tokens is not known here; send text.');
  return pipeline.tokenizer.decode(Int32Array.from(prompt));
}

/** Renders a fill-in-the-middle prompt. @throws ApiError if the tokenizer has no markers for it. */
function aroundGap(text: string, suffix: string, { pipeline, entry }: LoadedModel): string {
  const isToken = (marker: string) => pipeline.tokenizer?.encode(marker).length === 1;
  const markers = GAP_MARKERS.find(({ before, after, gap }) => [before, after, gap].every(isToken));
  if (markers !== undefined) return markers.before + text + markers.after + suffix + markers.gap;
  throw new ApiError(
    'unsupported_value',
    `\`suffix\`: the model \`${entry.id}\` cannot fill a gap. Leave it out, or use a model for code that can.`,
    { param: 'suffix' },
  );
}

function refusal(sentence: string): ApiError {
  return new ApiError('unsupported_value', `\`prompt\`: ${sentence}`, { param: 'prompt' });
}
