import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';

const strict = (properties: object, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const listOf = (items: object): object => ({ type: 'array', items });
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const logprob = { type: 'number', maximum: 0 };

const topLogprob = { token: text, logprob, bytes: listOf({ type: 'integer', minimum: 0, maximum: 255 }) };
const logprobs = orNull(
  strict({
    content: listOf(strict({ ...topLogprob, top_logprobs: listOf(strict(topLogprob)) })),
    refusal: { type: 'null' },
  }),
);
const finishReason = { enum: ['stop', 'length', 'tool_calls'] };
const callId = { type: 'string', pattern: '^call_[A-Za-z0-9]{24,}$' };
const called = (optional: readonly string[] = []): object => strict({ name: text, arguments: text }, optional);

const usage = strict({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: strict({ cached_tokens: count, audio_tokens: { const: 0 } }),
  completion_tokens_details: strict({
    reasoning_tokens: count,
    audio_tokens: { const: 0 },
    accepted_prediction_tokens: { const: 0 },
    rejected_prediction_tokens: { const: 0 },
  }),
});

const header = {
  id: { type: 'string', pattern: '^chatcmpl-[A-Za-z0-9]{24,}$' },
  created: { type: 'integer', minimum: 1_700_000_000, maximum: 9_999_999_999 },
  model: text,
  system_fingerprint: { type: 'string', pattern: '^fp_[0-9a-f]+$' },
};

const message = {
  anyOf: [
    strict(
      {
        role: { const: 'assistant' },
        content: text,
        refusal: { type: 'null' },
        annotations: { const: [] },
        reasoning_content: { type: 'string', minLength: 1 },
      },
      ['reasoning_content'],
    ),
    strict(
      {
        role: { const: 'assistant' },
        content: orNull({ type: 'string', minLength: 1 }),
        refusal: { type: 'null' },
        annotations: { const: [] },
        reasoning_content: { type: 'string', minLength: 1 },
        tool_calls: {
          ...listOf({
            anyOf: [
              strict({ id: callId, type: { const: 'function' }, function: called() }),
              strict({ id: callId, type: { const: 'custom' }, custom: strict({ name: text, input: text }) }),
            ],
          }),
          minItems: 1,
        },
      },
      ['reasoning_content'],
    ),
  ],
};

const delta = {
  anyOf: [
    strict({ role: { const: 'assistant' }, content: { enum: ['', null] }, refusal: { type: 'null' } }),
    {
      ...strict({ content: { type: 'string', minLength: 1 }, reasoning_content: { type: 'string', minLength: 1 } }, [
        'content',
        'reasoning_content',
      ]),
      minProperties: 1,
    },
    strict({
      tool_calls: {
        ...listOf({
          anyOf: [
            strict({
              index: count,
              id: callId,
              type: { const: 'function' },
              function: strict({ name: text, arguments: { const: '' } }),
            }),
            strict({ index: count, function: strict({ arguments: { type: 'string', minLength: 1 } }) }),
            strict({
              index: count,
              id: callId,
              type: { const: 'custom' },
              custom: strict({ name: text, input: { const: '' } }),
            }),
            strict({ index: count, custom: strict({ input: { type: 'string', minLength: 1 } }) }),
          ],
        }),
        minItems: 1,
        maxItems: 1,
      },
    }),
  ],
};

/** Why a choice has ended; the second only if it repeated itself. */
const reasons = { finish_reason: finishReason, stop_reason: { const: 'repetition' } };

const chunkChoice = {
  anyOf: [
    strict({ index: count, delta, logprobs, finish_reason: { type: 'null' } }),
    strict({ index: count, delta: strict({}), logprobs: { type: 'null' }, ...reasons }, ['stop_reason']),
  ],
};

const textHeader = {
  ...header,
  id: { type: 'string', pattern: '^cmpl-[A-Za-z0-9]{24,}$' },
  object: { const: 'text_completion' },
};
const textChoice = {
  text,
  index: count,
  logprobs: orNull(
    strict({
      tokens: listOf(text),
      token_logprobs: listOf(logprob),
      top_logprobs: listOf({ type: 'object', additionalProperties: logprob, minProperties: 1, maxProperties: 6 }),
      text_offset: listOf(count),
    }),
  ),
};
const textFinishReason = { enum: ['stop', 'length'] };

const capabilities = (writes: boolean) =>
  strict({
    chat: { const: writes },
    completions: { const: writes },
    responses: { const: writes },
    embeddings: { const: !writes },
    rerank: { const: !writes },
    images: { type: 'boolean' },
    tools: { const: writes },
    thinking: { type: 'boolean' },
  });

const model = strict({
  id: { type: 'string', minLength: 1 },
  object: { const: 'model' },
  created: count,
  owned_by: { type: 'string', minLength: 1 },
  context_window: { type: 'integer', minimum: 1 },
  context_length: { type: 'integer', minimum: 1 },
  max_model_len: { type: 'integer', minimum: 1 },
  meta: strict({ n_ctx_train: { type: 'integer', minimum: 1 } }),
  default_temperature: { type: 'number', minimum: 0, maximum: 2 },
  default_top_p: { type: 'number', minimum: 0, maximum: 1 },
  tabserve: strict({
    state: { enum: ['built-in', 'downloaded'] },
    context_window: { type: 'integer', minimum: 1 },
    capabilities: { anyOf: [capabilities(true), capabilities(false)] },
  }),
});

/** The API's response objects, closed: an additional field makes a test fail. */
const REPLY_SCHEMAS = {
  completion: strict({
    ...header,
    object: { const: 'chat.completion' },
    choices: { ...listOf(strict({ index: count, message, logprobs, ...reasons }, ['stop_reason'])), minItems: 1 },
    usage,
  }),
  chunk: strict({
    ...header,
    object: { const: 'chat.completion.chunk' },
    choices: { ...listOf(chunkChoice), minItems: 1 },
  }),
  /** With `include_usage`, every chunk but the last. */
  chunkWithUsage: strict({
    ...header,
    object: { const: 'chat.completion.chunk' },
    choices: { ...listOf(chunkChoice), minItems: 1 },
    usage: { type: 'null' },
  }),
  usageChunk: strict({ ...header, object: { const: 'chat.completion.chunk' }, choices: { const: [] }, usage }),
  textCompletion: strict({
    ...textHeader,
    choices: { ...listOf(strict({ ...textChoice, finish_reason: textFinishReason })), minItems: 1 },
    usage,
  }),
  textChunk: strict({
    ...textHeader,
    choices: listOf(strict({ ...textChoice, finish_reason: orNull(textFinishReason) })),
  }),
  model,
  modelList: strict({ object: { const: 'list' }, data: listOf(model) }),
  error: strict({
    error: strict({
      message: { type: 'string', minLength: 10 },
      type: { enum: ['invalid_request_error', 'requests', 'server_error'] },
      param: orNull(text),
      code: { type: 'string', pattern: '^[a-z_]+$' },
    }),
  }),
} as const;

const ajv = new Ajv({ strict: false });
const validators = new Map<string, ValidateFunction>();

/** The differences of `reply` from the API's form. */
export function formErrors(form: keyof typeof REPLY_SCHEMAS, reply: unknown): string[] {
  const validate = validators.get(form) ?? ajv.compile(REPLY_SCHEMAS[form]);
  validators.set(form, validate);
  validate(reply);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function expectForm(form: keyof typeof REPLY_SCHEMAS, reply: unknown): void {
  expect({ reply, errors: formErrors(form, reply) }).toEqual({ reply, errors: [] });
}
