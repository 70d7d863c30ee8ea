import { quote } from '../../../shared/describe-value.ts';
import { mayBeEmpty, rulesThatMayBeEmpty } from './empty-expressions.ts';
import { partsOf, withRuleNames, type Expression, type Grammar } from './grammar.ts';
import { productiveGrammar } from './productive-grammar.ts';
import { isRegular, regularRules, stateRegularParts } from './state-regular-parts.ts';

/** A grammar of a request that cannot be used. The message is the rest of a sentence whose subject is the grammar. */
export class GrammarProblem extends Error {}

/** Limit of the numbers in a repetition such as `{2,5}` in llama.cpp. */
const MAX_REPETITIONS = 2000;

/**
 * Limit of the characters of a grammar after rules and limited repetitions are expanded; a character class or
 * repetition counts as ten. xgrammar blocks the engine's thread while it compiles, for 8 ms per class with a vocabulary
 * of 80,000 tokens.
 */
const MAX_COST = 5000;
const COST_OF_CLASS = 10;

/**
 * Checks that xgrammar and llama.cpp can both compile a grammar, and removes rules and options that recurse without
 * end. The rules get new names, because the two libraries allow different names.
 * @throws GrammarProblem
 */
export function checkGivenGrammar({ root, rules }: Grammar): Grammar {
  if (!rules.has(root)) throw new GrammarProblem(`has no rule ${quote(root)}, which is the whole answer; add it`);
  refuseUnknownRules(rules);
  refuseRepetitions(rules);
  refuseExcess(rules, regularRules(rules), root);
  const empty = rulesThatMayBeEmpty(rules);
  refuseEmptyRepetitions(rules, empty);
  refuseLeftRecursion(rules, empty);
  const names = new Map([...rules.keys()].map((name, index) => [name, `given${index}`]));
  const newName = (name: string) => names.get(name)!;
  const renamed = [...rules].map(([name, expression]) => [newName(name), withRuleNames(expression, newName)] as const);
  const grammar = productiveGrammar({ root: newName(root), rules: new Map(renamed) });
  if (grammar === null) throw new GrammarProblem('allows no answer that ends; give a rule an option without itself');
  const stated = stateRegularParts(grammar);
  if (stated === null) throw new GrammarProblem(`has a part without recursion that is too complex; ${SHORTEN}`);
  refuseExcess(stated.rules, new Set(), stated.root);
  return stated;
}

const SHORTEN = 'use fewer or simpler parts';

type Rules = Grammar['rules'];

function refuseUnknownRules(rules: Rules): void {
  for (const [name, expression] of rules) {
    const unknown = partsOf(expression).find((part) => part.kind === 'rule' && !rules.has(part.name));
    if (unknown?.kind === 'rule') {
      throw new GrammarProblem(`uses ${quote(unknown.name)} in its rule ${quote(name)}, and has no such rule; add it`);
    }
  }
}

function refuseRepetitions(rules: Rules): void {
  for (const part of [...rules.values()].flatMap(partsOf)) {
    if (part.kind === 'repeat' && leastLimit(part) > MAX_REPETITIONS) {
      throw new GrammarProblem(
        `repeats a part ${leastLimit(part)} times, and ${MAX_REPETITIONS} is the most; use * or +`,
      );
    }
  }
}

/**
 * Throws if the expanded grammar exceeds {@link MAX_COST}.
 * @param inlined Rules that are expanded wherever they are used.
 */
function refuseExcess(rules: Rules, inlined: ReadonlySet<string>, root: string): void {
  const costs = new Map<string, number>();
  const costOf = (expression: Expression): number => {
    switch (expression.kind) {
      case 'text':
        return expression.text.length;
      case 'set':
        return COST_OF_CLASS;
      case 'sequence':
        return sum(expression.parts.map(costOf));
      case 'choice':
        return sum(expression.options.map(costOf));
      case 'repeat':
        return COST_OF_CLASS + costOf(expression.part) * Math.max(1, leastLimit(expression));
      case 'rule': {
        if (!inlined.has(expression.name)) return 1;
        const cost = costs.get(expression.name) ?? costOf(rules.get(expression.name)!);
        costs.set(expression.name, cost);
        return cost;
      }
    }
  };
  const counted = [...rules].filter(([name]) => name === root || !inlined.has(name));
  if (sum(counted.map(([, expression]) => costOf(expression))) > MAX_COST) {
    throw new GrammarProblem(`is too large with its rules and limited repetitions written out; ${SHORTEN}`);
  }
}

/** Returns how many copies of the part the expanded repetition has. */
function leastLimit({ min, max }: Expression & { kind: 'repeat' }): number {
  return max === Infinity ? min : max;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Throws for a repetition whose part may be empty. llama.cpp expands a repetition to a rule that begins with the part,
 * so an empty part would make that rule left-recursive.
 */
function refuseEmptyRepetitions(rules: Rules, empty: ReadonlySet<string>): void {
  const regular = regularRules(rules);
  for (const [name, expression] of rules) {
    for (const part of partsOf(expression)) {
      if (part.kind !== 'repeat' || part.max !== Infinity || isRegular(part.part, regular)) continue;
      if (mayBeEmpty(part.part, empty)) {
        throw new GrammarProblem(
          `repeats, in its rule ${quote(name)}, a part that may be empty; let the part have a character at least`,
        );
      }
    }
  }
}

function refuseLeftRecursion(rules: Rules, empty: ReadonlySet<string>): void {
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (name: string): void => {
    if (done.has(name)) return;
    if (open.has(name)) {
      const sentence = `begins its rule ${quote(name)} with that rule itself; write it with * or +, or put a text before it`;
      throw new GrammarProblem(sentence);
    }
    open.add(name);
    for (const first of firstRules(rules.get(name)!, empty)) visit(first);
    open.delete(name);
    done.add(name);
  };
  for (const name of rules.keys()) visit(name);
}

/** Returns the names of the rules with which an expression may begin. */
function firstRules(expression: Expression, empty: ReadonlySet<string>): readonly string[] {
  switch (expression.kind) {
    case 'sequence': {
      const full = expression.parts.findIndex((part) => !mayBeEmpty(part, empty));
      const first = full === -1 ? expression.parts : expression.parts.slice(0, full + 1);
      return first.flatMap((part) => firstRules(part, empty));
    }
    case 'choice':
      return expression.options.flatMap((option) => firstRules(option, empty));
    case 'repeat':
      return firstRules(expression.part, empty);
    case 'rule':
      return [expression.name];
    default:
      return [];
  }
}
