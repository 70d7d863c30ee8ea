import type { CharacterSet } from '../regular-language/character-set.ts';
import type { Grammar } from './grammar.ts';
import { printExpression } from './print-expression.ts';
import { withShortRepeats } from './short-repeats.ts';

/** Prints a grammar in GBNF, llama.cpp's notation. The names of the rules may have letters, digits and hyphens. */
export function printGbnf(grammar: Grammar): string {
  const { root, rules } = withShortRepeats(grammar);
  const nameOf = (name: string) => (name === root ? 'root' : `r-${name.replaceAll(/[^a-zA-Z\d]/g, '-')}`);
  const notation = { text: printText, set: printSet, rule: nameOf, isBareRule: true } as const;
  return [...rules]
    .map(([name, expression]) => `${nameOf(name)} ::= ${printExpression(expression, notation)}\n`)
    .join('');
}

function printText(text: string): string {
  return `"${[...text].map((character) => escaped(character.codePointAt(0)!)).join('')}"`;
}

function printSet(set: CharacterSet): string {
  return `[${set.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')}]`;
}

/**
 * Prints letters, digits and blanks as they are, and other characters by their code points, because some have a meaning
 * in GBNF.
 */
function escaped(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (/[a-zA-Z\d ]/.test(character)) return character;
  if (codePoint <= 0xff) return `\\x${codePoint.toString(16).padStart(2, '0')}`;
  const digits = codePoint <= 0xff_ff ? 4 : 8;
  return `\\${digits === 4 ? 'u' : 'U'}${codePoint.toString(16).padStart(digits, '0')}`;
}
