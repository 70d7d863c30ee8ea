import type { ChatTemplate } from './chat-template.ts';
import type { ControlTokens } from './control-tokens.ts';

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
