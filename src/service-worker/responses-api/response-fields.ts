import { ApiError } from '../../shared/api-error.ts';
import type { JsonSchema, ResponseFormat } from '../../shared/engine/completion-request.ts';
import { CHAT_COMPLETION_FIELDS, reasoningEffort } from '../request/chat-completion-fields.ts';
import {
  array,
  boolean,
  described,
  identifier,
  integer,
  membersOf,
  metadata,
  misnamed,
  object,
  oneOf,
  optional,
  required,
  shortText,
  text,
  unsupported,
  withoutEffect,
  type Check,
} from '../request/checks.ts';
import { CLOUD_FIELDS, OTHER_SAMPLING_FIELDS } from '../request/other-fields.ts';
import type { FieldsOf } from '../request/read-fields.ts';
import { REFUSED_CONSTRAINTS } from '../request/constraint-fields.ts';
import { SAMPLING_FIELDS } from '../request/sampling-fields.ts';
import { readSchema } from '../request/read-schema.ts';
import { readInput } from './read-input.ts';
import { readResponseToolChoice, readResponseTools } from './read-response-tools.ts';

interface Included {
  readonly logprobs: boolean;
  readonly searchResults: boolean;
}

/** Reads `include`. Values that concern other tools of the cloud service are ignored. */
const include: Check<Included> = (value, param, body) => {
  const wanted = array(value, param, body).map((one, index) => text(one, `${param}[${index}]`, body));
  return {
    logprobs: wanted.includes('message.output_text.logprobs'),
    searchResults: wanted.includes('file_search_call.results'),
  };
};

interface ReadFormat {
  /** The format in the form that the engine gets. */
  readonly requested: ResponseFormat;
  /** The format in the form in which the response object repeats it. */
  readonly reported: object;
}

const PLAIN_TEXT: ReadFormat = { requested: { type: 'text' }, reported: { type: 'text' } };

/** Reads `text.format`. Unlike in chat completions, the fields of `json_schema` stand beside `type`. */
const textFormat: Check<ReadFormat> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const type = member('type', required(oneOf(['text', 'json_object', 'json_schema'])));
  if (type !== 'json_schema') return { requested: { type }, reported: { type } };
  const name = member('name', required(identifier));
  const description = member('description', optional(null, text));
  const strict = member('strict', optional(false, boolean));
  const schema = member('schema', required<JsonSchema>(readSchema));
  const reported = { type, name, ...(description === null ? {} : { description }), schema, strict };
  return { requested: { type, schema, param: `${param}.schema` }, reported };
};

const textOptions: Check<{ format: ReadFormat; verbosity: string }> = (value, param, body) => {
  const member = membersOf(value, param, body);
  return {
    format: member('format', optional(PLAIN_TEXT, textFormat)),
    verbosity: member('verbosity', optional('medium', oneOf(['low', 'medium', 'high']))),
  };
};

const reasoning: Check<{ effort: ReturnType<typeof reasoningEffort> | null; summary: string | null }> = (
  value,
  param,
  body,
) => {
  const member = membersOf(value, param, body);
  return {
    effort: member('effort', optional(null, reasoningEffort)),
    summary: member('summary', optional(null, oneOf(['auto', 'concise', 'detailed']))),
  };
};

/** Reads `background`. A background response is retrieved later, so it must be stored. */
const background: Check<boolean> = (value, param, body) => {
  const wanted = boolean(value, param, body);
  if (!wanted || body.store !== false) return wanted;
  throw new ApiError(
    'invalid_value',
    '`background` is true, but `store` is false: the response could not be retrieved.',
    {
      param,
    },
  );
};

const CONVERSATION_FIELDS = {
  input: optional([], described({ type: ['string', 'array'], items: { type: 'object' } }, readInput)),
  instructions: optional(null, text),
  previous_response_id: optional(null, text),
  conversation: unsupported(),
} as const;

/** The fields besides `CONVERSATION_FIELDS` that a prompt depends on. */
export const PROMPT_FIELDS = {
  text: optional({ format: PLAIN_TEXT, verbosity: 'medium' }, textOptions),
  tools: optional({ tools: [], fileSearch: null }, readResponseTools),
  tool_choice: optional({ choice: 'auto', allowed: null, searches: true } as const, readResponseToolChoice),
  parallel_tool_calls: optional(true, boolean),
  reasoning: optional({ effort: null, summary: null }, reasoning),
  truncation: optional('disabled', oneOf(['auto', 'disabled'])),
} as const;

/** The fields of `POST /responses`, in the order of their checks. Other fields are ignored. */
export const RESPONSE_FIELDS = {
  model: CHAT_COMPLETION_FIELDS.model,
  ...CONVERSATION_FIELDS,
  prompt: unsupported(),
  stream: optional(false, boolean),
  stream_options: optional(null, object),
  store: optional(true, boolean),
  background: optional(false, background),
  max_output_tokens: optional(null, integer({ min: 1 })),
  max_tool_calls: optional(null, integer({ min: 1 })),
  ...SAMPLING_FIELDS,
  include: optional({ logprobs: false, searchResults: false }, include),
  top_logprobs: optional(0, integer({ min: 0, max: 20 })),
  ...PROMPT_FIELDS,
  metadata: optional({}, metadata),
  ...CLOUD_FIELDS,
  safety_identifier: withoutEffect('all requests come from this device', shortText(64)),
  context_management: unsupported([]),
  background_options: withoutEffect('a response has no time limit while it progresses', object),
  access_programs: withoutEffect('they belong to the cloud service'),
  image: unsupported({}),
  moderation: unsupported(),
  loop_detection: optional(true, boolean),
  max_tokens: misnamed('`max_output_tokens`'),
  max_completion_tokens: misnamed('`max_output_tokens`'),
  reasoning_effort: misnamed('`reasoning.effort`'),
  logprobs: misnamed('`include` with "message.output_text.logprobs"'),
  n: unsupported(1),
  ...REFUSED_CONSTRAINTS,
  ...OTHER_SAMPLING_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

/** The fields of `POST /responses/input_tokens`. Default of `model`: the first model of the list. */
export const INPUT_TOKENS_FIELDS = {
  model: optional(null, text),
  ...CONVERSATION_FIELDS,
  ...PROMPT_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

/** The fields of `POST /responses/compact`. Instructions are checked but not included in the compaction. */
export const COMPACT_FIELDS = {
  model: CHAT_COMPLETION_FIELDS.model,
  ...CONVERSATION_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

export type ResponseFields = FieldsOf<typeof RESPONSE_FIELDS>;
