import { formulaPart, rootOf } from './formula-part.ts';
import { htmlNumberFormat } from './html-number-format.ts';
import { numeral } from './list-numerals.ts';
import { withoutSoftHyphens } from './soft-hyphens.ts';
import { SpannedColumns } from './spanned-columns.ts';
import type { TextBuilder } from './text-builder.ts';
import { attributeOf, walkMarkup, type Attributes, type ElementRule } from './walk-markup.ts';

const PARAGRAPHS = [
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'nav',
  'blockquote',
  'figure',
  'figcaption',
  'ul',
  'ol',
  'dl',
  'caption',
  'form',
  'fieldset',
  'legend',
  'address',
  'details',
  'summary',
  'hr',
  'body',
  'center',
  'hgroup',
  'search',
  'optgroup',
];
const LINES = ['dt', 'dd', 'option', 'button'];
/** Elements whose content nobody sees. */
const UNSEEN = ['style', 'noscript', 'noframes', 'datalist', 'annotation', 'annotation-xml'];
/** Parts of formulas whose own parts follow each other. */
const FORMULAS = ['math', 'semantics', 'mrow', 'mstyle', 'mpadded', 'mi', 'mn', 'mo', 'mtext', 'mtd', 'ms', 'menclose'];
const PICTURES = ['img', 'svg', 'canvas'];

/** Lists within more lists than this are not indented further. */
const MOST_INDENTED = 8;

/** The most columns that one cell covers. Pages write `100%` and the like to cover all. */
const MOST_SPANNED = 100;

/**
 * Adds the text of an HTML page as a person sees it. Pictures, scripts and other parts that are not text are counted.
 * @param source HTML, or XHTML of an EPUB.
 * @param hasTitle Whether the title of the page is shown. Default: true, because the browser shows it above the page.
 */
