import { charactersOf, includes, type CharacterSet } from '../regular-language/character-set.ts';
import type { Expression, Grammar } from './grammar.ts';

/** What a production requires next: a character of a set, or a symbol, given by its number. */
type Part = CharacterSet | number;

/** A position in a production of a symbol. The positions of a production have consecutive numbers. */
interface State {
  readonly symbol: number;
  /** Undefined at the end of the production. */
  readonly part: Part | undefined;
}

/** Limit of steps, which take some tenths of a second. An ambiguous grammar needs many for each character. */
const MAX_STEPS = 2_000_000;

/**
 * Whether a text follows a grammar, by Earley's algorithm: for each character there is a column of the states that are
 * possible there, each with the column in which its production began.
 * @returns true also for a text that takes more than {@link MAX_STEPS}.
 */
export function matchesGrammar(grammar: Grammar, text: string): boolean {
  const { states, starts, root } = flatten(grammar);
  const empty = emptySymbols(states, starts);
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!);
  const size = codePoints.length + 1;
  const columns: Column[] = [new Column()];
  const begin = (symbol: number, at: number) =>
    starts[symbol]!.forEach((state) => columns[at]!.items.add(state * size + at));
  begin(root, 0);
  let steps = 0;
  for (let at = 0; at < size; at++) {
    const { items, waiting } = columns[at]!;
    const next = new Column();
    for (const item of items) {
      if (++steps > MAX_STEPS) return true;
      const { part, symbol } = states[Math.floor(item / size)]!;
      if (part === undefined) {
        const others = columns[item % size]!.waiting.get(symbol) ?? [];
        steps += others.length;
        for (const other of others) items.add(other + size);
      } else if (typeof part === 'number') {
        const others = waiting.get(part);
        others?.push(item);
        if (others === undefined) {
          waiting.set(part, [item]);
          begin(part, at);
        }
        if (empty.has(part)) items.add(item + size);
      } else if (at < codePoints.length && includes(part, codePoints[at]!)) next.items.add(item + size);
    }
    columns.push(next);
  }
  return [...columns[size - 1]!.items].some((item) => {
    const { part, symbol } = states[Math.floor(item / size)]!;
    return part === undefined && symbol === root && item % size === 0;
  });
}

class Column {
  /** Each item is one number: its state times the number of columns, plus the column in which it began. */
  readonly items = new Set<number>();
  /** The items that require a symbol next, by symbol. */
  readonly waiting = new Map<number, number[]>();
}

interface Table {
  readonly states: readonly State[];
  /** The first states of the productions of each symbol. */
  readonly starts: readonly (readonly number[])[];
  readonly root: number;
}

/** Converts a grammar to productions: lists of character sets and symbols. */
function flatten({ root, rules }: Grammar): Table {
  const states: State[] = [];
  const starts: number[][] = [];
  const addSymbol = () => starts.push([]) - 1;
  const addProduction = (symbol: number, parts: readonly Part[]) => {
    starts[symbol]!.push(states.length);
    states.push(...[...parts, undefined].map((part) => ({ symbol, part })));
  };
  const symbols = new Map(Array.from(rules.keys(), (name) => [name, addSymbol()]));

  function partsOf(expression: Expression): readonly Part[] {
    switch (expression.kind) {
      case 'text':
        return Array.from(expression.text, charactersOf);
      case 'set':
        return [expression.set];
      case 'sequence':
        return expression.parts.flatMap(partsOf);
      case 'rule':
        return [symbols.get(expression.name)!];
      case 'choice': {
        const symbol = addSymbol();
        for (const option of expression.options) addProduction(symbol, partsOf(option));
        return [symbol];
      }
      case 'repeat': {
        const { min, max } = expression;
        const part = partsOf(expression.part);
        const least = Array.from({ length: min }, () => part).flat();
        return max === min ? least : [...least, further(part, max - min)];
      }
    }
  }

  function further(part: readonly Part[], most: number): number {
    const symbol = addSymbol();
    addProduction(symbol, []);
    // Written with left recursion, which takes Earley's algorithm the fewest steps.
    if (most === Infinity) addProduction(symbol, [symbol, ...part]);
    else addProduction(symbol, most === 1 ? part : [...part, further(part, most - 1)]);
    return symbol;
  }

  for (const [name, expression] of rules) addProduction(symbols.get(name)!, partsOf(expression));
  return { states, starts, root: symbols.get(root)! };
}

/** Returns the symbols that may be empty. */
function emptySymbols(states: readonly State[], starts: Table['starts']): ReadonlySet<number> {
  const empty = new Set<number>();
  const isEmpty = (start: number) => {
    let state = start;
    for (let { part } = states[state]!; part !== undefined; part = states[++state]!.part) {
      if (typeof part !== 'number' || !empty.has(part)) return false;
    }
    return true;
  };
  for (let size = -1; size < empty.size;) {
    size = empty.size;
    starts.forEach((productions, symbol) => productions.some(isEmpty) && empty.add(symbol));
  }
  return empty;
}
