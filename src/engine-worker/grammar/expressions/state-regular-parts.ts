import { choice, partsOf, repeat, rule, sequence, text, type Expression, type Grammar } from './grammar.ts';
import { FREE_TEXT, languageExpression } from './language-grammar.ts';
import { NumberedRules } from './rule-maker.ts';
import { concat, literal, one, or, repeated, type Language } from '../regular-language/regular-language.ts';

/**
 * Returns the names of the rules that use no recursive rule. Such a rule describes a regular language, so an automaton
 * can replace it.
 */
export function regularRules(rules: Grammar['rules']): ReadonlySet<string> {
  const regular = new Set<string>();
  for (let size = -1; size < regular.size;) {
    size = regular.size;
    for (const [name, expression] of rules) if (isRegular(expression, regular)) regular.add(name);
  }
  return regular;
}

export function isRegular(expression: Expression, regular: ReadonlySet<string>): boolean {
  return partsOf(expression).every((part) => part.kind !== 'rule' || regular.has(part.name));
}

/**
 * Replaces the regular parts of a grammar by deterministic automata, and long options by rules of their own. Both work
 * around xgrammar 0.1.27. It confuses options that begin with the same text: `("," | "ab") "y" | "ab" "z"` would allow
 * `,z`. And an ambiguous part, such as `[a-z]? [a-z]?` repeated a hundred times, would take it minutes.
 * @returns null if an automaton has too many states.
 */
export function stateRegularParts({ root, rules }: Grammar): Grammar | null {
  const regular = regularRules(rules);
  const languages = new Map<string, Language>();
  const stated = new NumberedRules('part');
  const names = new Map<string, string>();
  let isTooComplex = false;

  function asRule(expression: Expression): Expression {
    return expression.kind === 'sequence' || expression.kind === 'repeat'
      ? rule(stated.add(() => expression))
      : expression;
  }

  function languageOf(expression: Expression): Language {
    switch (expression.kind) {
      case 'text':
        return literal(expression.text);
      case 'set':
        return one(expression.set);
      case 'sequence':
        return concat(...expression.parts.map(languageOf));
      case 'choice':
        return or(...expression.options.map(languageOf));
      case 'repeat':
        return repeated(languageOf(expression.part), expression.min, expression.max);
      case 'rule': {
        const language = languages.get(expression.name) ?? languageOf(rules.get(expression.name)!);
        languages.set(expression.name, language);
        return language;
      }
    }
  }

  function automaton(expression: Expression): Expression {
    if (expression.kind === 'text' || expression.kind === 'set') return expression;
    const language = languageOf(expression);
    const known = names.get(language.key);
    if (known !== undefined) return rule(known);
    const name = stated.add(() => {
      const stating = languageExpression(language, FREE_TEXT, stated);
      isTooComplex ||= stating === null;
      return stating ?? text('');
    });
    names.set(language.key, name);
    return rule(name);
  }

  function state(expression: Expression): Expression {
    if (isRegular(expression, regular)) return automaton(expression);
    switch (expression.kind) {
      case 'sequence':
        return sequence(...runs(expression.parts).map((run) => state(sequence(...run))));
      case 'choice': {
        const plain = expression.options.filter((option) => isRegular(option, regular));
        const others = expression.options.filter((option) => !plain.includes(option));
        return choice(
          ...(plain.length > 0 ? [automaton(choice(...plain))] : []),
          ...others.map((one) => asRule(state(one))),
        );
      }
      case 'repeat':
        return repeat(asRule(state(expression.part)), expression.min, expression.max);
      default:
        return expression;
    }
  }

  /** Groups consecutive regular parts; each other part stays alone. */
  function runs(parts: readonly Expression[]): readonly (readonly Expression[])[] {
    const all: Expression[][] = [];
    let wasRegular = false;
    for (const part of parts) {
      const is = isRegular(part, regular);
      if (is && wasRegular) all.at(-1)!.push(part);
      else all.push([part]);
      wasRegular = is;
    }
    return all;
  }

  if (regular.has(root)) stated.define(root, automaton(rule(root)));
  else for (const [name, expression] of rules) if (!regular.has(name)) stated.define(name, state(expression));
  return isTooComplex ? null : { root, rules: stated.rules };
}
