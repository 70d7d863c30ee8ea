import { ANY_CHARACTER, characterSet, intersection, LAST_CODE_POINT, type CharacterSet } from './character-set.ts';
import { derivative, leadingSets, type Language } from './regular-language.ts';
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

/** A derivative takes as long as this many other steps, besides those for its parts. */
const STEPS_OF_DERIVATIVE = 1000;

function derivedStates(language: Language, mostStates: number): readonly State[] | null {
  const numbers = new Map([[language.key, 0]]);
  const queue = [language];
  const states: State[] = [];
  for (const current of queue) {
    const targets = new Map<number, (readonly [number, number])[]>();
    for (const ranges of classes(current)) {
      const next = derivative(current, ranges[0]![0]);
      countSteps(next.key.length + STEPS_OF_DERIVATIVE);
      const target = numbers.get(next.key) ?? numbers.size;
      if (target === numbers.size) {
        if (target === mostStates) return null;
        numbers.set(next.key, target);
        queue.push(next);
      }
      targets.set(target, [...(targets.get(target) ?? []), ...ranges]);
    }
    const moves = [...targets].map(([target, ranges]) => [characterSet(ranges), target] as const);
    states.push({ accepting: current.nullable, moves });
  }
  return states;
}

/** Divides all characters into classes, each with the same derivative. */
function classes(language: Language): readonly (readonly [number, number])[][] {
  const sets = [...leadingSets(language).values()];
  const limits = sets.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1]));
  const starts = [...new Set([0, ...limits])].filter((start) => start <= LAST_CODE_POINT).toSorted((a, b) => a - b);
  countSteps(starts.length * (sets.length + 10));
  const places = sets.map(() => 0);
  const found = new Map<string, [number, number][]>();
  for (const [index, start] of starts.entries()) {
    let members = '';
    for (const [number, set] of sets.entries()) {
      while (places[number]! < set.length && set[places[number]!]![1] < start) places[number]!++;
      const range = set[places[number]!];
      members += range !== undefined && range[0] <= start ? '1' : '0';
    }
    const piece = intersection([[start, (starts[index + 1] ?? LAST_CODE_POINT + 1) - 1]], ANY_CHARACTER);
    if (piece.length === 0) continue;
    const known = found.get(members);
    const ranges = piece.map(([from, to]): [number, number] => [from, to]);
    if (known === undefined) found.set(members, ranges);
    else known.push(...ranges);
  }
  return [...found.values()];
}

/** Removes the states from which no accepting state can be reached. */
export function withoutDeadEnds<Kind extends State>(states: readonly Kind[]): readonly Kind[] {
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

/**
 * Merges the states that accept the same texts (Moore's algorithm). Begins with the lengths of these texts, because a
 * counter has as many rounds as states otherwise.
 */
function minimal(states: readonly State[]): readonly State[] {
  const spelled = states.map(({ moves }) => moves.map(([set, target]) => ({ set, target, text: set.join(';') })));
  const lengths = textLengths(states).map(String);
  const numbers = new Map([...new Set(lengths)].map((one, number) => [one, number]));
  let groups: readonly number[] = lengths.map((one) => numbers.get(one)!);
  for (let count = 0; ;) {
    countSteps(states.length * STEPS_OF_MERGING);
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
  return renumbered(states, (index) => first.get(groups[index]!)!);
}

/** One state takes as long to compare with the others as this many other steps. */
const STEPS_OF_MERGING = 1000;

/**
 * Returns the lengths of the shortest and of the longest text that leads from each state to an accepting one. The longest
 * is Infinity if there is no limit.
 * @param states States from each of which an accepting one can be reached.
 */
export function textLengths(states: readonly State[]): readonly (readonly [shortest: number, longest: number])[] {
  const sources = states.map((): number[] => []);
  states.forEach(({ moves }, source) => moves.forEach(([, target]) => sources[target]!.push(source)));
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
