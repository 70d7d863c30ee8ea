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
  const between =
    (text: string): ElementRule =>
    () =>
      out.text(text);
  return {
    'm:naryPr': () => {
      operator = '∫';
      return () => sign(operator);
    },
    'm:chr': (attributes) => void (operator = attributeOf(attributes, 'val')),
    'm:rad': () => {
      sign('√(');
      return () => sign(')');
    },
    'm:d': () => {
      brackets.push(['(', ')']);
      return () => sign(brackets.pop()![1]);
    },
    'm:dPr': () => () => sign(brackets.at(-1)?.[0] ?? ''),
    'm:begChr': (attributes) => void brackets.at(-1)?.splice(0, 1, attributeOf(attributes, 'val')),
    'm:endChr': (attributes) => void brackets.at(-1)?.splice(1, 1, attributeOf(attributes, 'val')),
    den: between('/'),
    sup: between('^'),
    sub: between('_'),
  };
}
