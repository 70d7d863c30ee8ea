import { includes } from '../regular-language/character-set.ts';
import { mayBeEmpty, rulesThatMayBeEmpty } from './empty-expressions.ts';
import { choice, NOTHING, repeat, rule, sequence, text, type Expression, type Grammar } from './grammar.ts';
import { productiveGrammar, references } from './productive-grammar.ts';

/** Limit of the work of {@link grammarAfter}: about half a second. */
const MAX_STEPS = 1_000_000;

/** Adding a rule takes as long as this many other steps. */
const STEPS_OF_RULE = 20;

/**
 * Limit of the rules that are added. An ambiguous beginning adds many, and with 249 of them xgrammar did not end to match an
 * answer (2026-11-26), which blocks the engine's thread. Ten levels of operators with two open brackets need fewer than 100.
 */
const MAX_ADDED_RULES = 100;

const ROOT = 'root-after';

/** The rest of a grammar takes more than {@link MAX_STEPS} to compute, or needs more than {@link MAX_ADDED_RULES}. */
export class TooComplexRest extends Error {}

/**
 * Returns the grammar of what may follow the beginning of an answer; null if no answer begins so. Takes the derivative
 * of the grammar by each character of the beginning.
 * @param grammar A grammar without left recursion, which would make this function recurse without end.
 * @throws TooComplexRest
 */
export function grammarAfter({ root, rules: given }: Grammar, beginning: string): Grammar | null {
  const rules = new Map(given);
  const empty = new Set(rulesThatMayBeEmpty(given));
  /** What may follow a character in a rule, by the character and the rule's name. */
  const rests = new Map<string, Expression>();
  /** The names of the added rules, by their expressions as JSON. */
  const names = new Map<string, string>();
  let steps = 0;
  let rest = rule(root);
  for (const character of beginning) {
    rest = asOne(after(rest, character.codePointAt(0)!));
    if (rest === NOTHING) return null;
  }
  const used = usedRules({ root: ROOT, rules: rules.set(ROOT, rest) });
  if (used.size > given.size + MAX_ADDED_RULES) throw new TooComplexRest();
  return productiveGrammar({ root: ROOT, rules: used });

  function work(amount: number): void {
    steps += amount;
    if (steps > MAX_STEPS) throw new TooComplexRest();
  }

  /** Returns what may follow a character with which an expression begins: one expression for each way to begin so. */
  function after(expression: Expression, codePoint: number): readonly Expression[] {
    work(1);
    switch (expression.kind) {
      case 'text': {
        const first = expression.text.codePointAt(0);
        return first === codePoint ? [text(expression.text.slice(String.fromCodePoint(first).length))] : [];
      }
      case 'set':
        return includes(expression.set, codePoint) ? [text('')] : [];
      case 'sequence': {
        const ways: Expression[] = [];
        for (const [index, part] of expression.parts.entries()) {
          const others = expression.parts.slice(index + 1);
          work(others.length);
          for (const way of after(part, codePoint)) ways.push(sequence(way, ...others));
          if (!mayBeEmpty(part, empty)) break;
        }
        return ways;
      }
      case 'choice':
        return expression.options.flatMap((option) => after(option, codePoint));
      case 'repeat': {
        const { part, min, max } = expression;
        const further = repeat(part, Math.max(0, min - 1), max - 1);
        return after(part, codePoint).map((way) => sequence(way, further));
      }
      case 'rule': {
        const key = `${codePoint} ${expression.name}`;
        const known = rests.get(key) ?? asOne(after(rules.get(expression.name)!, codePoint));
        rests.set(key, known);
        return known === NOTHING ? [] : [known];
      }
    }
  }

  /**
   * Joins the ways to a single expression: several become the options of a rule. Were they listed wherever the expression
   * is used, their number would grow exponentially with the rules and the characters.
   */
  function asOne(ways: readonly Expression[]): Expression {
    if (ways.length <= 1) return ways[0] ?? NOTHING;
    const options = [...new Set(ways.map(nameOf))].toSorted();
    return rule(options.length === 1 ? options[0]! : nameOf(choice(...options.map(rule))));
  }

  /**
   * Returns the name of a rule with an expression. Ways often begin alike, as `"ab" "y"` and `"ab" "z"` do, and xgrammar
   * 0.1.27 confuses such options unless each is a rule of its own.
   */
  function nameOf(expression: Expression): string {
    if (expression.kind === 'rule') return expression.name;
    const key = JSON.stringify(expression);
    work(key.length / 4);
    const known = names.get(key);
    if (known !== undefined) return known;
    work(STEPS_OF_RULE);
    const name = `after${names.size}`;
    names.set(key, name);
    rules.set(name, expression);
    if (mayBeEmpty(expression, empty)) empty.add(name);
    return name;
  }
}

/** Returns the rules that the root needs: most of those that are added serve only until the next character. */
function usedRules({ root, rules }: Grammar): Grammar['rules'] {
  const used = new Map<string, Expression>();
  const queue = [root];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (used.has(name)) continue;
    used.set(name, rules.get(name)!);
    queue.push(...references(rules.get(name)!));
  }
  return used;
}
