import type { MarkedExtension, Tokens } from 'marked';
import { linesUntilEmpty } from './lines-until-empty.ts';

/** Maximum characters of a formula; a longer one shows its source. */
const MAX_LENGTH = 4000;

/** Matches environments that are formulas without delimiters. */
const ENVIRONMENT =
  /^\\begin\{((?:align|alignat|flalign|gather|multline|equation|eqnarray)\*?|aligned|gathered|split|[dr]?cases|array|[pbBvV]?matrix|smallmatrix|CD)\}/;

/** Matches a line that starts with the opening delimiter of a display formula. */
const OPENING_LINE = /^ {0,3}(\$\$(?!\$)|\\\[|\\begin\{)/;

const CLOSERS: Readonly<Record<string, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };

interface Formula extends Tokens.Generic {
  readonly type: 'formula';
  readonly text: string;
  /** False for an inline formula. */
  readonly display: boolean;
}

/** Matches GitHub's inline formula, whose backticks keep Markdown out of it: `` $`x`$ ``. */
const WITH_BACKTICKS = /^\$`([^`]{1,3996})`\$(?![\p{L}\p{N}$`])/u;

/** Matches dollar signs that delimit nothing, as in `$$$ fast`. */
const DOLLARS = /^\${3,}/;

/** Returns the index of the closing delimiter after `from`; −1 if there is none. Skips escaped delimiters. */
function findCloser(text: string, from: number, closer: string): number {
  for (let at = text.indexOf(closer, from); at >= 0; at = text.indexOf(closer, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && at - 1 - backslashes >= from) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** Returns the opening delimiter at the start of a text; undefined if there is none. */
function openerOf(text: string): string | undefined {
  return ENVIRONMENT.exec(text)?.[0] ?? /^(?:\$\$?(?!\$)|\\[([])/.exec(text)?.[0];
}

/** Returns where a formula's content ends, and where the formula ends; undefined if it has no end. */
function endOf(text: string, opener: string): { readonly content: number; readonly formula: number } | undefined {
  const name = ENVIRONMENT.exec(opener)?.[1];
  if (name === undefined) {
    const closer = CLOSERS[opener]!;
    const content = findCloser(text, opener.length, closer);
    return content < 0 ? undefined : { content, formula: content + closer.length };
  }
  // Counted, because an environment may contain environments of the same name.
  let open = 0;
  for (const { 0: found, 1: word, index } of text.matchAll(/\\(begin|end)\{([a-zA-Z]+\*?)\}/g)) {
    if (!found.endsWith(`{${name}}`)) continue;
    open += word === 'begin' ? 1 : -1;
    if (open === 0) return { content: index, formula: index + found.length };
  }
  return undefined;
}

interface FoundFormula {
  /** The text that it takes. */
  readonly raw: string;
  /** TeX with its delimiters. */
  readonly source: string;
  readonly display: boolean;
}

/**
 * Returns the formula at the start of a text; undefined if there is none or it is incomplete.
 * @param before The character before it; empty at the start of a block.
 */
function formulaAt(text: string, before: string): FoundFormula | undefined {
  const [raw, inner = ''] = (isLetter(before) ? null : WITH_BACKTICKS.exec(text)) ?? [];
  if (raw !== undefined && inner.trim() !== '') return { raw, source: `$${inner.trim()}$`, display: false };
  const opener = openerOf(text);
  if (opener === undefined) return;
  const bounded = text.slice(0, MAX_LENGTH);
  const end = endOf(bounded, opener);
  if (end === undefined) return;
  const content = bounded.slice(opener.length, end.content);
  const source = bounded.slice(0, end.formula);
  if (content.trim() === '') return;
  if (opener === '$' && !isTex(before, content, text.slice(source.length, source.length + MAX_ENDING))) return;
  return { raw: source, source, display: opener !== '$' && opener !== '\\(' };
}

/** Matches an ending that writers put directly behind a formula: `$n$th`, `$p$s`, `$k$NN`, German `$n$te`. */
const ENDING = /^(?:st|nd|rd|th|e?s|ish|fold|grams?|tuples?|NN|t?e[nrsm]?)(?![\p{L}\p{N}$])/u;
/** Characters that {@link ENDING} needs to see. */
const MAX_ENDING = 8;

/** Matches `{HOME}`, a variable of a shell or a template, but not `{x}` or `{10}`. */
const VARIABLE = /^\{[a-z_]{2}[^{}]*\}(?![\^_])/i;

/**
 * Whether the text between two dollar signs is a formula, as opposed to prose between two prices. A formula has no
 * space next to the signs. It has TeX syntax, or is one word, or has no two letters in a row. Next to it there is no
 * digit or ASCII letter (`20$-30$`, `US$5`, `$PATH:$HOME`), unless it begins with TeX, as in `25$^\circ$C`, or what
 * follows is an {@link ENDING}. Other letters are allowed, because Chinese, Japanese and Thai have no spaces.
 */
function isTex(before: string, content: string, after: string): boolean {
  if (/^\s|\s$|`/.test(content) || VARIABLE.test(content) || after.startsWith('{')) return false;
  const isEnding = ENDING.test(after) && /[\p{L}\p{N})}\]'*]$/u.test(content);
  const isAttached = isLetter(before) || (isLetter(after) && !isEnding);
  if (isAttached && !/^[\\^_]/.test(content)) return false;
  if (/[\\^_{}=<>+*/|]/.test(content) || /^\p{L}+$/u.test(content)) return true;
  return !/\p{L}{2}|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(content);
}

/** Whether a text begins with an ASCII letter or a digit. */
function isLetter(text: string): boolean {
  return /^[a-z\p{N}]/iu.test(text);
}

/**
 * Reads a display formula as a block. The block ends at the closing delimiter if a line ends there, else at an empty
 * line, so that the start of the next block never depends on text still to come.
 */
function formulaBlock(text: string): Tokens.Generic | undefined {
  const opening = OPENING_LINE.exec(text);
  if (opening === null) return;
  const lines = linesUntilEmpty(text);
  const opener = openerOf(lines.trimStart());
  if (opener === undefined) return;
  const start = lines.indexOf(opener);
  const end = endOf(lines.slice(start), opener);
  // A bracket that closes without a backslash was escaped, not opened: `\[not a link](…)`.
  if (end === undefined && /^\\\[[^\]\\\n]*\]/.test(lines.slice(start))) return;
  const after = start + (end?.formula ?? 0);
  const rest = end === undefined ? null : /^[ \t]*(?:\n|$)/.exec(lines.slice(after));
  const raw = rest === null ? lines : lines.slice(0, after + rest[0].length);
  const source = raw.trim();
  const isEmpty = lines.slice(start + opener.length, start + (end?.content ?? 0)).trim() === '';
  if (rest !== null)
    return { type: 'formulaBlock', raw, text: source, isFormula: !isEmpty && source.length <= MAX_LENGTH };
  return { type: 'formulaBlock', raw, text: source, isFormula: false, ...(end && { tokens: [] }) };
}

/**
 * Replaces each formula in a text.
 * @param replace Returns the replacement of a formula, given the text that it takes.
 */
export function replaceFormulas(text: string, replace: (raw: string) => string): string {
  let replaced = '';
  for (let at = 0; at < text.length;) {
    const next = text.slice(at).search(/\$|\\/);
    if (next < 0) return replaced + text.slice(at);
    replaced += text.slice(at, at + next);
    at += next;
    const raw = formulaAt(text.slice(at), text[at - 1] ?? '')?.raw;
    const skipped = DOLLARS.exec(text.slice(at))?.[0] ?? text.slice(at, at + (text[at] === '\\' ? 2 : 1));
    replaced += raw === undefined ? skipped : replace(raw);
    at += (raw ?? skipped).length;
  }
  return replaced;
}

/** Replaces formulas by letters, with the same length, so that Marked finds no emphasis in them. */
function maskFormulas(text: string): string {
  return replaceFormulas(text, (raw) => 'a'.repeat(raw.length));
}

/** Returns GitHub's form of a display formula, a block of code in the language `math`, as a formula with delimiters. */
export function formulaOfCode(code: string, language: string): string | undefined {
  const isFormula = language === 'math' && code.trim() !== '' && code.length < MAX_LENGTH && !code.includes('$$');
  return isFormula ? `$$\n${code.trim()}\n$$` : undefined;
}

/**
 * Extends Marked by TeX formulas, which Markdown's escapes and emphasis would mangle: inline `$…$`, `` $`…`$ `` and `\(…\)`,
 * display `$$…$$`, `\[…\]` and `\begin{align}…\end{align}`. Formulas become `<code class="formula">` with their source for
 * {@link drawFormulas}.
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
          const found = /\n {0,3}(?:\$\$|\\\[|\\begin\{)/.exec(linesUntilEmpty(text));
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
          const at = text.search(/\$|\\[([]|\\begin\{/);
          return at < 0 ? undefined : at;
        },
        tokenizer(text, tokens): Formula | Tokens.Text | undefined {
          const dollars = DOLLARS.exec(text)?.[0];
          if (dollars !== undefined) return { type: 'text', raw: dollars, text: dollars, escaped: false };
          const found = formulaAt(text, tokens.at(-1)?.raw.at(-1) ?? '');
          return found && { type: 'formula', raw: found.raw, text: found.source, display: found.display };
        },
        renderer: ({ text, display }) => source(text, display),
      },
    ],
    hooks: { emStrongMask: maskFormulas },
  };
}
