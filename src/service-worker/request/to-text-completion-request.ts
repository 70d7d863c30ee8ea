import type { CompletionRequest, RawPrompt } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS, TEXT_COMPLETION_MAX_TOKENS } from '../../shared/engine/request-defaults.ts';
import { contextLengthExceeded } from '../../shared/engine/engine-errors.ts';
import { refuseUnknownTokens } from '../../shared/engine/refuse-unknown-tokens.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { invalid } from './checks.ts';
import { onlyConstraint } from './constraint-fields.ts';
import { MAX_TOKEN_LENGTH, refuseIgnoredEnd, samplingOf } from './sampling-fields.ts';
import type { TextCompletionFields } from './text-completion-fields.ts';

/** Limit of the choices of a request, over all its prompts. */
const MAX_CHOICES = 128;

/**
 * Converts checked fields to a request for the engine.
 * @throws ApiError for too many choices, for a prompt that exceeds the context window, for tokens that `model` lacks, for
 * a `constraint_prefix` that is not the end of each prompt.
 */
export function toTextCompletionRequest(fields: TextCompletionFields, model: ModelEntry): CompletionRequest {
  const { prompt: prompts, suffix, echo, constraint_prefix: constraintPrefix } = fields;
  const choices = fields.best_of ?? fields.n;
  if (prompts.length * choices > MAX_CHOICES) {
    const expected = `an array of at most ${Math.floor(MAX_CHOICES / choices)} prompts with ${choices} choices each`;
    throw invalid('array_above_max_length', 'prompt', expected, prompts);
  }
  refuseUnknownTokens(fields, model);
  for (const prompt of prompts) {
    refuseInvalidPrompt(prompt, 'prompt', model, suffix);
    refuseOtherThanEnd(constraintPrefix, prompt);
  }
  const limit = fields.max_tokens ?? fields.n_predict ?? TEXT_COMPLETION_MAX_TOKENS;
  const request: CompletionRequest = {
    ...REQUEST_DEFAULTS,
    model: model.id,
    messages: [],
    raw: { prompts, suffix: suffix || null, echo, ...(constraintPrefix !== '' && { constraintPrefix }) },
    responseFormat: onlyConstraint(fields),
    maxTokens: limit === -1 ? null : limit,
    ...samplingOf(fields),
    choices,
    // `best_of` ranks choices by their log probabilities.
    logprobs: fields.logprobs !== null || choices > fields.n,
    topLogprobs: fields.logprobs ?? 0,
  };
  refuseIgnoredEnd(request);
  return request;
}

/**
 * Rejects a `constraint_prefix` with which a prompt does not end. The text of a prompt of tokens is not known here, but a
 * longer prefix than it can have is refused: the engine would compute the constraint after all of it.
 */
function refuseOtherThanEnd(prefix: string, prompt: RawPrompt): void {
  const isEnd =
    typeof prompt === 'string' ? prompt.endsWith(prefix) : prefix.length <= prompt.length * MAX_TOKEN_LENGTH;
  if (!isEnd) throw invalid('invalid_value', 'constraint_prefix', 'the end of each `prompt`', prefix);
}

/**
 * Rejects a prompt before the engine tokenizes it.
 * @throws ApiError for tokens that the model lacks, and for a prompt that exceeds the context window with any
 * tokenizer.
 */
export function refuseInvalidPrompt(prompt: RawPrompt, param: string, model: ModelEntry, suffix = ''): void {
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
  const perToken = typeof prompt === 'string' ? MAX_TOKEN_LENGTH : 1;
  const tokens = Math.ceil(prompt.length / perToken) + Math.ceil(suffix.length / MAX_TOKEN_LENGTH);
  // A text completion needs room for at least one generated token. An embedding model generates none.
  if (tokens + (model.embedding ? 0 : 1) > contextWindow)
    throw contextLengthExceeded(model, `at least ${tokens}`, { param });
}
