import { ApiError } from '../../shared/api-error.ts';
import type { JsonSchema, ResponseFormat } from '../../shared/engine/completion-request.ts';
import { REASONING_FORMATS, type ReasoningPlaces } from '../encoders/with-reasoning.ts';
import {
  array,
  boolean,
  described,
  identifier,
  integer,
  isAbsent,
  membersOf,
  metadata,
  misnamed,
  object,
  oneOf,
  optional,
  required,
  text,
  invalid,
  unsupported,
  withoutEffect,
  type Check,
} from './checks.ts';
import { CONSTRAINT_FIELDS, grammarFormat } from './constraint-fields.ts';
import { CLOUD_FIELDS, OTHER_CHAT_FIELDS, OTHER_SAMPLING_FIELDS } from './other-fields.ts';
import type { FieldsOf } from './read-fields.ts';
import { readMessages, ROLES } from './read-messages.ts';
import { readSchema } from './read-schema.ts';
import { SAMPLING_FIELDS } from './sampling-fields.ts';
import { readToolChoice, readTools, TOOLS_SCHEMA } from './read-tools.ts';

/** JSON Schema of the values that {@link readMessages} accepts. */
export const MESSAGES_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['role'], properties: { role: { enum: ROLES } } },
} as const;

const modelId: Check<string> = (value, param, body) => {
  const id = text(value, param, body);
  if (id === '') throw new ApiError('missing_required_parameter', '`model` is empty; it must name a model.', { param });
  return id;
};

const streamOptions: Check<{ includeUsage: boolean }> = (value, param, body) => {
  if (body.stream !== true) {
    throw new ApiError('invalid_value', `\`${param}\` is only allowed together with \`stream: true\`.`, { param });
  }
  return { includeUsage: membersOf(value, param, body)('include_usage', optional(false, boolean)) };
};

/** Reads a limit of tokens. The examples of LM Studio send −1 for no limit. */
const tokenLimit: Check<number | null> = described(
  { anyOf: [{ type: 'integer', minimum: 1 }, { const: -1 }] },
  (value, param, body) => (value === -1 ? null : integer({ min: 1 })(value, param, body)),
);

/**
 * Reads `add_generation_prompt` of vLLM. Without a generation prompt only `continue_final_message` can be followed, which
 * excludes it.
 */
const addGenerationPrompt = described<boolean>({ type: 'boolean' }, (value, param, body) => {
  const isAdded = boolean(value, param, body);
  if (isAdded !== (body.continue_final_message === true)) return isAdded;
  const sentence = isAdded
    ? `\`${param}\` and \`continue_final_message\` cannot both be true.`
    : `\`${param}\` can be false only together with \`continue_final_message: true\`.`;
  throw new ApiError('invalid_value', sentence, { param });
});

/**
 * Reads `chat_template_kwargs` of vLLM and llama-server: whether the model may think, under the two names that chat templates
 * have for it.
 */
const templateSettings: Check<boolean | null> = (value, param, body) => {
  const settings = Object.entries(object(value, param, body)).filter(([, setting]) => !isAbsent(setting));
  const thinks = settings.map(([name, setting]) => {
    const path = `${param}.${name}`;
    if (name === 'enable_thinking' || name === 'thinking') return boolean(setting, path, body);
    throw invalid('unsupported_value', path, 'left out; only `enable_thinking` and `thinking` are followed', setting);
  });
  return thinks[0] ?? null;
};

const topLogprobs: Check<number> = (value, param, body) => {
  if (body.logprobs !== true) {
    throw new ApiError('invalid_value', `\`${param}\` is only allowed together with \`logprobs: true\`.`, { param });
  }
  return integer({ min: 0, max: 20 })(value, param, body);
};

const responseFormat: Check<ResponseFormat> = (value, param, body) => {
  const format = object(value, param, body);
  const member = membersOf(format, param, body);
  const type = member('type', required(oneOf(['text', 'json_object', 'json_schema', 'grammar'])));
  if (type === 'text') return { type };
  // The type `grammar` is an extension of WebLLM; OpenAI's API does not have it.
  if (type === 'grammar') return member('grammar', required(grammarFormat));
  // WebLLM, LM Studio and llama-server expect the schema beside `type`.
  if (!isAbsent(format.schema) && isAbsent(format.json_schema)) {
    return { type: 'json_schema', schema: member('schema', readSchema), param: `${param}.schema` };
  }
  if (type === 'json_object') return { type };

  const ofSchema = membersOf(member('json_schema', required(object)), `${param}.json_schema`, body);
  ofSchema('name', required(identifier));
  ofSchema('description', optional('', text));
  ofSchema('strict', optional(false, boolean));
  const schema = ofSchema('schema', optional<JsonSchema, null>(null, readSchema));
  return { type, schema };
};

