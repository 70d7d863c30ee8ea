import { characterSet, setName, type CharacterSet } from './character-set.ts';
import { Pieces } from './pieces.ts';
import type { Language } from './regular-language.ts';
import { BudgetedCache } from './step-budget.ts';
import { countSteps } from './step-limit.ts';

/** A deterministic finite automaton that accepts a language. An accepting state can be reached from every state. */
export interface Automaton {
  /** The states; the first is the start. Empty if the language contains no text. */
  readonly states: readonly State[];
}

export interface State {
  readonly accepting: boolean;
  readonly moves: readonly (readonly [characters: CharacterSet, target: number])[];
}

/** Limit of the steps of {@link automatonOf}: some tenths of a second. */
const MAX_STEPS = 120_000_000;

const AUTOMATA = new BudgetedCache<Automaton | null>('automaton', (automaton) => sizeOfStates(automaton?.states ?? []));

/** Returns how much memory states take, for {@link BudgetedCache}. */
export function sizeOfStates(states: readonly State[]): number {
  return states.reduce((sum, { moves }) => sum + moves.reduce((size, [set]) => size + 20 + 20 * set.length, 20), 0);
}

/**
 * Builds the automaton of a language from its (Brzozowski) derivatives.
 * @returns null if there are too many states, if the derivatives get too large, as those of a hundred consecutive
 * optional parts do, or if the request's budget of steps is used up.
 */
export function automatonOf(language: Language, mostStates: number, mostSteps = MAX_STEPS): Automaton | null {
  return AUTOMATA.get(`${mostStates} ${mostSteps} ${language.key}`, mostSteps, () => {
    const states = derivedStates(language, mostStates);
    return states === null ? null : { states: minimal(withoutDeadEnds(states)) };
  });
}

function derivedStates(language: Language, mostStates: number): readonly State[] | null {
  const pieces = new Pieces();
  const start = pieces.idsOf(language);
  const numbers = new Map([[start.join(), 0]]);
  const queue = [start];
  const states: State[] = [];
  for (const ids of queue) {
    const targets = new Map<number, (readonly [number, number])[]>();
    for (const ranges of pieces.classesOf(ids)) {
      const next = pieces.after(ids, ranges[0]![0]);
      const key = next.join();
      const target = numbers.get(key) ?? numbers.size;
      if (target === numbers.size) {
        if (target === mostStates) return null;
        numbers.set(key, target);
        queue.push(next);
      }
      targets.set(target, [...(targets.get(target) ?? []), ...ranges]);
    }
    const moves = [...targets].map(([target, ranges]) => [characterSet(ranges), target] as const);
    states.push({ accepting: ids.some((id) => pieces.isNullable(id)), moves });
  }
  return states;
}

/** Removes the states from which no accepting state can be reached. */
export function withoutDeadEnds<Kind extends State>(states: readonly Kind[]): readonly Kind[] {
  const sources = sourcesOf(states);
  const alive = new Set<number>();
  const reached = states.flatMap(({ accepting }, index) => (accepting ? [index] : []));
  for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
    if (alive.has(index)) continue;
    alive.add(index);
    reached.push(...sources[index]!);
  }
  return alive.has(0) ? renumbered(states, (index) => (alive.has(index) ? index : null)) : [];
}

/**
 * Merges the states that accept the same texts (Moore's algorithm). Begins with the lengths of these texts, and looks at a
 * state again only if one that it leads to has left its group.
 */
