import type { MarkedExtension, Token, TokenizerThis, Tokens } from 'marked';
import { boundedNesting } from './bounded-nesting.ts';
import { linesUntilEmpty } from './lines-until-empty.ts';

const OPENING = /^ {0,3}<details(\s[^<>]*)?>/i;
const SUMMARY = /^\s*<summary(?:\s[^<>]*)?>([^]*?)<\/summary>/i;

/** Matches blocks and spans of code, in which tags are text, and tags of `<details>`, whose slash is group 2. */
const CODE_OR_TAG =
  /(?:^|\n) {0,3}(`{3,}|~{3,})[^\n]*(?:\n(?! {0,3}\1)[^\n]*)*(?:\n {0,3}\1[`~]*[ \t]*(?=\n|$))?|`[^`\n]+`|<(\/?)details(?:\s[^<>]*)?>/gi;

interface Details extends Tokens.Generic {
  readonly isOpen: boolean;
  readonly summary: Token[];
  readonly tokens: Token[];
}

/** Returns where the element's content and the element end; undefined if it is not closed. */
function endOf(text: string, from: number): { readonly content: number; readonly element: number } | undefined {
  let open = 1;
  for (const { 0: tag, 2: slash, index } of text.slice(from).matchAll(CODE_OR_TAG)) {
    if (slash === undefined) continue;
    open += slash === '' ? 1 : -1;
    if (open === 0) return { content: from + index, element: from + index + tag.length };
  }
  return undefined;
}

/**
 * Extends Marked by `<details>` with Markdown in it, as GitHub shows it. An element that is not closed (yet) extends to
 * the end of the text and is open, so that a growing answer is seen.
 */
export function detailsSyntax(): MarkedExtension {
  return {
    extensions: [
      {
        name: 'details',
        level: 'block',
        start: (text) => {
          const found = /\n {0,3}<details(?:\s[^<>]*)?>/i.exec(linesUntilEmpty(text));
          return found === null ? undefined : found.index + 1;
        },
        tokenizer: boundedNesting(function (this: TokenizerThis, text): Details | undefined {
          const opening = OPENING.exec(text);
          if (opening === null) return;
          const start = opening[0].length;
          const end = endOf(text, start);
          const inside = text.slice(start, end?.content);
          const summary = SUMMARY.exec(inside);
          const rest = end === undefined ? '' : (/^[ \t]*(?:\n|$)/.exec(text.slice(end.element))?.[0] ?? '');
          return {
            type: 'details',
            raw: end === undefined ? text : text.slice(0, end.element) + rest,
            isOpen: end === undefined || /\sopen\b/i.test(opening[1] ?? ''),
            summary: this.lexer.inline(summary?.[1]?.trim() ?? '', []),
            tokens: this.lexer.blockTokens(inside.slice(summary?.[0].length ?? 0), []),
          };
        }),
        renderer(token) {
          const { isOpen, summary, tokens } = token as Details;
          const label = summary.length === 0 ? '' : `<summary>${this.parser.parseInline(summary)}</summary>`;
          return `<details${isOpen ? ' open' : ''}>${label}${this.parser.parse(tokens)}</details>\n`;
        },
        childTokens: ['summary', 'tokens'],
      },
    ],
  };
}
