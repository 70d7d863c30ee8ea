import type { Expression, Grammar } from '../../src/engine-worker/grammar/expressions/grammar.ts';
import type { Random } from './random.ts';

/** Number of expansions after which the sampler takes the shortest way to the end. */
const MAX_STEPS = 400;

/** Samples texts from a grammar. It prefers the ends of ranges and the limits of repetitions. */
export class GrammarSampler {
  readonly #grammar: Grammar;
  /** For each rule, the number of nested rules in its shortest text. */
  readonly #depths: ReadonlyMap<string, number>;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    this.#depths = depthsOf(grammar);
  }

  sample(random: Random): string {
    let written = '';
    // A list instead of recursion: rules that count characters are nested as deeply as the text is long.
    const open: Expression[] = [{ kind: 'rule', name: this.#grammar.root }];
    let steps = 0;
    for (let expression = open.pop(); expression !== undefined; expression = open.pop()) {
      const hurry = ++steps > MAX_STEPS;
      switch (expression.kind) {
        case 'text':
          written += expression.text;
          break;
        case 'set': {
          const [from, to] = random.of(expression.set);
          const offset = random.once(3) ? random.of([0, to - from]) : random.below(to - from + 1);
          written += String.fromCodePoint(from + offset);
          break;
        }
        case 'sequence':
          open.push(...expression.parts.toReversed());
          break;
        case 'choice': {
          const depths = hurry ? expression.options.map((option) => depthOf(option, this.#depths)) : [];
          open.push(hurry ? expression.options[depths.indexOf(Math.min(...depths))]! : random.of(expression.options));
          break;
        }
        case 'repeat': {
          const { part, min, max } = expression;
          const further = hurry ? 0 : random.once(8) ? Math.min(max - min, 40) : Math.min(max - min, random.below(4));
          for (let count = min + further; count > 0; count--) open.push(part);
          break;
        }
        case 'rule':
          open.push(this.#grammar.rules.get(expression.name)!);
      }
    }
    return written;
  }
}

function depthsOf({ rules }: Grammar): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, expression] of rules) {
      const depth = depthOf(expression, depths) + 1;
      if (depth >= (depths.get(name) ?? Infinity)) continue;
      depths.set(name, depth);
      changed = true;
    }
  }
  return depths;
}

function depthOf(expression: Expression, depths: ReadonlyMap<string, number>): number {
  switch (expression.kind) {
    case 'sequence':
      return Math.max(0, ...expression.parts.map((part) => depthOf(part, depths)));
    case 'choice':
      return Math.min(...expression.options.map((option) => depthOf(option, depths)));
    case 'repeat':
      return expression.min === 0 ? 0 : depthOf(expression.part, depths);
    case 'rule':
      return depths.get(expression.name) ?? Infinity;
    default:
      return 0;
  }
}
