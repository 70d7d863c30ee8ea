import { ANY_CHARACTER, characterSet, intersection, LAST_CODE_POINT, type CharacterSet } from './character-set.ts';
import { boundaries, derivative, type Language } from './regular-language.ts';

/** A deterministic finite automaton that accepts a language. An accepting state can be reached from every state. */
export interface Automaton {
  /** The states; the first is the start. Empty if the language contains no text. */
  readonly states: readonly State[];
}

interface State {
  readonly accepting: boolean;
  readonly moves: readonly (readonly [characters: CharacterSet, target: number])[];
}

/** Limit of the work of {@link automatonOf} with `limitsWork`: some tenths of a second. */
const MAX_WORK = 30_000_000;

/**
 * Builds the automaton of a language from its (Brzozowski) derivatives.
 * @param limitsWork Whether to give up if the derivatives get too large. A hundred consecutive optional parts have such
 * derivatives. Default: false.
 * @returns null if there are too many states or too much work.
 */
export function automatonOf(language: Language, mostStates: number, limitsWork = false): Automaton | null {
  let work = 0;
  const numbers = new Map([[language.key, 0]]);
  const queue = [language];
  const states: State[] = [];
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    const targets = new Map<number, [number, number][]>();
    for (const [from, to] of pieces(current)) {
      const next = derivative(current, from);
      const known = numbers.get(next.key);
      const target = known ?? numbers.size;
      if (known === undefined) {
        work += next.key.length * ('parts' in next ? next.parts.length : 1);
        if (limitsWork && work > MAX_WORK) return null;
        if (target === mostStates) return null;
        numbers.set(next.key, target);
        queue.push(next);
      }
      targets.set(target, [...(targets.get(target) ?? []), [from, to]]);
    }
    const moves = [...targets].map(([target, ranges]) => [characterSet(ranges), target] as const);
    states.push({ accepting: current.nullable, moves });
  }
  return minimal(withoutDeadEnds(states));
}

/** Returns the ranges of characters within which all characters lead to the same derivative. */
function pieces(language: Language): CharacterSet {
  const starts = [...boundaries(language).add(0)].filter((start) => start <= LAST_CODE_POINT).toSorted((a, b) => a - b);
  return starts.flatMap((start, index) =>
    intersection([[start, (starts[index + 1] ?? LAST_CODE_POINT + 1) - 1]], ANY_CHARACTER),
  );
}

/** Removes the states from which no accepting state can be reached. */
function withoutDeadEnds(states: readonly State[]): readonly State[] {
  const sources = states.map((): number[] => []);
  states.forEach(({ moves }, source) => moves.forEach(([, target]) => sources[target]!.push(source)));
  const alive = new Set<number>();
  const reached = states.flatMap(({ accepting }, index) => (accepting ? [index] : []));
  for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
    if (alive.has(index)) continue;
    alive.add(index);
    reached.push(...sources[index]!);
  }
  return alive.has(0) ? renumbered(states, (index) => (alive.has(index) ? index : null)) : [];
}

/** Merges the states that accept the same texts (Moore's algorithm). */
function minimal(states: readonly State[]): Automaton {
  const spelled = states.map(({ moves }) => moves.map(([set, target]) => ({ set, target, text: set.join(';') })));
  let groups: readonly number[] = states.map(({ accepting }) => Number(accepting));
  for (let count = 0; ;) {
    const signatures = new Map<string, number>();
    const next = spelled.map((moves, index) => {
      const byGroup = new Map<number, string>();
      for (const { target, text } of moves) {
        const group = groups[target]!;
        byGroup.set(group, byGroup.has(group) ? joined(moves, group, groups) : text);
      }
      const onward = [...byGroup].toSorted(([a], [b]) => a - b).map(([group, text]) => `${group}:${text}`);
      const signature = `${groups[index]}|${onward.join('|')}`;
      if (!signatures.has(signature)) signatures.set(signature, signatures.size);
      return signatures.get(signature)!;
    });
    groups = next;
    if (signatures.size === count) break;
    count = signatures.size;
  }
  const first = new Map<number, number>();
  groups.forEach((group, index) => void (first.has(group) || first.set(group, index)));
  return { states: renumbered(states, (index) => first.get(groups[index]!)!) };
}

/** Returns the characters that lead into one group of states, as a text to compare. */
function joined(
  moves: readonly { readonly set: CharacterSet; readonly target: number }[],
  group: number,
  groups: readonly number[],
): string {
  return characterSet(moves.flatMap(({ set, target }) => (groups[target] === group ? set : []))).join(';');
}

/**
 * Keeps the states that `represent` maps to themselves, and redirects the moves to all other states to their
 * representatives. `represent` returns null for a state to remove.
 */
function renumbered(states: readonly State[], represent: (index: number) => number | null): readonly State[] {
  const kept = states.flatMap((_, index) => (represent(index) === index ? [index] : []));
  const numbers = new Map(kept.map((index, number) => [index, number]));
  return kept.map((index) => {
    const { accepting, moves } = states[index]!;
    const joined = new Map<number, [number, number][]>();
    for (const [set, target] of moves) {
      const representative = represent(target);
      if (representative === null) continue;
      const number = numbers.get(representative)!;
      joined.set(number, [...(joined.get(number) ?? []), ...set.map(([from, to]): [number, number] => [from, to])]);
    }
    return { accepting, moves: [...joined].map(([target, ranges]) => [characterSet(ranges), target] as const) };
  });
}
