import type { ChatOptions } from '@mlc-ai/web-llm';
import * as v from 'valibot';
import type { ControlTokens } from './control-tokens.ts';

/** The parts of `mlc-chat-config.json` that say how a conversation becomes a prompt. */
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

/** Of a model that writes nothing. */
export const NO_TEMPLATE: ChatTemplate = v.parse(ChatTemplateSchema, {
  system_template: '',
  roles: { user: '', assistant: '' },
  seps: [''],
  stop_token_ids: [],
});

const VocabularySchema = v.object({ vocab_size: v.pipe(v.number(), v.integer(), v.minValue(1)) });

const ChatConfigSchema = v.object({ conv_template: ChatTemplateSchema, ...VocabularySchema.entries });

/**
 * Reads the chat template out of a package's configuration. Defaults are those of WebLLM 0.2.86.
 * @throws v.ValiError when the configuration lacks what WebLLM needs.
 */
export function readChatConfig(config: unknown): { template: ChatTemplate; vocabularySize: number } {
  const { conv_template, vocab_size } = v.parse(ChatConfigSchema, config);
  return { template: conv_template, vocabularySize: vocab_size };
}

/** The same of the configuration of a model without a template. @throws v.ValiError when it has no size. */
export function readVocabularySize(config: unknown): number {
  return v.parse(VocabularySchema, config).vocab_size;
}

/**
 * A template that adds nothing. WebLLM puts texts into a prompt with `String.replace`, so that `$&` and
 * the like are interpreted, knows one system message only, and numbers separators by position. With this
 * override the adapter renders the prompt itself and WebLLM only tokenizes and feeds it.
 *
 * `stop_token_ids` and `system_prefix_token_ids` stay the model's own. Its stop texts are left to the
 * adapter, which holds text back while one may still begin.
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
  /** The tokens as texts of the prompt; empty where they are left to WebLLM. */
  readonly texts: readonly string[];
  /** How many tokens WebLLM adds by itself. It counts them neither as usage nor against the window. */
  readonly engineTokens: number;
}

/**
 * Renders the prefix as text wherever its tokens have one, so that WebLLM counts them like the others and
 * a prompt that fills the window to the last token is refused instead of overflowing the cache.
 */
export function systemPrefix({ system_prefix_token_ids: ids }: ChatTemplate, { textOf }: ControlTokens): SystemPrefix {
  const texts = ids.map((id) => textOf.get(id)).filter((text) => text !== undefined);
  return texts.length === ids.length ? { texts, engineTokens: 0 } : { texts: [], engineTokens: ids.length };
}
