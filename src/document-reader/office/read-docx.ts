import { tableRules } from './table-rules.ts';
import { addTexts } from './add-texts.ts';
import { docxNumbering } from './docx-numbering.ts';
import { formFieldRules } from './form-field-rules.ts';
import { formulaRules } from './formula-rules.ts';
import { symbolOf } from './docx-symbols.ts';
import { rubyRules } from './ruby-rules.ts';
import { docxStyles, FORMER_PROPERTIES, isOn, styleProperty } from './docx-styles.ts';
import { addHtmlText } from '../html-text.ts';
import { ListLabels } from '../list-labels.ts';
import { mainPartOf, relationsOf } from './office-relations.ts';
import type { DocumentPackage } from '../open-package.ts';
import { RaisedText, type Raise } from '../raised-text.ts';
import type { TextBuilder } from '../text-builder.ts';
import { attributeOf, walkMarkup, type ElementRule } from '../walk-markup.ts';

interface Paragraph {
  style: string;
  numId: string | undefined;
  listLevel: number | undefined;
  /** Level of a heading, from 0; undefined: that of the style. */
  headingLevel: number | undefined;
  hasText: boolean;
  isHeading: boolean;
  readonly marks: RaisedText;
}

/**
 * Adds the text of a Word document: headers, body with text boxes, footers, then footnotes and comments. Deleted and
 * hidden text is left out.
 */
