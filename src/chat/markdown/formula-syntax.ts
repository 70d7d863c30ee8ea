import { Tokenizer, type MarkedExtension, type Tokens } from 'marked';

/** Characters of the longest formula: what is longer is shown as it was written. */
const LONGEST = 4000;

/** A line that begins with what opens a formula on lines of its own. */
const OPENING_LINE = /^ {0,3}(\$\$|\\\[)/;

const CLOSERS = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' } as const;
type Opener = keyof typeof CLOSERS;

interface Formula extends Tokens.Generic {
  readonly type: 'formula';
  /** The formula with its delimiters, as it was written. */
  readonly text: string;
  /** Whether it stands by itself instead of among words. */
  readonly display: boolean;
}

/** Where the closing delimiter of a formula stands that opens at `from`; −1 where there is none. Escaped ones do not count. */
function findCloser(text: string, from: number, closer: string): number {
  for (let at = text.indexOf(closer, from); at >= 0; at = text.indexOf(closer, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && at - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** The formula at the beginning of a text, with its delimiters; undefined where none is, or it is not finished yet. */
function formulaAt(text: string): { readonly source: string; readonly display: boolean } | undefined {
  const opener = /^(?:\$\$?|\\[([])/.exec(text)?.[0] as Opener | undefined;
  if (opener === undefined) return;
  const bounded = text.slice(0, LONGEST);
  const closer = CLOSERS[opener];
  const end = findCloser(bounded, opener.length, closer);
  const content = bounded.slice(opener.length, end);
  if (end < 0 || content.trim() === '') return;
  const source = bounded.slice(0, end + closer.length);
  if (opener === '$' && !isTex(content, text[source.length] ?? '')) return;
  return { source, display: opener === '$$' || opener === '\\[' };
}

/**
 * Whether what stands between two dollar signs is a formula, and not prose between two prices or names of variables: it
 * touches both signs, no letter or digit follows the second, and there is no word in it without any sign of TeX.
 */
function isTex(content: string, next: string): boolean {
  if (/^\s|\s$|`/.test(content) || /[\p{L}\p{N}]/u.test(next)) return false;
  return /[\\^_{}=<>+*/|]/.test(content) || !/\p{L}{2}/u.test(content) || /^\p{L}+$/u.test(content);
}

/** How far the lines reach that the first one begins: to an empty line. */
function linesUntilEmpty(text: string): string {
  const end = /\n[ \t]*\n/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}

/**
 * A formula on lines of its own. Whatever opens one is a block: until the closing delimiter, if a line ends there, else
 * until an empty line. So it does not depend on what is still to come where a block begins.
 */
function formulaBlock(text: string): Tokens.Generic | undefined {
  const opening = OPENING_LINE.exec(text);
  if (opening === null) return;
  const lines = linesUntilEmpty(text);
  const closer = CLOSERS[opening[1] as Opener];
  const end = findCloser(lines, opening[0].length, closer);
  const rest = end < 0 ? null : /^[ \t]*(?:\n|$)/.exec(lines.slice(end + closer.length));
  const raw = rest === null ? lines : lines.slice(0, end + closer.length + rest[0].length);
  const source = raw.trim();
  const isEmpty = lines.slice(opening[0].length, end).trim() === '';
  if (rest !== null)
    return { type: 'formulaBlock', raw, text: source, isFormula: !isEmpty && source.length <= LONGEST };
  return { type: 'formulaBlock', raw, text: source, isFormula: false, ...(end < 0 ? {} : { tokens: [] }) };
}

/** As long as `text`, without what could be taken for emphasis inside its formulas. */
function maskFormulas(text: string): string {
  let masked = '';
  for (let at = 0; at < text.length;) {
    const next = text.slice(at).search(/\$|\\/);
    if (next < 0) return masked + text.slice(at);
    masked += text.slice(at, at + next);
    at += next;
    const source = formulaAt(text.slice(at))?.source;
    masked += source === undefined ? text.slice(at, at + (text[at] === '\\' ? 2 : 1)) : 'a'.repeat(source.length);
    at = masked.length;
  }
  return masked;
}

/**
 * TeX among Markdown, which would take its backslashes and underlines for its own: `$…$` and `\(…\)` among words, `$$…$$`
 * and `\[…\]` by themselves. Formulas become `<code class="formula">` with their source, to be drawn by
 * {@link drawFormulas}. @param escapeHtml Makes a text safe to stand in HTML.
 */
export function formulaSyntax(escapeHtml: (text: string) => string): MarkedExtension {
  const source = (text: string, display: boolean) =>
    `<code class="formula${display ? ' display' : ''}">${escapeHtml(text)}</code>`;
  return {
    extensions: [
      {
        name: 'formulaBlock',
        level: 'block',
        start: (text) => {
          const found = /\n {0,3}(?:\$\$|\\\[)/.exec(linesUntilEmpty(text));
          return found === null ? undefined : found.index + 1;
        },
        tokenizer(text) {
          const token = formulaBlock(text);
          if (token?.tokens !== undefined) this.lexer.inline(token['text'], token.tokens);
          return token;
        },
        renderer({ text, tokens, isFormula }) {
          if (isFormula) return `<p>${source(text, true)}</p>`;
          return `<p>${tokens === undefined ? escapeHtml(text) : this.parser.parseInline(tokens)}</p>\n`;
        },
      },
      {
        name: 'formula',
        level: 'inline',
        start: (text) => {
          const at = text.search(/\$|\\[([]/);
          return at < 0 ? undefined : at;
        },
        tokenizer(text): Formula | undefined {
          const found = formulaAt(text);
          return found && { type: 'formula', raw: found.source, text: found.source, display: found.display };
        },
        renderer: ({ text, display }) => source(text, display),
      },
    ],
    tokenizer: {
      // A heading that is underlined would take the formula before the line with it.
      lheading(text) {
        const heading = Tokenizer.prototype.lheading.call(this, text);
        return heading?.raw.split('\n').some((line) => OPENING_LINE.test(line)) ? undefined : heading;
      },
    },
    hooks: { emStrongMask: maskFormulas },
  };
}
