import { UNSPECIFIED_REQUEST, type CompletionRequest, type RawPrompt } from '../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { invalid } from './checks.ts';
import { LONGEST_TOKEN, refuseUnknownTokens, samplingOf } from './sampling-fields.ts';
import type { TextCompletionFields } from './text-completion-fields.ts';

/** Most choices of a request, over all of its prompts. */
const MOST_CHOICES = 128;

/**
 * What the engine gets for the raw prompts of a request, for `model`, which must be able to serve them.
 * @throws ApiError for more choices, or longer prompts, than there can be; for tokens that the model does not have.
 */
export function toRawCompletion(fields: TextCompletionFields, model: ModelEntry): CompletionRequest {
  const { prompt: prompts, suffix, echo } = fields;
  const choices = fields.best_of ?? fields.n;
  if (prompts.length * choices > MOST_CHOICES) {
    const expected = `an array of at most ${Math.floor(MOST_CHOICES / choices)} prompts with ${choices} choices each`;
    throw invalid('array_above_max_length', 'prompt', expected, prompts);
  }
  refuseUnknownTokens(fields, model);
  for (const prompt of prompts) refusePrompt(prompt, 'prompt', model, suffix);
  return {
    ...UNSPECIFIED_REQUEST,
    model: model.id,
    messages: [],
    raw: { prompts, suffix: suffix || null, echo },
    maxTokens: fields.max_tokens,
    ...samplingOf(fields),
    choices,
    // The best are those whose tokens are the most probable.
    logprobs: fields.logprobs !== null || choices > fields.n,
    topLogprobs: fields.logprobs ?? 0,
  };
}

/** Refuses what is wrong whatever the model makes of it, before the engine's thread has anything to do with it. */
export function refusePrompt(prompt: RawPrompt, param: string, model: ModelEntry, suffix = ''): void {
  const { id, vocabularySize, contextWindow } = model;
  if (typeof prompt !== 'string') {
    const unknown = prompt.find((token) => token >= vocabularySize);
    if (unknown !== undefined) {
      throw invalid(
        'invalid_value',
        param,
        `made of the tokens of \`${id}\`, which end at ${vocabularySize - 1}`,
        unknown,
      );
    }
  }
  const perToken = typeof prompt === 'string' ? LONGEST_TOKEN : 1;
  const tokens = Math.ceil(prompt.length / perToken) + Math.ceil(suffix.length / LONGEST_TOKEN);
  // An answer has a token at least.
  if (tokens + (model.embedding ? 0 : 1) > contextWindow)
    throw contextLengthExceeded(contextWindow, `at least ${tokens}`, { param });
}
