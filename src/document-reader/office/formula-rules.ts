import { formulaPart, rootOf } from '../formula-part.ts';
import type { TextBuilder } from '../text-builder.ts';
import { attributeOf, type ElementRule } from '../walk-markup.ts';

/**
 * Returns the rules of formulas in Office Open XML: signs that are elements or attributes there, such as a root or a
 * bracket.
 * @param beforeText Called before a sign that may be the first one of a paragraph.
 */
export function formulaRules(out: TextBuilder, beforeText: () => void): Readonly<Record<string, ElementRule>> {
  let operator = '';
  /** The brackets that are open. */
  const brackets: [string, string][] = [];
  const sign = (text: string): void => {
    beforeText();
    out.text(text);
  };
  /** Writes a part after a mark, in parentheses if it needs them. */
  const part =
    (mark: string): ElementRule =>
    () => {
      beforeText();
      out.startCapture();
      return () => out.again(mark + formulaPart(out.endCapture()));
    };
  /** What is counted in each open element: rows in a matrix, cells in its rows, equations in a list; null in others. */
  const counts: ({ count: number; readonly mark: string } | null)[] = [];
  const counted =
    (mark: string | null): ElementRule =>
    () => {
      const outer = counts.at(-1);
      if (outer && (outer.count += 1) > 1) out.text(outer.mark);
      counts.push(mark === null ? null : { count: 0, mark });
      return () => counts.pop();
    };
  /** The degrees of the open roots. */
  const degrees: string[] = [];
  return {
    'm:naryPr': () => {
      operator = '∫';
      return () => sign(operator);
    },
    'm:chr': (attributes) => void (operator = attributeOf(attributes, 'val')),
    'm:rad': () => {
      beforeText();
      degrees.push('');
      out.startCapture();
      return () => out.again(rootOf(out.endCapture(), degrees.pop()!));
    },
    'm:deg': () => {
      out.startCapture();
      return () => void degrees.splice(-1, 1, out.endCapture());
    },
    'm:d': () => {
      brackets.push(['(', ')']);
      return () => sign(brackets.pop()![1]);
    },
    'm:dPr': () => () => sign(brackets.at(-1)?.[0] ?? ''),
    'm:m': counted('; '),
    'm:mr': counted(' '),
    'm:eqArr': counted('; '),
    'm:e': counted(null),
    'm:begChr': (attributes) => void brackets.at(-1)?.splice(0, 1, attributeOf(attributes, 'val')),
    'm:endChr': (attributes) => void brackets.at(-1)?.splice(1, 1, attributeOf(attributes, 'val')),
    num: part(''),
    den: part('/'),
    sup: part('^'),
    sub: part('_'),
    'm:lim': part('_'),
  };
}
