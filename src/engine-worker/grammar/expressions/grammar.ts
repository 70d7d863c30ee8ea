import type { CharacterSet } from '../regular-language/character-set.ts';

/** A context-free grammar as data. Printers turn it into the notation of a library, such as xgrammar's EBNF. */
export interface Grammar {
  /** Name of the rule for the whole answer. */
  readonly root: string;
  readonly rules: ReadonlyMap<string, Expression>;
}

export type Expression =
  /** These characters, in this order. */
  | { readonly kind: 'text'; readonly text: string }
  /** One character of a set. */
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  /** One of the options. A choice without options matches nothing. */
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  | { readonly kind: 'rule'; readonly name: string };

/** Matches nothing, not even the empty text. */
export const NOTHING: Expression = { kind: 'choice', options: [] };

/** Matches the empty text. */
export const EMPTY: Expression = { kind: 'text', text: '' };

export function text(characters: string): Expression {
  return { kind: 'text', text: characters };
}

export function rule(name: string): Expression {
  return { kind: 'rule', name };
}

/** Creates a sequence of parts. Adjacent texts are joined. */
export function sequence(...given: readonly Expression[]): Expression {
  const parts: Expression[] = [];
  for (const part of given.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    if (isNothing(part)) return NOTHING;
    const last = parts.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') parts[parts.length - 1] = text(last.text + part.text);
    else if (part.kind !== 'text' || part.text !== '') parts.push(part);
  }
  if (parts.length === 0) return EMPTY;
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
}

export function choice(...given: readonly Expression[]): Expression {
  const options = given.flatMap((one) => (one.kind === 'choice' ? one.options : [one]));
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

/**
 * Repeats a part.
 * @param max Limit of the repetitions; `Infinity` for none.
 */
export function repeat(part: Expression, min: number, max: number): Expression {
  if (max === 0 || part === EMPTY) return EMPTY;
  if (isNothing(part)) return min === 0 ? EMPTY : NOTHING;
  return min === 1 && max === 1 ? part : { kind: 'repeat', part, min, max };
}

export function isNothing(expression: Expression): boolean {
  return expression.kind === 'choice' && expression.options.length === 0;
}

/** Returns an expression and all expressions in it. */
export function partsOf(expression: Expression): readonly Expression[] {
  const found = [expression];
  // The list grows while it is read.
  for (const part of found) {
    if (part.kind === 'sequence') found.push(...part.parts);
    else if (part.kind === 'choice') found.push(...part.options);
    else if (part.kind === 'repeat') found.push(part.part);
  }
  return found;
}

export function withRuleNames(expression: Expression, newName: (name: string) => string): Expression {
  switch (expression.kind) {
    case 'rule':
      return rule(newName(expression.name));
    case 'sequence':
      return { ...expression, parts: expression.parts.map((part) => withRuleNames(part, newName)) };
    case 'choice':
      return { ...expression, options: expression.options.map((option) => withRuleNames(option, newName)) };
    case 'repeat':
      return { ...expression, part: withRuleNames(expression.part, newName) };
    default:
      return expression;
  }
}
