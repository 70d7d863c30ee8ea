/** A list too long to complete within the token limit. */
const SCHEMA = {
  type: 'object',
  properties: { words: { type: 'array', minItems: 60, items: { type: 'string', maxLength: 12 } } },
  required: ['words'],
  additionalProperties: false,
};

const PENALTIES = { frequency_penalty: 0.3, presence_penalty: 0.2 };
const LOGPROBS = { logprobs: true, top_logprobs: 5 };

/** Tokens in each answer. */
export const MODE_TOKENS = 96;

/** Request fields of each decoding mode, for either side. */
export const DECODING_MODES = {
  plain: { direct: {}, endpoint: {} },
  logprobs: { direct: LOGPROBS, endpoint: LOGPROBS },
  schema: {
    direct: { response_format: { type: 'json_object', schema: JSON.stringify(SCHEMA) } },
    endpoint: { response_format: { type: 'json_schema', json_schema: { name: 'words', schema: SCHEMA } } },
  },
  penalties: { direct: PENALTIES, endpoint: PENALTIES },
} as const;

export type DecodingMode = keyof typeof DECODING_MODES;
