import type { CharacterSet } from '../regular-language/character-set.ts';
import type { Expression } from './grammar.ts';

/** The differences between the notations of xgrammar (EBNF) and llama.cpp (GBNF). */
export interface Notation {
  readonly text: (text: string) => string;
  readonly set: (set: CharacterSet) => string;
  readonly rule: (name: string) => string;
  /** Whether a repeated rule gets no parentheses. llama.cpp would make a rule of them. Default: false. */
  readonly isBareRule?: true;
}

/** Prints the right side of a rule. */
export function printExpression(expression: Expression, notation: Notation): string {
  const inner = (part: Expression) => printExpression(part, notation);
  switch (expression.kind) {
    case 'text':
      return notation.text(expression.text);
    case 'set':
      return notation.set(expression.set);
    case 'sequence':
      return expression.parts.map((part) => (part.kind === 'choice' ? `(${inner(part)})` : inner(part))).join(' ');
    case 'choice':
      return expression.options.map(inner).join(' | ');
    case 'repeat': {
      const { part } = expression;
      const isBare = notation.isBareRule && part.kind === 'rule';
      return `${isBare ? inner(part) : repeated(inner(part))}${quantifier(expression.min, expression.max)}`;
    }
    case 'rule':
      return notation.rule(expression.name);
  }
}

/**
 * Prints a repeated part. A character class gets no parentheses: xgrammar would make them a rule, and then take a
 * hundred times as long to compute a token mask.
 */
function repeated(part: string): string {
  return /^\[[^\]]*\]$/.test(part) ? part : `(${part})`;
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
