import { unwantedTokens } from '../../answer/unwanted-tokens.ts';
import type { ChatTemplate } from './chat-template.ts';
import type { ControlTokens } from './control-tokens.ts';

/** The number to add to each token's logit, by token id. */
export type TokenBias = Readonly<Record<string, number>>;

/**
 * The lowest bias that WebLLM accepts. It divides the token's probability by more than 10⁴³, at temperature 2 by 10²¹.
 */
const NEVER = -100;

/**
 * Returns a bias that prevents the tokens that an answer must not contain ({@link unwantedTokens}); null if there are
 * none.
 */
export function unwantedBias(
  { added }: ControlTokens,
  { stop_token_ids: stops, ...template }: ChatTemplate,
  mayCall: boolean,
): TokenBias | null {
  const ends = turnEnds(template);
  return forbid(unwantedTokens(added, mayCall, ({ id, text }) => stops.includes(id) || ends.includes(text)));
}

/** Returns a bias that prevents the tokens by which the model ends its turn. */
export function endBias(
  { added }: ControlTokens,
  { stop_token_ids: stops, ...template }: ChatTemplate,
): TokenBias | null {
  const ends = turnEnds(template);
  const texts = added.filter(({ text }) => ends.includes(text)).map(({ id }) => id);
  return forbid([...stops, ...texts]);
}

function forbid(tokens: readonly number[]): TokenBias | null {
  return tokens.length > 0 ? Object.fromEntries(tokens.map((id) => [id, NEVER])) : null;
}

/**
 * Returns the texts that end an answer. A text whose token ends it already is not among them: the model can write its letters
 * only to explain it.
 */
export function endTexts(
  { textOf }: ControlTokens,
  { stop_token_ids: stops, ...template }: ChatTemplate,
): readonly string[] {
  const tokens = stops.map((id) => textOf.get(id));
  return turnEnds(template).filter((text) => !tokens.includes(text));
}

/**
 * Returns the texts that end the assistant's turn: the template's stop sequences, and what the template writes after an
 * answer.
 */
function turnEnds({ seps, stop_str: stops }: Pick<ChatTemplate, 'seps' | 'stop_str'>): readonly string[] {
  const separator = seps[1 % seps.length]?.trim() ?? '';
  return separator === '' || stops.includes(separator) ? stops : [...stops, separator];
}
