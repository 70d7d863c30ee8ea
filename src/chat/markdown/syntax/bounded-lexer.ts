import { Lexer, type Links, type MarkedOptions, type Token, type TokenizerThis } from 'marked';
import { EMPHASIS_RULES } from './emphasis-rules.ts';
import { keepOnlyPairs } from './plain-tags.ts';

/** What a text defines, wherever it is used: addresses of links, and labels of footnotes. */
export interface Definitions {
  readonly links: Links;
  readonly notes: Set<string>;
  /** Names of the addresses to which a link leads. */
  readonly used: Set<string>;
}

export function noDefinitions(): Definitions {
  return { links: {}, notes: new Set(), used: new Set() };
}

/**
 * Maximum characters of a paragraph, heading, item or cell that is parsed for inline syntax; longer ones stay plain.
 * Marked's search for emphasis and links is quadratic: 30,000 characters of `a1_a1_…` would take seconds.
 */
const MAX_INLINE_CHARACTERS = 8000;

/** Maximum depth of nested emphasis and links. */
const MAX_INLINE_DEPTH = 20;

/** Marked's lexer with limits, and with the definitions of the text before. */
export class BoundedLexer extends Lexer {
  #inlineDepth = 0;
  readonly notes: Set<string>;
  readonly used: Set<string>;
  /** Whether no text follows. */
  readonly isWhole: boolean;

  constructor(options: MarkedOptions, { links, notes, used }: Definitions, isWhole: boolean) {
    super(options);
    this.notes = notes;
    this.used = used;
    this.isWhole = isWhole;
    Object.assign(this.tokens.links, links);
    const { rules } = this.options.tokenizer!;
    this.options.tokenizer!.rules = { ...rules, inline: { ...rules.inline, ...EMPHASIS_RULES } };
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length > MAX_INLINE_CHARACTERS || this.#inlineDepth > MAX_INLINE_DEPTH) {
      tokens.push(plainToken(text));
      return tokens;
    }
    this.#inlineDepth += 1;
    const found = super.inlineTokens(text, tokens);
    this.#inlineDepth -= 1;
    keepOnlyPairs(found, this.isWhole);
    // Marked would not escape what follows an opening `<kbd>`.
    for (const token of found) if (token.type === 'text') token['escaped'] = false;
    this.state.inRawBlock = false;
    return found;
  }
}

function plainToken(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

/** Returns the labels of the footnotes so far. */
export function notesOf({ lexer }: TokenizerThis): Set<string> {
  return (lexer as BoundedLexer).notes;
}

/** Returns the names of the addresses to which a link leads, so far. */
export function usedLinks({ lexer }: TokenizerThis): Set<string> {
  return (lexer as BoundedLexer).used;
}

/** Whether no text follows the one that is parsed. */
export function isWholeText({ lexer }: TokenizerThis): boolean {
  return (lexer as BoundedLexer).isWhole;
}
