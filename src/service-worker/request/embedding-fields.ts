import { inputPath, type CompletionRequest } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { CHAT_COMPLETION_FIELDS } from './chat-completion-fields.ts';
import {
  arrayUpTo,
  described,
  integer,
  invalid,
  isAbsent,
  missing,
  oneOf,
  optional,
  unsupported,
  withoutEffect,
  type Check,
} from './checks.ts';
import { CLOUD_FIELDS } from './other-fields.ts';
import type { FieldsOf } from './read-fields.ts';
import { refuseInvalidPrompt } from './to-text-completion-request.ts';

/** Limit of the inputs of one request, as in the OpenAI API. */
export const MAX_INPUTS = 2048;

/**
 * Reads `input`: a text or an array of texts, none of which is empty. Token ids are refused: clients that send them have them
 * from OpenAI's tokenizers, and the ids of a short text are valid here, but mean another text.
 */
const readInputs: Check<readonly string[]> = (value, param, body) => {
  if (isAbsent(value)) throw missing(param);
  const inputs: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (inputs.length === 0) throw invalid('empty_array', param, 'a text, or an array of at least one text', value);
  if (Array.isArray(value) && inputs.some(isTokens)) throw tokensRefused(param);
  return arrayUpTo(MAX_INPUTS, 'inputs')(inputs, param, body).map((input, index) => {
    const path = inputPath(index, inputs);
    if (typeof input !== 'string') throw invalid('invalid_type', path, 'a text, or an array of texts', input);
    if (input === '') throw invalid('invalid_value', path, 'a text that is not empty', '');
    return input;
  });
};

function tokensRefused(param: string): ApiError {
  const sentence =
    "`input` contains token ids, which are those of another model's tokenizer. Send texts; with `OpenAIEmbeddings` of LangChain by `check_embedding_ctx_length=False`.";
  return new ApiError('unsupported_value', sentence, { param });
}

/** Whether an input is a token id, or an array of them. */
function isTokens(input: unknown): boolean {
  return typeof input === 'number' || Array.isArray(input);
}

/** JSON Schema of the values that {@link readInputs} accepts. */
const INPUT_SCHEMA = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  maxItems: MAX_INPUTS,
  items: { type: 'string', minLength: 1 },
} as const;

/** The fields of `POST /embeddings`, in the order of their checks. Other fields are ignored. */
export const EMBEDDING_FIELDS = {
  model: CHAT_COMPLETION_FIELDS.model,
  input: Object.assign(described(INPUT_SCHEMA, readInputs), {
    isRequired: true,
  } as const),
  encoding_format: optional('float', oneOf(['float', 'base64'])),
  dimensions: optional(null, integer({ min: 1 })),
  user: CLOUD_FIELDS.user,
  add_special_tokens: unsupported(true),
  truncate_prompt_tokens: unsupported(),
  truncation_side: withoutEffect('no input is cut'),
  use_activation: unsupported(true),
  embed_dtype: unsupported('float32'),
  endianness: unsupported('native', 'little'),
  embd_normalize: unsupported(2),
  priority: unsupported(0),
  request_id: withoutEffect('the service makes the ids of its answers'),
  cache_salt: withoutEffect('no cache has results of embeddings'),
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