const modalities: Check<null> = (value, param, body) => {
  const wanted = array(value, param, body);
  if (wanted.length === 0)
    throw invalid('empty_array', param, 'an array that names at least one form of output', value);
  if (wanted.includes('audio')) throw invalid('unsupported_value', param, '["text"] with the models here', 'audio');
  wanted.forEach((one, index) => oneOf(['text'])(one, `${param}[${index}]`, body));
  return null;
};

/** Reads `metadata`. Unless the completion is stored, the field is ignored, even if it is invalid. */
const storedMetadata: typeof metadata = (value, param, body) =>
  body.store === true ? metadata(value, param, body) : {};

export const reasoningEffort = oneOf(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Reads `think` of Ollama: whether, or how much, the model thinks. */
const think: Check<boolean | string> = described({ type: ['boolean', 'string'] }, (value, param, body) =>
  (typeof value === 'string' ? reasoningEffort : boolean)(value, param, body),
);

/** Reads `thinking` of DeepSeek, Moonshot and Z.ai. */
const thinking: Check<string> = (value, param, body) =>
  membersOf(value, param, body)('type', required(oneOf(['enabled', 'disabled', 'adaptive', 'auto'])));

/** Reads `reasoning` of Ollama and OpenRouter. */
const reasoning: Check<string | null> = (value, param, body) =>
  membersOf(value, param, body)('effort', optional(null, reasoningEffort));

const reasoningFormatName = oneOf(Object.keys(REASONING_FORMATS) as (keyof typeof REASONING_FORMATS)[]);

/** Reads `reasoning_format` of llama-server. */
const reasoningFormat = described<ReasoningPlaces>(
  reasoningFormatName.schema!,
  (value, param, body) => REASONING_FORMATS[reasoningFormatName(value, param, body)],
);

/** The fields of `POST /chat/completions`, in the order of their checks. Other fields are ignored. */
export const CHAT_COMPLETION_FIELDS = {
  model: required(described({ type: 'string', minLength: 1 }, modelId)),
  messages: required(described(MESSAGES_SCHEMA, readMessages)),
  add_generation_prompt: optional(true, addGenerationPrompt),
  continue_final_message: optional(false, boolean),
  stream: optional(false, boolean),
  stream_options: optional(null, described({ type: 'object' }, streamOptions)),
  // Without either limit a choice may fill the context window; see `request-defaults.ts`.
  max_completion_tokens: optional(null, tokenLimit),
  max_tokens: optional(null, tokenLimit),
  n_predict: optional(null, tokenLimit),
  ...SAMPLING_FIELDS,
  n: optional(1, integer({ min: 1, max: 128 })),
  logprobs: optional(false, boolean),
  top_logprobs: optional(0, described({ type: 'integer', minimum: 0, maximum: 20 }, topLogprobs)),
  response_format: optional(
    { type: 'text' } as const,
    described({ type: 'object', required: ['type'] }, responseFormat),
  ),
  tools: optional([], described(TOOLS_SCHEMA, readTools)),
  tool_choice: optional(
    { choice: 'auto', allowed: null } as const,
    described({ type: ['string', 'object'] }, readToolChoice),
  ),
  parallel_tool_calls: optional(true, boolean),
  reasoning_effort: optional(null, reasoningEffort),
  enable_thinking: optional(null, boolean),
  think: optional(null, think),
  thinking: optional(null, described({ type: 'object', required: ['type'] }, thinking)),
  reasoning: optional(null, described({ type: 'object' }, reasoning)),
  reasoning_format: optional(REASONING_FORMATS.auto, reasoningFormat),
  include_reasoning: optional(true, boolean),
  loop_detection: optional(true, boolean),
  modalities: optional(null, described({ type: 'array', items: { type: 'string' }, minItems: 1 }, modalities)),
  store: optional(false, boolean),
  metadata: optional({}, storedMetadata),
  audio: unsupported(),
  functions: unsupported([]),
  function_call: unsupported('none', 'auto'),
  web_search_options: unsupported(),
  moderation: unsupported(),
  ...CONSTRAINT_FIELDS,
  chat_template_kwargs: optional(null, described({ type: 'object' }, templateSettings)),
  verbosity: withoutEffect(
    'the models here have no such setting; say in the instructions how long an answer shall be',
    oneOf(['low', 'medium', 'high']),
  ),
  prediction: withoutEffect('it makes answers faster and changes none', object),
  ...CLOUD_FIELDS,
  echo: unsupported(false),
  add_special_tokens: unsupported(false),
  max_output_tokens: misnamed('`max_completion_tokens`'),
  max_new_tokens: misnamed('`max_completion_tokens`'),
  num_predict: misnamed('`max_completion_tokens`'),
  stop_sequences: misnamed('`stop`'),
  system: misnamed('a message of the role `system`'),
  instructions: misnamed('a message of the role `system`'),
  options: misnamed('its members as fields, such as `temperature`'),
  ...OTHER_CHAT_FIELDS,
  ...OTHER_SAMPLING_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

export type ChatCompletionFields = FieldsOf<typeof CHAT_COMPLETION_FIELDS>;
