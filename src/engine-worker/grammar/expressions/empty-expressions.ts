import type { Expression, Grammar } from './grammar.ts';

/** Returns the names of the rules that match the empty text, perhaps besides others. */
export function rulesThatMayBeEmpty(rules: Grammar['rules']): ReadonlySet<string> {
  const empty = new Set<string>();
  for (let size = -1; size < empty.size;) {
    size = empty.size;
    for (const [name, expression] of rules) if (mayBeEmpty(expression, empty)) empty.add(name);
  }
  return empty;
}

/** Whether an expression matches the empty text. @param rules The rules that do. */
export function mayBeEmpty(expression: Expression, rules: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'text':
      return expression.text === '';
    case 'set':
      return false;
    case 'sequence':
      return expression.parts.every((part) => mayBeEmpty(part, rules));
    case 'choice':
      return expression.options.some((option) => mayBeEmpty(option, rules));
    case 'repeat':
      return expression.min === 0 || mayBeEmpty(expression.part, rules);
    case 'rule':
      return rules.has(expression.name);
  }
}
