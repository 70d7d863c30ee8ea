import { includes } from './character-set.ts';
import { mayBeEmpty, rulesThatMayBeEmpty } from './empty-expressions.ts';
import { choice, repeat, rule, sequence, text, type Expression, type Grammar } from './grammar.ts';
import { productiveGrammar } from './productive-grammar.ts';

/** Limit of the ways in which a grammar allows a beginning. An ambiguous grammar may allow more with each character. */
const MOST_WAYS = 500;

const ROOT = 'after-beginning';

/**
 * Returns the grammar of what may follow the beginning of an answer; null if no answer begins so, or in more than
 * {@link MOST_WAYS} ways. Takes the derivative of the grammar by each character of the beginning.
 * @param grammar A grammar without left recursion, which would make this function recurse without end.
 */
export function grammarAfter({ root, rules }: Grammar, beginning: string): Grammar | null {
  const empty = rulesThatMayBeEmpty(rules);
  let ways: readonly Expression[] = [rule(root)];
  for (const character of beginning) {
    const codePoint = character.codePointAt(0)!;
    ways = distinct(ways.flatMap((way) => after(way, codePoint)));
    if (ways.length === 0 || ways.length > MOST_WAYS) return null;
  }
  return productiveGrammar({ root: ROOT, rules: new Map([...rules, [ROOT, choice(...ways)]]) });

  /** Returns what may follow a character with which an expression begins: one expression for each way to begin so. */
  function after(expression: Expression, codePoint: number): readonly Expression[] {
    switch (expression.kind) {
      case 'text': {
        const first = expression.text.codePointAt(0);
        return first === codePoint ? [text(expression.text.slice(String.fromCodePoint(first).length))] : [];
      }
      case 'set':
        return includes(expression.set, codePoint) ? [text('')] : [];
      case 'sequence': {
        const [first, ...others] = expression.parts;
        const begun = after(first!, codePoint).map((rest) => sequence(rest, ...others));
        return mayBeEmpty(first!, empty) ? [...begun, ...after(sequence(...others), codePoint)] : begun;
      }
      case 'choice':
        return expression.options.flatMap((option) => after(option, codePoint));
      case 'repeat': {
        const { part, min, max } = expression;
        const further = repeat(part, Math.max(0, min - 1), max - 1);
        return after(part, codePoint).map((rest) => sequence(rest, further));
      }
      case 'rule':
        return after(rules.get(expression.name)!, codePoint);
    }
  }
}

function distinct(expressions: readonly Expression[]): readonly Expression[] {
  return [...new Map(expressions.map((expression) => [JSON.stringify(expression), expression])).values()];
}
