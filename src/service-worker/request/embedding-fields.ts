import { inputPath, type CompletionRequest, type RawPrompt } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { CHAT_COMPLETION_FIELDS } from './chat-completion-fields.ts';
import { described, integer, invalid, missing, oneOf, optional, type Check } from './checks.ts';
import type { FieldsOf } from './read-fields.ts';
import { readPrompts } from './read-prompts.ts';
import { refuseInvalidPrompt } from './to-text-completion-request.ts';

/** Limit of the inputs of one request, as in the OpenAI API. */
export const MAX_INPUTS = 2048;

/** Reads `input`: texts or token ids in the same forms as prompts, but none may be empty. */
const readInputs: Check<readonly RawPrompt[]> = (value, param, body) => {
  if (value === null) throw missing(param);
  const inputs = readPrompts(value, param, body);
  if (inputs.length > MAX_INPUTS) {
    throw invalid('array_above_max_length', param, `an array of at most ${MAX_INPUTS} inputs`, value);
  }
  const empty = inputs.indexOf('');
  if (empty >= 0) throw invalid('invalid_value', inputPath(empty, inputs), 'a text that is not empty', '');
  return inputs;
};

/** JSON Schema of the values that {@link readInputs} accepts. */
const INPUT_SCHEMA = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  maxItems: MAX_INPUTS,
  items: { type: ['string', 'array', 'integer'], minLength: 1, minItems: 1, minimum: 0 },
} as const;

/** The fields of `POST /embeddings`, in the order of their checks. Other fields are ignored. */
export const EMBEDDING_FIELDS = {
  model: CHAT_COMPLETION_FIELDS.model,
  input: Object.assign(described(INPUT_SCHEMA, readInputs), {
    isRequired: true,
  } as const),
  encoding_format: optional('float', oneOf(['float', 'base64'])),
  dimensions: optional(null, integer({ min: 1 })),
} as const satisfies Record<string, Check<unknown>>;

/**
 * Converts checked fields to a request for the engine. `model` must compute embeddings.
 * @throws ApiError for inputs that the model cannot read, and for dimensions that its vectors cannot have.
 */
export function toEmbeddingRequest(
  { input: inputs, dimensions }: FieldsOf<typeof EMBEDDING_FIELDS>,
  model: ModelEntry,
): CompletionRequest {
  inputs.forEach((input, index) => refuseInvalidPrompt(input, inputPath(index, inputs), model));
  const { dimensions: all = 0, shortens = false, ranks } = model.embedding ?? {};
  if (ranks) {
    const message = `The model \`${model.id}\` ranks documents and computes no embeddings. Use it with \`/rerank\`.`;
    throw new ApiError('unsupported_value', message, { param: 'model' });
  }
  if (dimensions !== null && dimensions !== all && !(shortens && dimensions < all)) {
    const expected = `${shortens ? 'at most ' : ''}${all}, or left out, for the vectors of \`${model.id}\``;
    throw invalid('invalid_value', 'dimensions', expected, dimensions);
  }
  return { ...REQUEST_DEFAULTS, model: model.id, messages: [], embed: { inputs, dimensions } };
}
