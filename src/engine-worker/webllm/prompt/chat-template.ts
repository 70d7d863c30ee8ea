import type { ChatOptions } from '@mlc-ai/web-llm';
import * as v from 'valibot';
import type { ControlTokens } from './control-tokens.ts';

/** The fields of `mlc-chat-config.json` (`conv_template`) that say how a conversation is rendered as a prompt. */
const ChatTemplateSchema = v.object({
  system_template: v.string(),
  system_message: v.nullish(v.string(), ''),
  roles: v.object({ user: v.string(), assistant: v.string(), tool: v.nullish(v.string(), null) }),
  role_templates: v.nullish(v.record(v.string(), v.string()), {}),
  seps: v.pipe(v.array(v.string()), v.minLength(1)),
  role_content_sep: v.nullish(v.string(), ': '),
  role_empty_sep: v.nullish(v.string(), ': '),
  stop_str: v.nullish(v.array(v.string()), []),
  stop_token_ids: v.array(v.number()),
  system_prefix_token_ids: v.nullish(v.array(v.number()), []),
  add_role_after_system_message: v.nullish(v.boolean(), true),
  render_empty_system_message: v.nullish(v.boolean(), true),
});

export type ChatTemplate = v.InferOutput<typeof ChatTemplateSchema>;

/** The chat template of a model that generates no text, such as an embedding model. */
export const NO_TEMPLATE: ChatTemplate = v.parse(ChatTemplateSchema, {
  system_template: '',
  roles: { user: '', assistant: '' },
  seps: [''],
  stop_token_ids: [],
});

const VocabularySchema = v.object({ vocab_size: v.pipe(v.number(), v.integer(), v.minValue(1)) });

const ChatConfigSchema = v.object({ conv_template: ChatTemplateSchema, ...VocabularySchema.entries });

/**
 * Reads chat template and vocabulary size from `mlc-chat-config.json`. Defaults are those of WebLLM 0.2.86.
 * @throws v.ValiError if the configuration lacks a field that WebLLM needs.
 */
export function readChatConfig(config: unknown): { template: ChatTemplate; vocabularySize: number } {
  const { conv_template, vocab_size } = v.parse(ChatConfigSchema, config);
  return { template: conv_template, vocabularySize: vocab_size };
}

/**
 * Reads the vocabulary size from the configuration of a model without a chat template.
 * @throws v.ValiError if the configuration has no vocabulary size.
 */
export function readVocabularySize(config: unknown): number {
  return v.parse(VocabularySchema, config).vocab_size;
}

/**
 * Returns a template that adds no text. With it, this folder renders the prompt and WebLLM only tokenizes and prefills
 * it. WebLLM's own rendering uses `String.replace`, which interprets `$&` in messages; it allows one system message and
 * chooses separators by position.
 *
 * `stop_token_ids` and `system_prefix_token_ids` stay those of the model. `stop_str` is empty, because `StopFilter`
 * handles stop sequences.
 */
export function verbatimTemplate(): NonNullable<ChatOptions['conv_config']> {
  return {
    system_template: '{system_message}',
    system_message: '',
    render_empty_system_message: false,
    roles: { user: '', assistant: '', tool: '' },
    role_templates: {},
    role_content_sep: '',
    role_empty_sep: '',
    seps: [''],
    stop_str: [],
  };
}

/** The tokens that begin every prompt of a model, such as a begin-of-text token. */
export interface SystemPrefix {
  /** The tokens as texts to put into the prompt. Empty if WebLLM adds the tokens. */
  readonly texts: readonly string[];
  /** Number of tokens that WebLLM adds. WebLLM counts them neither as usage nor towards the context window. */
  readonly engineTokens: number;
}

/**
 * Returns the prefix as texts to put into the prompt. If WebLLM added it, it would not count the tokens, and a prompt
 * that just fits into the context window would overflow the KV cache. If a token of the prefix has no text, WebLLM must
 * add the prefix; then only the number of its tokens is returned.
 */
export function systemPrefix({ system_prefix_token_ids: ids }: ChatTemplate, { textOf }: ControlTokens): SystemPrefix {
  const texts = ids.map((id) => textOf.get(id)).filter((text) => text !== undefined);
  return texts.length === ids.length ? { texts, engineTokens: 0 } : { texts: [], engineTokens: ids.length };
}
