import type { CharacterSet } from './character-set.ts';
import type { Expression, Grammar } from './grammar.ts';

/** Prints a grammar in GBNF, llama.cpp's notation. Names of its rules have letters, digits and hyphens. */
export function printGbnf({ root, rules }: Grammar): string {
  const nameOf = (name: string) => (name === root ? 'root' : `r-${name.replaceAll(/[^a-zA-Z\d]/g, '-')}`);
  return [...rules].map(([name, expression]) => `${nameOf(name)} ::= ${print(expression, nameOf)}\n`).join('');
}

function print(expression: Expression, nameOf: (name: string) => string): string {
  const inner = (part: Expression) => print(part, nameOf);
  switch (expression.kind) {
    case 'text':
      return `"${[...expression.text].map((character) => escaped(character.codePointAt(0)!)).join('')}"`;
    case 'set':
      return printSet(expression.set);
    case 'sequence':
      return expression.parts.map((part) => (part.kind === 'choice' ? `(${inner(part)})` : inner(part))).join(' ');
    case 'choice':
      return expression.options.map(inner).join(' | ');
    case 'repeat':
      return `(${inner(expression.part)})${quantifier(expression.min, expression.max)}`;
    case 'rule':
      return nameOf(expression.name);
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printSet(set: CharacterSet): string {
  return `[${set.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')}]`;
}

/** Letters, digits and blanks as they are, other characters by their numbers, since some have a meaning in GBNF. */
function escaped(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (/[a-zA-Z\d ]/.test(character)) return character;
  if (codePoint <= 0xff) return `\\x${codePoint.toString(16).padStart(2, '0')}`;
  const digits = codePoint <= 0xff_ff ? 4 : 8;
  return `\\${digits === 4 ? 'u' : 'U'}${codePoint.toString(16).padStart(digits, '0')}`;
}
