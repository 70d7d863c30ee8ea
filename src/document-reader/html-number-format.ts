import { attributeOf, type Attributes } from './walk-markup.ts';

/** Characters of a style in which the numbers of a list are looked for. */
const LONGEST_STYLE = 500;

const FORMATS_BY_TYPE: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Returns the format of the numbers of an `ol` element, which its `type` or its own style names, for `numeral`. */
export function htmlNumberFormat(attributes: Attributes): string {
  const style = /list-style(?:-type)?\s*:[^;]*?\b(lower|upper)-(alpha|latin|roman)/i.exec(
    (attributes['style'] ?? '').slice(0, LONGEST_STYLE),
  );
  if (style === null) return FORMATS_BY_TYPE[attributeOf(attributes, 'type')] ?? 'decimal';
  return `${style[1]!.toLowerCase()}${style[2]!.toLowerCase() === 'roman' ? 'Roman' : 'Letter'}`;
}