export function addHtmlText(source: string, out: TextBuilder, hasTitle = true): void {
  const lists: OpenList[] = [];
  /** The columns of each open table. */
  const tables = [new SpannedColumns()];
  /** The label of the item that begins; empty after its first text. */
  let label = '';
  /** The mark of the heading that begins; empty after its first text. */
  let headingMark = '';
  let headings = 0;
  let verbatim = 0;
  let noteMarks = 0;
  /** Open links to other places of the page. */
  let localLinks = 0;
  /** The mark of the superscript or subscript text that begins; empty within it. */
  let raised = '';
  const addLabel = (): void => {
    for (const before of [label, headingMark]) {
      if (before === '') continue;
      out.text(before);
      out.words(' ');
    }
    label = headingMark = '';
  };
  /** Adds what stands before a text or a formula. */
  const addMarks = (): void => {
    addLabel();
    out.text(raised);
    raised = '';
  };
  const unlessHidden =
    (rule: ElementRule): ElementRule =>
    (attributes) => {
      if (!isHidden(attributes)) return rule(attributes);
      out.leave('hidden');
      return 'skip';
    };
  const paragraph: ElementRule = () => {
    out.paragraph();
    return () => out.paragraph();
  };
  const line: ElementRule = () => {
    out.line();
    return () => out.line();
  };
  const list =
    (isNumbered: boolean): ElementRule =>
    (attributes) => {
      if (lists.length === 0) out.paragraph();
      const start = integerOf(attributeOf(attributes, 'start'));
      const step = 'reversed' in attributes ? -1 : 1;
      // A list that counts down without a start begins with the number of its items, which is not known yet.
      const hasNumbers = isNumbered && (step === 1 || start !== null);
      lists.push({ format: hasNumbers ? htmlNumberFormat(attributes) : null, last: (start ?? 1) - step, step });
      return () => {
        lists.pop();
        if (lists.length === 0) out.paragraph();
      };
    };
  const picture: ElementRule = (attributes) => {
    out.leave('image');
    // Invisible pictures that count readers of mails are told as pictures, too: they have no text.
    const alt = attributeOf(attributes, 'alt');
    if (alt.trim() === '') return 'skip';
    addLabel();
    out.words(` [${alt}] `);
    return 'skip';
  };
  const heading =
    (level: number): ElementRule =>
    () => {
      out.paragraph();
      headingMark = '#'.repeat(level);
      headings += 1;
      return () => {
        headingMark = '';
        headings -= 1;
        out.paragraph();
      };
    };
  const raise =
    (mark: '^' | '_'): ElementRule =>
    () => {
      if (localLinks > 0) out.words(' ');
      else if (noteMarks === 0) raised = mark;
      return () => (raised = '');
    };
  /** For each open part of a formula, its own parts; null if they follow each other. */
  const formulas: (string[] | null)[] = [];
  const formula =
    (write?: (parts: readonly string[]) => string): ElementRule =>
    () => {
      // They are no part of its first part.
      addMarks();
      const outer = formulas.at(-1) ?? null;
      const parts: string[] | null = write === undefined ? null : [];
      formulas.push(parts);
      if (outer !== null) out.startCapture();
      return () => {
        formulas.pop();
        if (parts !== null) out.again(write!(parts));
        outer?.push(out.endCapture());
      };
    };
  const marked = (...marks: readonly string[]) =>
    formula((parts) =>
      parts.map((part, index) => (index === 0 ? '' : (marks[index - 1] ?? '')) + formulaPart(part)).join(''),
    );
  const counted =
    (kind: 'script' | 'audio' | 'video' | 'object'): ElementRule =>
    () => {
      out.leave(kind);
      return 'skip';
    };
  const rules: Record<string, ElementRule> = {
    ...Object.fromEntries(PARAGRAPHS.map((name) => [name, paragraph])),
    ...Object.fromEntries(LINES.map((name) => [name, line])),
    ...Object.fromEntries(UNSEEN.map((name) => [name, (): 'skip' => 'skip'])),
    ...Object.fromEntries(PICTURES.map((name) => [name, picture])),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
    title: hasTitle ? paragraph : () => 'skip',
    script: counted('script'),
    audio: counted('audio'),
    video: counted('video'),
    iframe: counted('object'),
    object: counted('object'),
    embed: counted('object'),
    sup: raise('^'),
    sub: raise('_'),
    ...Object.fromEntries(FORMULAS.map((name) => [name, formula()])),
    mfrac: marked('/'),
    msup: marked('^'),
    msub: marked('_'),
    msubsup: marked('_', '^'),
    munder: marked('_'),
    munderover: marked('_', '^'),
    // A line or an arrow above a letter.
    mover: formula((parts) => parts.join('')),
    mtable: formula((rows) => rows.join('; ')),
    mtr: formula((cells) => cells.join(' ')),
    mroot: formula(([text = '', degree = '']) => rootOf(text, degree)),
    msqrt: (attributes) => {
      const end = formula()(attributes) as () => void;
      out.text('√(');
      return () => {
        out.text(')');
        end();
      };
    },
    // A heading is one line.
    br: () => (headings > 0 ? out.words(' ') : out.line()),
    // A page opens it by a script, as an answer to a click.
    dialog: (attributes) => {
      if ('open' in attributes) return paragraph(attributes);
      out.leave('hidden');
      return 'skip';
    },
    // Only that of a shadow root is shown, as programs write it that save a page.
    template: (attributes) => ('shadowrootmode' in attributes ? undefined : 'skip'),
    // The mark of a footnote is no part of the word before it, and the arrow back to it no word.
    a: (attributes) => {
      const words = [attributes['role'], attributes['epub:type'], attributes['class']].join(' ');
      if (/doc-backlink|footnote-back/.test(words)) return 'skip';
      const isNoteMark = /note-?ref/.test(words);
      // What is raised and leads to another place of the page is the mark of a note, not an exponent.
      const isLocal = attributeOf(attributes, 'href').startsWith('#');
      if (isNoteMark || (isLocal && raised !== '')) out.words(' ');
      if (isLocal) raised = '';
      noteMarks += isNoteMark ? 1 : 0;
      localLinks += isLocal ? 1 : 0;
      return () => {
        noteMarks -= isNoteMark ? 1 : 0;
        localLinks -= isLocal ? 1 : 0;
      };
    },
    ul: list(false),
    menu: list(false),
    dir: list(false),
    ol: list(true),
    li: (attributes) => {
      out.line();
      const { format = null, last = 0, step = 1 } = lists.at(-1) ?? {};
      const number = integerOf(attributeOf(attributes, 'value')) ?? last + step;
      Object.assign(lists.at(-1) ?? {}, { last: number });
      const indent = '  '.repeat(Math.min(Math.max(lists.length - 1, 0), MOST_INDENTED));
      label = indent + (format === null ? '-' : `${numeral(number, format)}.`);
      return () => {
        label = '';
        out.line();
      };
    },
    // How Chinese or Japanese words are pronounced.
    rt: () => {
      out.text('(');
      return () => out.text(')');
    },
    rp: () => 'skip',
    table: () => {
      out.paragraph();
      tables.push(new SpannedColumns());
      return () => {
        tables.pop();
        out.paragraph();
      };
    },
    thead: () => tables.at(-1)!.clear(),
    tr: () => {
      out.startRow();
      return () => {
        tables.at(-1)!.endRow();
        out.endRow();
      };
    },
    // Empty cells stand for the columns that a cell covers beside it, or below it if it has text.
    td: (attributes) => {
      const spanned = tables.at(-1)!;
      out.emptyCells(spanned.pass());
      const columns = Math.min(integerOf(attributeOf(attributes, 'colspan')) || 1, MOST_SPANNED);
      const rows = integerOf(attributeOf(attributes, 'rowspan')) ?? 1;
      out.startCell();
      return () => {
        const hasText = out.endCell();
        // 0 stands for all that are left.
        spanned.add(columns, hasText ? rows || Infinity : 1);
        out.emptyCells(columns - 1);
      };
    },
    pre: () => {
      out.paragraph();
      verbatim += 1;
      if (verbatim === 1) out.startCapture();
      return () => {
        verbatim -= 1;
        if (verbatim === 0) out.again(fencedIfAmbiguous(out.endCapture()));
        out.paragraph();
      };
    },
    input: (attributes) => {
      const type = attributeOf(attributes, 'type').toLowerCase();
      if (type === 'hidden' || type === 'password') return;
      addLabel();
      if (type === 'checkbox' || type === 'radio') out.words('checked' in attributes ? ' [x] ' : ' [ ] ');
      else out.words(` ${attributeOf(attributes, 'value') || attributeOf(attributes, 'placeholder')} `);
    },
  };
  rules['th'] = rules['td']!;
  rules['tbody'] = rules['tfoot'] = rules['thead']!;
  rules['textarea'] = rules['pre']!;
  for (const name of Object.keys(rules)) rules[name] = unlessHidden(rules[name]!);
  rules['*'] = unlessHidden(() => undefined);
  walkMarkup(source.replace(/\r\n?/g, '\n'), {
    elements: rules,
    text: (given) => {
      const value = withoutSoftHyphens(given);
      if (value.trim() !== '') addMarks();
      if (verbatim > 0) out.text(value);
      else out.words(value);
    },
    isDone: () => out.isFull,
    isHtml: true,
  });
}

/** A list whose items are being read. */
interface OpenList {
  /** See {@link numeral}; null for a list without numbers. */
  readonly format: string | null;
  /** Number of the last item. */
  readonly last: number;
  /** -1 for a list that counts down, else 1. */
  readonly step: number;
}

/** Returns the integer that an attribute begins with; null if there is none. */
function integerOf(value: string): number | null {
  const [digits] = /^\s*[+-]?\d{1,9}/.exec(value) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Encloses preformatted text in fences if one of its lines, such as a comment of a script, looks like a heading. */
function fencedIfAmbiguous(text: string): string {
  if (!/^ {0,3}(?:#{1,6}[ \t]|[-=~^]{3,}[ \t]*$)/m.test(text)) return text;
  const fence = text.includes('```') ? '~~~~' : '```';
  return `${fence}\n${text.replace(/^\n/, '').trimEnd()}\n${fence}`;
}

function isHidden(attributes: Attributes): boolean {
  if ('hidden' in attributes || 'popover' in attributes) return true;
  return /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes['style'] ?? '');
}
