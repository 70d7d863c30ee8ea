import { Tokenizer, type MarkedExtension, type Tokens } from 'marked';

/** Maximum characters of a formula; a longer one shows its source. */
const LONGEST = 4000;

/** A line that starts with the opening delimiter of a display formula. */
const OPENING_LINE = /^ {0,3}(\$\$|\\\[)/;

const CLOSERS = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' } as const;
type Opener = keyof typeof CLOSERS;

interface Formula extends Tokens.Generic {
  readonly type: 'formula';
  readonly text: string;
  /** False for an inline formula. */
  readonly display: boolean;
}

/** The index of the closing delimiter after `from`; −1 if there is none. Skips escaped ones. */
function findCloser(text: string, from: number, closer: string): number {
  for (let at = text.indexOf(closer, from); at >= 0; at = text.indexOf(closer, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && at - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** The formula at the start of a text, with its delimiters; undefined if there is none or it is incomplete. */
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
 * Whether the text between two dollar signs is a formula and not prose between two prices. A formula touches both
 * signs, no letter or digit follows it, and it has TeX syntax, one word only, or no two letters in a row.
 */
function isTex(content: string, next: string): boolean {
  if (/^\s|\s$|`/.test(content) || /[\p{L}\p{N}]/u.test(next)) return false;
  return /[\\^_{}=<>+*/|]/.test(content) || !/\p{L}{2}/u.test(content) || /^\p{L}+$/u.test(content);
}

/** The text up to its first empty line. */
function linesUntilEmpty(text: string): string {
  const end = /\n[ \t]*\n/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}

/**
 * Reads a display formula as a block. The block ends at the closing delimiter if a line ends there, else at an empty
 * line, so that the start of the next block never depends on text still to come.
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

/** Replaces formulas by letters, with the same length, so that Marked finds no emphasis in them. */
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
 * Extends Marked by TeX formulas, which Markdown's escapes and emphasis would mangle: inline `$…$` and `\(…\)`, display
 * `$$…$$` and `\[…\]`. Formulas become `<code class="formula">` with their source for {@link drawFormulas}.
 * @param escapeHtml Escapes text for HTML.
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
      // A line of `=` or `-` below a formula would otherwise make the formula a heading.
      lheading(text) {
        const heading = Tokenizer.prototype.lheading.call(this, text);
        return heading?.raw.split('\n').some((line) => OPENING_LINE.test(line)) ? undefined : heading;
      },
    },
    hooks: { emStrongMask: maskFormulas },
  };
}