function minimal(states: readonly State[]): readonly State[] {
  const spelled = states.map(({ moves }) => moves.map(([set, target]) => ({ set, target, text: setName(set) })));
  const sources = sourcesOf(states);
  const lengths = textLengths(states).map(String);
  const numbers = new Map([...new Set(lengths)].map((one, number) => [one, number]));
  const groups = lengths.map((one) => numbers.get(one)!);
  const sizes = [...numbers].map(() => 0);
  for (const group of groups) sizes[group]!++;

  /** Returns the groups to which a state leads, with the characters that lead there. */
  const onward = (index: number): string => {
    const byGroup = new Map<number, string>();
    for (const { target, text } of spelled[index]!) {
      const group = groups[target]!;
      byGroup.set(group, byGroup.has(group) ? joined(spelled[index]!, group, groups) : text);
    }
    const parts = [...byGroup].toSorted(([one], [other]) => one - other);
    return parts.map(([group, text]) => `${group}:${text}`).join('|');
  };

  let open: readonly number[] = states.map((_, index) => index);
  while (open.length > 0) {
    countSteps(open.length * STEPS_OF_MERGING);
    const split = new Map<number, Map<string, number[]>>();
    for (const index of open) {
      const parts = split.get(groups[index]!) ?? new Map<string, number[]>();
      split.set(groups[index]!, parts);
      const signature = onward(index);
      const part = parts.get(signature);
      if (part === undefined) parts.set(signature, [index]);
      else part.push(index);
    }
    const moved: number[] = [];
    for (const [group, parts] of split) {
      const sorted = [...parts.values()].toSorted((one, other) => one.length - other.length);
      const size = sorted.reduce((sum, { length }) => sum + length, 0);
      // The states that were not looked at keep their group; if there are none, the largest part does.
      const leaving = size === sizes[group] ? sorted.slice(0, -1) : sorted;
      for (const part of leaving) {
        const made = sizes.push(part.length) - 1;
        sizes[group]! -= part.length;
        for (const index of part) groups[index] = made;
        moved.push(...part);
      }
    }
    open = [...new Set(moved.flatMap((index) => sources[index]!))];
  }
  const first = new Map<number, number>();
  groups.forEach((group, index) => void (first.has(group) || first.set(group, index)));
  return renumbered(states, (index) => first.get(groups[index]!)!);
}

/** Returns the states that lead to each state. */
function sourcesOf(states: readonly State[]): readonly (readonly number[])[] {
  const sources = states.map((): number[] => []);
  states.forEach(({ moves }, source) => moves.forEach(([, target]) => sources[target]!.push(source)));
  return sources;
}

/** One state takes as long to compare with the others as this many other steps. */
const STEPS_OF_MERGING = 1000;

/**
 * Returns the lengths of the shortest and of the longest text that leads from each state to an accepting one. The longest
 * is Infinity if there is no limit.
 * @param states States from each of which an accepting one can be reached.
 */
export function textLengths(states: readonly State[]): readonly (readonly [shortest: number, longest: number])[] {
  const sources = sourcesOf(states);
  const shortest = states.map(({ accepting }) => (accepting ? 0 : Infinity));
  const near = states.flatMap(({ accepting }, index) => (accepting ? [index] : []));
  for (const index of near) {
    for (const source of sources[index]!) {
      if (shortest[source]! < Infinity) continue;
      shortest[source] = shortest[index]! + 1;
      near.push(source);
    }
  }
  const longest = states.map(() => 0);
  const open = states.map(({ moves }) => moves.length);
  const ended = open.flatMap((moves, index) => (moves === 0 ? [index] : []));
  for (const index of ended) {
    for (const source of sources[index]!) {
      longest[source] = Math.max(longest[source]!, longest[index]! + 1);
      if (--open[source]! === 0) ended.push(source);
    }
  }
  return states.map((_, index) => [shortest[index]!, open[index] === 0 ? longest[index]! : Infinity] as const);
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
function renumbered<Kind extends State>(
  states: readonly Kind[],
  represent: (index: number) => number | null,
): readonly Kind[] {
  const kept = states.flatMap((_, index) => (represent(index) === index ? [index] : []));
  const numbers = new Map(kept.map((index, number) => [index, number]));
  return kept.map((index) => {
    const { moves } = states[index]!;
    const joined = new Map<number, [number, number][]>();
    for (const [set, target] of moves) {
      const representative = represent(target);
      if (representative === null) continue;
      const number = numbers.get(representative)!;
      joined.set(number, [...(joined.get(number) ?? []), ...set.map(([from, to]): [number, number] => [from, to])]);
    }
    return { ...states[index]!, moves: [...joined].map(([target, ranges]) => [characterSet(ranges), target] as const) };
  });
}
