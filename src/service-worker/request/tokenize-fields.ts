import { MESSAGES_SCHEMA } from './chat-completion-fields.ts';
import { arrayUpTo, boolean, described, optional, required, text, type Check } from './checks.ts';
import type { FieldsOf } from './read-fields.ts';
import { readMessages } from './read-messages.ts';
import { readTokens } from './read-prompts.ts';
import { readTools, TOOLS_SCHEMA } from './read-tools.ts';

/**
 * Limit of one request, in characters or tokens. Tokenizing this much blocks the engine's thread for about one second.
 */
export const MAX_TOKENIZED = 2 ** 20;

const tokens: Check<readonly number[]> = (value, param, body) =>
  readTokens(arrayUpTo(MAX_TOKENIZED, 'tokens')(value, param, body), param);

/**
 * The fields of `POST /tokenize`. Sources: README of llama.cpp's server; `vllm/entrypoints/serve/tokenize/protocol.py`.
 */
export const TOKENIZE_FIELDS = {
  model: optional(null, text),
  content: optional(null, text),
  prompt: optional(null, text),
  messages: optional(null, described(MESSAGES_SCHEMA, readMessages)),
  tools: optional([], described(TOOLS_SCHEMA, readTools)),
  add_special: optional(null, boolean),
  add_special_tokens: optional(null, boolean),
  parse_special: optional(true, boolean),
  with_pieces: optional(false, boolean),
  return_token_strs: optional(false, boolean),
  add_generation_prompt: optional(true, boolean),
  continue_final_message: optional(false, boolean),
} as const satisfies Record<string, Check<unknown>>;

export type TokenizeFields = FieldsOf<typeof TOKENIZE_FIELDS>;

export const DETOKENIZE_FIELDS = {
  model: optional(null, text),
  tokens: required(described({ type: 'array', items: { type: 'integer', minimum: 0 } }, tokens)),
} as const satisfies Record<string, Check<unknown>>;
