import { UnreadableDocument } from './unreadable-document.ts';
import { decodeBytes } from './encodings/decode-bytes.ts';
import { decoded, encodingOfCodePage, encodingOfFont, isIncomplete } from './rtf-encodings.ts';
import { rtfTokens } from './rtf-tokens.ts';
import { RaisedText, type Raise } from './raised-text.ts';
import { KNOWN_STARRED, SKIPPED, SYMBOLS } from './rtf-words.ts';
import type { TextBuilder } from './text-builder.ts';

const MAX_DEPTH = 3000;

interface Group {
  readonly isSkipped: boolean;
  readonly isHidden: boolean;
  /** Number of characters that follow a Unicode character for programs that do not know it. */
  readonly substitutes: number;
  readonly font: number;
  readonly raise: Raise;
  /** Called at the end of the group. */
  readonly end?: () => void;
}

/**
 * Adds the text of an RTF file. Its bytes are characters of the same number.
 * @throws UnreadableDocument `tooComplex` if groups are nested too deeply.
 */
export function readRtf(source: string, out: TextBuilder): void {
  const outer: Group[] = [];
  let group: Group = { isSkipped: false, isHidden: false, substitutes: 1, font: -1, raise: '' };
  let codePage = 'windows-1252';
  const charsets = new Map<number, string>();
  let defaultFont = 0;
  let fontInTable: number | null = null;
  let isStarred = false;
  let isAtStart = false;
  let toSkip = 0;
  let isNextSkipped = false;
  let bytes: number[] = [];
  let isInRow = false;
  let isInCell = false;
  /** Whether the paragraph is one of a table. */
  let isInTable = false;
  const raised = new RaisedText();
  const notes: string[] = [];
  const footers: string[] = [];
  /** Headers and footers, of which equal ones are read once. */
  const margins = new Set<string>();

  const encoding = (): string => charsets.get(group.font < 0 ? defaultFont : group.font) ?? codePage;
  const flush = (): void => {
    if (bytes.length === 0) return;
    const text = decodeBytes(Uint8Array.from(bytes), encoding());
    bytes = [];
    add(text);
  };
  const add = (text: string): void => {
    if (group.isSkipped || text === '') return;
    if (group.isHidden) return;
    // Rows after the first one may lack a definition of their own.
    if (isInTable && !isInRow && text.trim() !== '') startRow();
    if (isInRow && !isInCell) {
      out.startCell();
      isInCell = true;
    }
    raised.raise = group.raise;
    out.text(raised.before(text) + text);
  };
  const addWritten = (text: string): void => {
    if (!group.isSkipped) add(/[\x80-\xff]/.test(text) ? decoded(text, encoding()) : text);
  };
  const endCell = (): void => {
    if (!isInRow) startRow();
    if (!isInCell) out.startCell();
    out.endCell();
    isInCell = false;
  };
  const startRow = (): void => {
    out.startRow();
    isInRow = true;
  };
  const endRow = (): void => {
    if (!isInRow) return;
    if (isInCell) out.endCell();
    isInCell = false;
    isInRow = false;
    out.endRow();
  };
  /** Reads a group apart from the text around it. */
  const apart = (done: (text: string) => void): void => {
    const before = [isInRow, isInCell, isInTable] as const;
    [isInRow, isInCell, isInTable] = [false, false, false];
    out.startCapture();
    const end = (): void => {
      endRow();
      [isInRow, isInCell, isInTable] = before;
      done(out.endCapture().trim());
    };
    group = { ...group, raise: '', end };
  };
  const onWord = (word: string, value: number | undefined): void => {
    const wasStarred = isStarred;
    const isFirst = isAtStart;
    if (word === '*') {
      isStarred = true;
      return;
    }
    isStarred = false;
    isAtStart = false;
    if (word === 'fonttbl') fontInTable = -1;
    if (fontInTable !== null && word === 'f') fontInTable = value ?? 0;
    if (fontInTable !== null && word === 'fcharset') {
      const name = encodingOfFont(value ?? 0);
      if (name !== undefined) charsets.set(fontInTable, name);
    }
    if (group.isSkipped) return;
    if (word === 'pict') {
      if (!wasStarred) out.leave('image');
      group = { ...group, isSkipped: true };
    } else if (word === 'object') out.leave('object');
    else if (SKIPPED.has(word) || (wasStarred && isFirst && !KNOWN_STARRED.has(word))) {
      group = { ...group, isSkipped: true };
    } else if (/^(?:footnote|annotation)$/.test(word)) {
      apart((text) => {
        notes.push(text);
        out.text(` [${notes.length}]`);
      });
    } else if (/^(?:header|footer)[lrf]?$/.test(word)) {
      apart((text) => {
        if (text === '' || margins.has(text)) return;
        margins.add(text);
        if (word.startsWith('header')) {
          out.paragraph();
          out.again(text);
          out.paragraph();
        } else footers.push(text);
      });
    } else if (word === 'shptxt') {
      apart((text) => {
        out.paragraph();
        out.again(text);
        out.paragraph();
      });
    } else onFormat(word, value);
  };
  const onFormat = (word: string, value: number | undefined): void => {
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        add('\n');
        break;
      case 'line':
        add('\n');
        break;
      case 'intbl':
      case 'pard':
        isInTable = word === 'intbl';
        break;
      // The value of a property of a shape, which may be a picture.
      case 'sv':
        group = { ...group, isHidden: true };
        break;
      case 'trowd':
        if (!isInRow) startRow();
        break;
      case 'cell':
      case 'nestcell':
        endCell();
        break;
      case 'row':
      case 'nestrow':
        endRow();
        break;
      case 'u': {
        const code = (value ?? 0) < 0 ? (value ?? 0) + 65_536 : (value ?? 0);
        if (code > 0 && code < 0x11_0000) add(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code));
        toSkip = group.substitutes;
        break;
      }
      case 'upr':
        // The same text without and with Unicode follows in two groups.
        isNextSkipped = true;
        break;
      case 'uc':
        group = { ...group, substitutes: Math.min(Math.max(value ?? 1, 0), 10) };
        break;
      case 'f':
        group = { ...group, font: value ?? 0 };
        break;
      case 'deff':
        defaultFont = value ?? 0;
        break;
      case 'plain':
        group = { ...group, font: -1, isHidden: false, raise: '' };
        break;
      case 'super':
      case 'sub':
        group = { ...group, raise: value === 0 ? '' : word === 'super' ? '^' : '_' };
        break;
      case 'nosupersub':
        group = { ...group, raise: '' };
        break;
      case 'v':
      case 'deleted':
        if (value !== 0 && !group.isHidden) out.leave('hidden');
        group = { ...group, isHidden: value !== 0 };
        break;
      case 'ansicpg':
        codePage = encodingOfCodePage(value ?? 1252);
        break;
      case 'mac':
        codePage = 'macintosh';
        break;
      case 'pc':
      case 'pca':
        codePage = encodingOfCodePage(word === 'pc' ? 437 : 850);
        break;
      case 'chftn':
        break;
      default:
        add(Object.hasOwn(SYMBOLS, word) ? SYMBOLS[word]! : '');
    }
  };

  for (const token of rtfTokens(source)) {
    if (out.isFull) break;
    // The second byte of an East Asian character may be written as a letter or as an escaped brace.
    const written = token.kind === 'text' ? token.text : token.kind === 'word' ? token.word : '';
    if ((token.kind === 'text' || /^[\\{}]$/.test(written)) && toSkip === 0 && isIncomplete(bytes, encoding())) {
      bytes.push(written.charCodeAt(0));
      flush();
      if (token.kind === 'text') addWritten(written.slice(1));
      continue;
    }
    if (token.kind !== 'byte') flush();
    if (token.kind === 'text') {
      isAtStart = false;
      const text = token.text.slice(toSkip);
      toSkip = Math.max(0, toSkip - token.text.length);
      addWritten(text);
    } else if (token.kind === 'open') {
      if (outer.length > MAX_DEPTH) throw new UnreadableDocument('tooComplex');
      outer.push(group);
      const { end: _, ...inner } = group;
      group = isNextSkipped ? { ...inner, isSkipped: true } : inner;
      isNextSkipped = false;
      isAtStart = true;
      isStarred = false;
      toSkip = 0;
    } else if (token.kind === 'close') {
      const { end } = group;
      group = outer.pop() ?? group;
      if (end !== undefined) end();
      toSkip = 0;
      if (outer.length <= 1) fontInTable = null;
    } else if (token.kind === 'word') {
      // A character after `\u` may be written as a control symbol.
      if (toSkip > 0 && token.value === undefined && Object.hasOwn(SYMBOLS, token.word)) toSkip -= 1;
      else onWord(token.word, token.value);
    } else if (token.kind === 'byte') {
      isAtStart = false;
      if (toSkip > 0) toSkip -= 1;
      else if (!group.isSkipped && !group.isHidden) bytes.push(token.byte);
    }
  }
  flush();
  endRow();
  for (const text of footers) {
    out.paragraph();
    out.again(text);
  }
  out.paragraph();
  for (const [index, text] of notes.entries()) {
    out.line();
    out.again(`[${index + 1}] ${text}`);
  }
}
