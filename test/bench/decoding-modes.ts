import { LONG_LIST } from '../../src/bench/probes.ts';

const PENALTIES = { frequency_penalty: 0.3, presence_penalty: 0.2 };
const LOGPROBS = { logprobs: true, top_logprobs: 5 };

/** Tokens in each answer. */
export const MODE_TOKENS = 96;

/** Request fields of each decoding mode. */
export const DECODING_MODES = {
  plain: {},
  logprobs: LOGPROBS,
  schema: { schema: LONG_LIST },
  penalties: PENALTIES,
} as const;

export type DecodingMode = keyof typeof DECODING_MODES;
