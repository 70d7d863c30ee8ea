import type { MarkedExtension, TokenizerThis, Tokens } from 'marked';
import { notesOf } from './bounded-lexer.ts';
import { boundedNesting } from './bounded-nesting.ts';
import { linesUntilEmpty } from './lines-until-empty.ts';

/** Matches the first line of a note: `[^1]: Text`. */
const NOTE = /^ {0,3}\[\^([^\]\s^]{1,60})\]:[ \t]*([^\n]*)(?:\n|$)/;

/** Matches a mark in the text, such as `[^1]`. */
const MARK = /^\[\^([^\]\s^]{1,60})\](?!\()/;

/** Matches a mark that is one by its form: a number or a name, at the end of a word or a sentence. */
const CLEAR_MARK = /^\[\^(?:[1-9]\d{0,2}|\p{L}[\p{L}\p{N}_-]{2,59})\](?![\p{L}\p{N}+*?{(])/u;
/** Matches what a clear mark follows. */
const BEFORE_MARK = /[\p{L}\p{M}\p{N}.,;:!?…)\]"'”’»。，、；：！？）」』।॥؟،؛۔*_`]$/u;

interface Note extends Tokens.Generic {
  readonly label: string;
  readonly tokens: Tokens.Generic[];
}

/**
 * Reads a note with its indented lines. It ends at a line that is neither empty nor indented, so its end never depends
 * on later text.
 */
function noteAt(text: string): { readonly raw: string; readonly label: string; readonly content: string } | undefined {
  const first = NOTE.exec(text);
  if (first === null) return;
  const [opening, label = '', start = ''] = first;
  const lines = [start];
  let end = opening.length;
  let empty = '';
  const next = /[^\n]*(?:\n|$)/y;
  next.lastIndex = opening.length;
  while (next.lastIndex < text.length) {
    const [line = ''] = next.exec(text) ?? [];
    if (line.trim() === '') {
      empty += line;
      continue;
    }
    if (!(empty === '' ? /^(?: {2,}|\t)/ : /^(?: {4,}|\t)/).test(line)) break;
    lines.push(empty, line.replace(/^(?: {1,4}|\t)/, ''));
    end += empty.length + line.length;
    empty = '';
  }
  return { raw: text.slice(0, end), label, content: `${lines[0]}\n${lines.slice(1).join('')}` };
}

/**
 * Extends Marked by footnotes: a mark `[^1]` becomes a raised number, and a note `[^1]: Text` a paragraph that begins
 * with it, where the note is written. Without this, Marked takes a note of one word for the address of a link.
 * @param escapeHtml Escapes text for HTML.
 */
export function footnoteSyntax(escapeHtml: (text: string) => string): MarkedExtension {
  return {
    extensions: [
      {
        name: 'footnote',
        level: 'block',
        start: (text) => {
          const found = /\n {0,3}\[\^[^\]\s^]{1,60}\]:/.exec(linesUntilEmpty(text));
          return found === null ? undefined : found.index + 1;
        },
        tokenizer: boundedNesting(function (this: TokenizerThis, text): Note | undefined {
          const note = noteAt(text);
          if (note === undefined) return;
          notesOf(this).add(note.label);
          return {
            type: 'footnote',
            raw: note.raw,
            label: note.label,
            tokens: this.lexer.blockTokens(note.content, []),
          };
        }),
        renderer(token) {
          const { label, tokens } = token as Note;
          const mark = `<sup>${escapeHtml(label)}</sup> `;
          const content = this.parser.parse(tokens);
          return content.startsWith('<p>') ? `<p>${mark}${content.slice(3)}` : `<p>${mark}</p>\n${content}`;
        },
        childTokens: ['tokens'],
      },
      {
        name: 'footnoteMark',
        level: 'inline',
        start: (text) => {
          const at = text.indexOf('[^');
          return at < 0 ? undefined : at;
        },
        tokenizer(text, before): Tokens.Generic | undefined {
          const [raw = '', label = ''] = MARK.exec(text) ?? [];
          // The note may not be written yet. Without one, a mark that stands alone may be a class of a regular expression.
          const isClear = CLEAR_MARK.test(text) && BEFORE_MARK.test(before.at(-1)?.raw ?? '');
          const isMark = raw !== '' && (isClear || notesOf(this).has(label));
          return isMark ? { type: 'footnoteMark', raw, text: label } : undefined;
        },
        renderer: ({ text }) => `<sup>${escapeHtml(text)}</sup>`,
      },
    ],
  };
}
