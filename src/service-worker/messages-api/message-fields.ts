import { ApiError } from '../../shared/api-error.ts';
import type { JsonSchema, ResponseFormat } from '../../shared/engine/completion-request.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import {
  boolean,
  decimal,
  described,
  integer,
  membersOf,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../request/checks.ts';
import { isAbsent, misnamed, unsupported, withoutEffect } from '../request/checks.ts';
import type { Check } from '../request/checks.ts';
import { REFUSED_CONSTRAINTS } from '../request/constraint-fields.ts';
import { OTHER_SAMPLING_FIELDS } from '../request/other-fields.ts';
import type { FieldsOf } from '../request/read-fields.ts';
import { SAMPLING_FIELDS, stopSequences } from '../request/sampling-fields.ts';
import { readSchema } from '../request/read-schema.ts';
import { readConversation, readTexts } from './read-conversation.ts';
import { MESSAGE_TOOLS_SCHEMA, readMessageToolChoice, readMessageTools } from './read-message-tools.ts';

const TEXT_OR_BLOCKS = { type: ['string', 'array'] } as const;

/** Reads whether the model may think. The budget is checked but has no effect: the model thinks as long as it wants. */
const thinking: Check<string> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const mode = member('type', required(oneOf(['enabled', 'adaptive', 'disabled'])));
  if (mode === 'enabled') member('budget_tokens', required(integer({ min: 1024 })));
  return mode;
};

const outputFormat: Check<ResponseFormat> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const type = member('type', required(oneOf(['json_schema'])));
  return { type, schema: member('schema', required<JsonSchema>(readSchema)), param: `${param}.schema` };
};

const outputConfig: Check<ResponseFormat | null> = (value, param, body) => {
  const member = membersOf(value, param, body);
  member('effort', optional(null, text));
  return member('format', optional(null, outputFormat));
};

/** Reads the older name of `output_config.format`. */
const oldOutputFormat: Check<ResponseFormat> = (value, param, body) => {
  const { format } = optional({ format: null }, object)(body.output_config, 'output_config', body);
  if (isAbsent(format)) return outputFormat(value, param, body);
  const sentence = `\`${param}\` and \`output_config.format\` are two names of one field; leave one out.`;
  throw new ApiError('invalid_value', sentence, { param });
};

const CLOUD = 'it belongs to the cloud service';

/** The fields that both routes of the Messages API have, in the order of their checks. Other fields are ignored. */
const PROMPT_FIELDS = {
  // First, because a request that continues a thread lacks the messages before it.
  thread: unsupported(),
  model: CHAT_COMPLETION_FIELDS.model,
  messages: required(
    described(
      {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['role', 'content'], properties: { content: TEXT_OR_BLOCKS } },
      },
      readConversation,
    ),
  ),
  system: optional(null, described(TEXT_OR_BLOCKS, readTexts)),
  tools: optional([], described(MESSAGE_TOOLS_SCHEMA, readMessageTools)),
  tool_choice: optional(
    { choice: 'auto', parallel: true } as const,
    described({ type: 'object', required: ['type'] }, readMessageToolChoice),
  ),
  // In the Messages API, a model thinks only if the request enables thinking.
  thinking: optional('disabled', described({ type: 'object', required: ['type'] }, thinking)),
  output_config: optional(null, described({ type: 'object' }, outputConfig)),
  output_format: optional(null, described({ type: 'object' }, oldOutputFormat)),
  mcp_servers: unsupported([]),
} as const satisfies Record<string, Check<unknown>>;

export const COUNT_TOKENS_FIELDS = PROMPT_FIELDS;

/** The fields of `POST /messages`. Source: the types of `@anthropic-ai/sdk` 1.14. */
export const MESSAGE_FIELDS = {
  ...PROMPT_FIELDS,
  max_tokens: required(integer({ min: 1 })),
  stream: optional(false, boolean),
  ...SAMPLING_FIELDS,
  temperature: optional(null, decimal({ min: 0, max: 1 })),
  stop: unsupported([]),
  stop_sequences: optional([], described({ type: 'array', items: { type: 'string' } }, stopSequences)),
  metadata: withoutEffect('all requests come from this device', object),
  loop_detection: optional(true, boolean),
  container: unsupported(),
  max_completion_tokens: misnamed('`max_tokens`'),
  n: unsupported(1),
  ...REFUSED_CONSTRAINTS,
  service_tier: withoutEffect('there is one device, and no other tier', oneOf(['auto', 'standard_only'])),
  speed: withoutEffect('each model has one speed here', oneOf(['standard', 'fast'])),
  cache_control: withoutEffect("the device's own prompt cache is always used", object),
  context_management: withoutEffect(
    'thinking of earlier turns is no part of a prompt, and nothing else is cleared',
    object,
  ),
  compaction: unsupported(),
  fallbacks: withoutEffect('no model here declines for reasons of policy'),
  fallback_credit_token: withoutEffect(CLOUD),
  billing_policy: withoutEffect(CLOUD),
  diagnostics: withoutEffect(CLOUD),
  inference_geo: withoutEffect('the answer is computed on this device'),
  user_profile_id: withoutEffect(CLOUD),
  workspace_id: withoutEffect(CLOUD),
  betas: withoutEffect(CLOUD),
  ...OTHER_SAMPLING_FIELDS,
} as const satisfies Record<string, Check<unknown>>;

export type PromptFields = FieldsOf<typeof PROMPT_FIELDS>;
