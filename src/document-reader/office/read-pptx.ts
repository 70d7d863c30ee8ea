import { tableRules } from './table-rules.ts';
import { addTexts } from './add-texts.ts';
import { mainPartOf, relationsOf } from './office-relations.ts';
import type { DocumentPackage } from '../open-package.ts';
import { RaisedText } from '../raised-text.ts';
import type { TextBuilder } from '../text-builder.ts';
import { attributeOf, walkMarkup, type ElementRule } from '../walk-markup.ts';

/** Adds the slides of a PowerPoint presentation in their order, each with its notes. Hidden slides are left out. */
export function readPptx(source: DocumentPackage, out: TextBuilder): void {
  const main = mainPartOf(source, 'ppt/presentation.xml');
  const relations = relationsOf(source, main);
  const slides: string[] = [];
  walkMarkup(source.text(main) ?? '', {
    elements: {
      sldId: (attributes) => {
        const id = attributeOf(attributes, 'id');
        slides.push(relations.find((relation) => relation.id === id)?.target ?? '');
      },
    },
  });
  for (const [index, slide] of slides.entries()) {
    if (out.isFull) return;
    const xml = source.text(slide) ?? '';
    if (/<[\w:]*sld\b[^>]*\bshow="(?:0|false)"/.test(xml.slice(0, 2000))) {
      out.leave('hidden');
      out.endPage();
      continue;
    }
    out.paragraph();
    out.text(`# ${index + 1}`);
    out.paragraph();
    addSlide(source, slide, xml, out);
    for (const { type, target } of relationsOf(source, slide)) {
      if (type === 'notesSlide') addSlide(source, target, source.text(target) ?? '', out, true);
      if (type === 'comments') addTexts(source, target, out);
    }
    out.endPage();
  }
}

/** @param isNotes Whether this is the page of a slide's notes, of which only the notes are new. */
function addSlide(source: DocumentPackage, part: string, xml: string, out: TextBuilder, isNotes = false): void {
  const relations = relationsOf(source, part);
  let isText = false;
  let isSkippedShape = false;
  const marks = new RaisedText();
  const paragraph: ElementRule = () => {
    marks.restart();
    out.line();
    return () => out.line();
  };
  walkMarkup(xml, {
    elements: {
      sp: () => {
        out.paragraph();
        return () => (isSkippedShape = false);
      },
      // The notes' page repeats slide number, header and date.
      ph: (attributes) => void (isSkippedShape = isNotes && attributeOf(attributes, 'type') !== 'body'),
      p: paragraph,
      r: () => void (marks.raise = ''),
      rPr: (attributes) => {
        const baseline = Number.parseInt(attributeOf(attributes, 'baseline')) || 0;
        marks.raise = baseline > 0 ? '^' : baseline < 0 ? '_' : '';
      },
      br: () => out.line(),
      tab: () => out.words(' '),
      t: () => {
        isText = true;
        return () => (isText = false);
      },
      ...tableRules(out),
      cNvPr: (attributes) => {
        const alt = attributeOf(attributes, 'descr').trim();
        if (alt === '' || isNotes) return;
        out.paragraph();
        out.text(`[${alt}]`);
      },
      pic: () => out.leave('image'),
      chart: () => out.leave('chart'),
      videoFile: () => out.leave('video'),
      audioFile: () => out.leave('audio'),
      oleObj: () => out.leave('object'),
      relIds: (attributes) => {
        const id = attributeOf(attributes, 'dm');
        out.leave('diagram');
        out.paragraph();
        addTexts(source, relations.find((relation) => relation.id === id)?.target ?? '', out);
      },
      Fallback: () => 'skip',
    },
    text: (value) => {
      if (isText && !isSkippedShape) out.text(marks.before(value) + value);
    },
    isDone: () => out.isFull,
  });
}
