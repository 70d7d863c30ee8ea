import { countedCharacters } from './counted-characters.ts';
import { EMPTY, repeat, rule, sequence, choice, type Expression, type Grammar } from './grammar.ts';
import { NumberedRules } from './rule-maker.ts';

/**
 * The most repetitions that are printed as a number. llama.cpp refuses a grammar if the rules that it makes of a repeated
 * part, times the repetitions, are 2000 or more (`MAX_REPETITION_THRESHOLD`), and takes a limit above 2000 for none.
 */
const MOST = 1000;

/** The most repetitions beside blocks that are counted one by one. */
const MOST_SINGLE = 64;

/**
 * Returns a grammar with the same texts that llama.cpp accepts: each repeated part is a character or a rule of its own, of
 * which llama.cpp makes one rule for each repetition, and more repetitions than {@link MOST} are counted in blocks.
 */
export function withShortRepeats({ root, rules }: Grammar): Grammar {
  const added = new NumberedRules('times');
  const shared = new Map<string, string>();
  const share = (key: string, make: () => Expression): Expression => {
    const name = shared.get(key) ?? added.add(make);
    shared.set(key, name);
    return rule(name);
  };

  function rewrite(expression: Expression): Expression {
    switch (expression.kind) {
      case 'sequence':
        return sequence(...expression.parts.map(rewrite));
      case 'choice':
        return choice(...expression.options.map(rewrite));
      case 'repeat': {
        const { min, max } = expression;
        const part = atom(rewrite(expression.part));
        const count = max === Infinity ? min : max;
        if (count <= MOST) return repeat(part, min, max);
        const rest = repeat(part, 0, Infinity);
        const of = { character: part, end: EMPTY, rest, mostSingle: MOST_SINGLE };
        return countedCharacters(of, min, max, (key, make) => share(`${JSON.stringify(part)} ${key}`, make));
      }
      default:
        return expression;
    }
  }

  /** Returns a part of which llama.cpp makes one rule for each repetition. */
  function atom(part: Expression): Expression {
    return part.kind === 'set' || part.kind === 'rule' ? part : share(JSON.stringify(part), () => part);
  }

  const rewritten = [...rules].map(([name, expression]) => [name, rewrite(expression)] as const);
  return { root, rules: new Map([...rewritten, ...added.rules]) };
}
