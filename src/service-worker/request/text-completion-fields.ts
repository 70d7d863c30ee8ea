import { ApiError } from '../../shared/api-error.ts';
import { CHAT_COMPLETION_FIELDS } from './chat-completion-fields.ts';
import { boolean, described, integer, invalid, optional, text, unsupported, type Check } from './checks.ts';
import { CONSTRAINT_FIELDS } from './constraint-fields.ts';
import { CLOUD_FIELDS, OTHER_SAMPLING_FIELDS } from './other-fields.ts';
import type { FieldsOf } from './read-fields.ts';
import { readPrompts } from './read-prompts.ts';
import { SAMPLING_FIELDS } from './sampling-fields.ts';

/** Reads `best_of`. If it is above `n`, the choices are ranked when all are complete, so they cannot be streamed. */
const bestOf: Check<number> = (value, param, body) => {
  const best = integer({ min: 1, max: 20 })(value, param, body);
  const wanted = typeof body.n === 'number' ? body.n : 1;
  if (best < wanted) throw invalid('invalid_value', param, `at least \`n\`, which is ${wanted}`, value);
  if (best === wanted || body.stream !== true) return best;
  throw new ApiError('invalid_value', `\`${param}\` above \`n\` is not allowed together with \`stream: true\`.`, {
    param,
  });
};

/** Reads `echo`. With `logprobs` the echoed prompt would need log probabilities, which the engine does not compute. */
const echo: Check<boolean> = (value, param, body) => {
  const repeated = boolean(value, param, body);
  if (!repeated || body.logprobs === undefined || body.logprobs === null) return repeated;
  const sentence = `\`${param}\` cannot be true together with \`logprobs\`: the probabilities of the prompt are not computed.`;
  throw new ApiError('invalid_value', sentence, { param });
};

const { model, stream, stream_options, n, response_format } = CHAT_COMPLETION_FIELDS;

const PRESENT = { isRequired: true } as const;

/** The fields of `POST /completions`, in the order of their checks. Other fields are ignored. */
export const TEXT_COMPLETION_FIELDS = {
  model,
  // `required()` would reject null, which here means the empty prompt.
  prompt: Object.assign(described({ type: ['string', 'array', 'null'], minItems: 1 }, readPrompts), PRESENT),
  suffix: optional('', text),
  stream,
  stream_options,
  // −1 means no limit, as it does with llama-server.
  max_tokens: optional(null, integer({ min: -1 })),
  n_predict: optional(null, integer({ min: -1 })),
  ...SAMPLING_FIELDS,
  n,
  best_of: optional(null, described({ type: 'integer', minimum: 1, maximum: 20 }, bestOf)),
  logprobs: optional(null, integer({ min: 0, max: 20 })),
  echo: optional(false, described({ type: 'boolean' }, echo)),
  response_format,
  ...CONSTRAINT_FIELDS,
  constraint_prefix: optional('', text),
  user: CLOUD_FIELDS.user,
  prompt_embeds: unsupported(),
  add_special_tokens: unsupported(true),
  ...OTHER_SAMPLING_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

export type TextCompletionFields = FieldsOf<typeof TEXT_COMPLETION_FIELDS>;
