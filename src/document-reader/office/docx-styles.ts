import type { DocumentPackage } from '../open-package.ts';
import { attributeOf, walkMarkup, type Attributes, type ElementRule } from '../walk-markup.ts';

/** What a style of paragraphs or characters means for the text. */
export interface ParagraphStyle {
  basedOn: string;
  /** Level of the heading from 0; undefined for other text. */
  level?: number;
  numId?: string;
  listLevel?: number;
  isHidden?: boolean;
}

/**
 * Rules for tracked changes of properties. Each contains the properties before the change, which are shown no more and
 * would overwrite the present ones.
 */
export const FORMER_PROPERTIES: Readonly<Record<string, ElementRule>> = Object.fromEntries(
  ['rPr', 'pPr', 'sectPr', 'tblPr', 'tblPrEx', 'tblGrid', 'trPr', 'tcPr', 'numbering'].map((name) => [
    `${name}Change`,
    () => 'skip',
  ]),
);

/**
 * Reads the styles of a DOCX file by their ids. The ids of headings depend on the language of the program, so
 * that headings are recognised by their outline level.
 */
export function docxStyles(source: DocumentPackage, part: string): ReadonlyMap<string, ParagraphStyle> {
  const styles = new Map<string, ParagraphStyle>();
  let style: ParagraphStyle = { basedOn: '' };
  walkMarkup(source.text(part) ?? '', {
    elements: {
      ...FORMER_PROPERTIES,
      style: (attributes) => {
        style = { basedOn: '' };
        styles.set(attributeOf(attributes, 'styleId'), style);
      },
      name: (attributes) => {
        const level = /^heading (\d)$/i.exec(attributeOf(attributes, 'val'))?.[1];
        if (level !== undefined) style.level = Number(level) - 1;
        if (/^title$/i.test(attributeOf(attributes, 'val'))) style.level = 0;
      },
      basedOn: (attributes) => void (style.basedOn = attributeOf(attributes, 'val')),
      outlineLvl: (attributes) => {
        const level = Number(attributeOf(attributes, 'val'));
        if (level < 9) style.level ??= level;
      },
      vanish: (attributes) => void (style.isHidden = isOn(attributes)),
      numId: (attributes) => void (style.numId = attributeOf(attributes, 'val')),
      ilvl: (attributes) => void (style.listLevel = Number(attributeOf(attributes, 'val'))),
    },
  });
  return styles;
}

/** Whether an element that is a switch is on. */
export function isOn(attributes: Attributes): boolean {
  return !/^(?:0|false|off)$/.test(attributeOf(attributes, 'val'));
}

/** Returns a property of a style or of the nearest style on which it is based. */
export function styleProperty<Name extends 'level' | 'numId' | 'listLevel' | 'isHidden'>(
  styles: ReadonlyMap<string, ParagraphStyle>,
  id: string,
  name: Name,
): ParagraphStyle[Name] | undefined {
  // Limited, because faulty files have styles that are based on each other.
  for (let steps = 0; steps < 20; steps += 1) {
    const style = styles.get(id);
    if (style === undefined) return undefined;
    if (style[name] !== undefined) return style[name];
    id = style.basedOn;
  }
  return undefined;
}