export function readDocx(source: DocumentPackage, out: TextBuilder): void {
  const main = mainPartOf(source, 'word/document.xml');
  const relations = relationsOf(source, main);
  const partOf = (type: string): string => relations.find((relation) => relation.type === type)?.target ?? '';
  const targetOf = (id: string): string => relations.find((relation) => relation.id === id)?.target ?? '';
  const styles = docxStyles(source, partOf('styles'));
  const numbering = docxNumbering(source, partOf('numbering'));
  const labels = new ListLabels();
  /** Ids of footnotes, endnotes and comments in the order of their marks. */
  const marks: { readonly kind: 'footnote' | 'endnote' | 'comment'; readonly id: string }[] = [];

  const paragraphs: Paragraph[] = [];
  let isInList = false;
  const beforeText = (): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph === undefined || paragraph.hasText) return;
    paragraph.hasText = true;
    const { style } = paragraph;
    const numId = paragraph.numId ?? styleProperty(styles, style, 'numId');
    const level = paragraph.listLevel ?? styleProperty(styles, style, 'listLevel') ?? 0;
    const heading = paragraph.headingLevel ?? styleProperty(styles, style, 'level');
    const list = numId === undefined ? undefined : numbering.get(numId);
    const start = list?.restarts.delete(level) === true ? list.levels[level]?.start : undefined;
    const label = list === undefined ? '' : labels.next(list.count, level, list.levels, start);
    const wasInList = isInList;
    paragraph.isHeading = heading !== undefined;
    isInList = label !== '' && heading === undefined;
    if (isInList && wasInList) out.line();
    else out.paragraph();
    if (heading !== undefined) out.text(`${'#'.repeat(Math.min(heading + 1, 6))} `);
    if (isInList) out.text('  '.repeat(Math.min(level, 8)));
    if (label !== '') out.text(`${label} `);
  };

  let run: { isHidden: boolean; raise: Raise } | null = null;
  let isText = false;
  const leave =
    (kind: 'image' | 'chart' | 'object'): ElementRule =>
    () =>
      out.leave(kind);
  const mark =
    (kind: 'footnote' | 'endnote' | 'comment'): ElementRule =>
    (attributes) => {
      marks.push({ kind, id: attributeOf(attributes, 'id') });
      out.words(` [${marks.length}]`);
    };
  const inRun = (text: string): void => {
    if (run === null || run.isHidden) return;
    beforeText();
    const marks = paragraphs.at(-1)?.marks ?? new RaisedText();
    marks.raise = run.raise;
    out.text(marks.before(text) + text);
  };
  /** A heading is one line, and no paragraph begins with an empty one, as after the end of a page. */
  const lineBreak = (): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph?.hasText === true) inRun(paragraph.isHeading ? ' ' : '\n');
  };
  const elements: Record<string, ElementRule> = {
    p: () => {
      paragraphs.push({
        style: '',
        numId: undefined,
        listLevel: undefined,
        headingLevel: undefined,
        hasText: false,
        isHeading: false,
        marks: new RaisedText(),
      });
      return () => {
        const { hasText } = paragraphs.pop()!;
        // Cells are built from paragraphs that are not part of the list before the table.
        if (hasText) out.line();
      };
    },
    pStyle: (attributes) => void Object.assign(paragraphs.at(-1) ?? {}, { style: attributeOf(attributes, 'val') }),
    numId: (attributes) => void Object.assign(paragraphs.at(-1) ?? {}, { numId: attributeOf(attributes, 'val') }),
    ilvl: (attributes) => {
      Object.assign(paragraphs.at(-1) ?? {}, { listLevel: Number(attributeOf(attributes, 'val')) || 0 });
    },
    outlineLvl: (attributes) => {
      const level = Number(attributeOf(attributes, 'val'));
      // 9 is the level of body text.
      if (level < 9) Object.assign(paragraphs.at(-1) ?? {}, { headingLevel: level });
    },
    r: () => {
      const outer = run;
      const isHidden = styleProperty(styles, paragraphs.at(-1)?.style ?? '', 'isHidden') === true;
      run = { isHidden, raise: '' };
      return () => {
        if (run?.isHidden === true) out.leave('hidden');
        run = outer;
      };
    },
    rStyle: (attributes) => {
      const isHidden = styleProperty(styles, attributeOf(attributes, 'val'), 'isHidden');
      if (run !== null && isHidden !== undefined) run.isHidden = isHidden;
    },
    vanish: (attributes) => {
      if (run !== null) run.isHidden = isOn(attributes);
    },
    vertAlign: (attributes) => {
      const align = attributeOf(attributes, 'val');
      if (run !== null) run.raise = align === 'superscript' ? '^' : align === 'subscript' ? '_' : '';
    },
    ...formFieldRules(inRun),
    ...rubyRules(out, inRun),
    t: () => {
      isText = true;
      return () => (isText = false);
    },
    tab: () => inRun('\t'),
    ptab: () => inRun('\t'),
    br: lineBreak,
    cr: lineBreak,
    noBreakHyphen: () => inRun('-'),
    sym: (attributes) => {
      const code = Number.parseInt(attributeOf(attributes, 'char'), 16);
      const known = symbolOf(attributeOf(attributes, 'font'), code);
      // Other characters of the private use area are pictures of a symbol font.
      if (known !== undefined) inRun(known);
      else if (code > 0x1f && code < 0xd800) inRun(String.fromCodePoint(code));
      else out.leave('image');
    },
    footnoteReference: mark('footnote'),
    endnoteReference: mark('endnote'),
    commentReference: mark('comment'),
    ...tableRules(out, () => (isInList = false)),
    txbxContent: () => {
      // A text box stands within a paragraph, in which its own paragraphs must not end up.
      out.startCapture();
      const outer = run;
      return () => {
        run = outer;
        const text = out.endCapture();
        if (text === '') return;
        out.paragraph();
        out.again(text);
        out.paragraph();
      };
    },
    docPr: (attributes) => {
      const alt = attributeOf(attributes, 'descr').trim();
      if (alt === '') return;
      beforeText();
      out.words(` [${alt}] `);
    },
    pic: leave('image'),
    imagedata: leave('image'),
    chart: leave('chart'),
    OLEObject: leave('object'),
    altChunk: (attributes) => {
      const target = targetOf(attributeOf(attributes, 'id'));
      const html = /\.(?:x?html?|txt)$/i.test(target) ? source.text(target) : null;
      if (html === null) out.leave('object');
      else addHtmlText(html, out, false);
    },
    relIds: (attributes) => {
      out.leave('diagram');
      addTexts(source, targetOf(attributeOf(attributes, 'dm')), out);
    },
    moveFrom: () => 'skip',
    // Deleted text has a name of its own, but tabs, pictures and marks of notes have not.
    del: () => 'skip',
    ...FORMER_PROPERTIES,
    // The same as `Choice`, for older programs.
    Fallback: () => 'skip',
    ...formulaRules(out, beforeText),
  };
  const addPart = (part: string): void => {
    isInList = false;
    walkMarkup(source.text(part) ?? '', {
      elements,
      text: (value) => {
        if (isText) inRun(value);
      },
      isDone: () => out.isFull,
    });
    out.paragraph();
  };
  const shown = new Set<string>();
  /** Adds headers or footers, equal ones once. */
  const addMargins = (type: 'header' | 'footer'): void => {
    for (const { target } of relations.filter((relation) => relation.type === type)) {
      out.startCapture();
      addPart(target);
      const text = out.endCapture();
      if (text.trim() === '' || shown.has(text)) continue;
      shown.add(text);
      out.paragraph();
      out.again(text);
      out.paragraph();
    }
  };

  addMargins('header');
  addPart(main);
  addMargins('footer');
  const notes = new Map<string, string>();
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    // Replies to a comment may have no mark of their own.
    if (kind !== 'comment' && !marks.some((one) => one.kind === kind)) continue;
    const note: ElementRule = (attributes) => {
      const id = attributeOf(attributes, 'id');
      const author = attributeOf(attributes, 'author');
      out.startCapture();
      return () => notes.set(`${kind} ${id}`, (author === '' ? '' : `${author}: `) + out.endCapture());
    };
    const part = partOf(`${kind}s`);
    isInList = false;
    elements[kind] = note;
    addPart(part);
  }
  for (const [index, { kind, id }] of marks.entries()) {
    const text = notes.get(`${kind} ${id}`);
    if (text === undefined) continue;
    out.line();
    out.again(`[${index + 1}] ${text}`);
    notes.delete(`${kind} ${id}`);
  }
  for (const [key, text] of notes) {
    if (!key.startsWith('comment')) continue;
    out.line();
    out.again(text);
  }
}
