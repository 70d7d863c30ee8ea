import { ANY_CHARACTER, complement, intersection, union, type CharacterSet } from './character-set.ts';
import { automatonOf, sizeOfStates, textLengths, withoutDeadEnds, type State } from './automaton.ts';
import { and, NONE, or, repeated, type Language } from './regular-language.ts';
import { BudgetedCache } from './step-budget.ts';
import { countSteps } from './step-limit.ts';
import { lengthsOf, withinLength } from './within-length.ts';

/** The texts of a language that have some length, in characters. */
export interface LimitedLanguage {
  readonly language: Language;
  readonly min: number;
  readonly max: number;
}

/** A state of {@link countedStates}: what may follow a text of a certain length. */
export interface CountedState extends State {
  /** The set of which `min` to `max` characters follow to the end of the text; there are no moves then. Usually null. */
  readonly tail: { readonly set: CharacterSet; readonly min: number; readonly max: number } | null;
}

/**
 * Splits a language into languages whose texts have a limited length. A part such as `.{2,5}` of an intersection is such
 * a limit: the automaton of the other parts with a counter beside it is smaller than that of their intersection.
 */
export function limitedLanguages(language: Language): readonly LimitedLanguage[] {
  const limited = (language.kind === 'or' ? language.parts : [language]).map(limitedLanguage);
  const byLimits = new Map<string, LimitedLanguage>();
  for (const { language: one, min, max } of limited) {
    const key = `${min} ${max}`;
    byLimits.set(key, { language: or(byLimits.get(key)?.language ?? NONE, one), min, max });
  }
  return [...byLimits.values()];
}

function limitedLanguage(language: Language): LimitedLanguage {
  let [min, max] = [0, Infinity];
  const parts = (language.kind === 'and' ? language.parts : [language]).map((part) => {
    if (part.kind !== 'repeat' || part.inner.kind !== 'set' || part.max <= 1) return part;
    [min, max] = [Math.max(min, part.min), Math.min(max, part.max)];
    return repeated(part.inner, 0, Infinity);
  });
  const whole = and(...parts);
  if (min > max || lengthsOf(whole)[1] < min) return { language: NONE, min, max };
  return { language: max === Infinity ? whole : withinLength(whole, max), min, max };
}

/** Limit of the steps of {@link countedStates} beside those of {@link automatonOf}: a quarter of a second. */
const MAX_STEPS = 100_000_000;

/** A move from one state to the next takes as long as this many other steps. */
const STEPS_OF_MOVE = 400;

/** A state becomes a rule, which later takes the engine as long as this many other steps. */
const STEPS_OF_STATE = 20_000;

const COUNTED = new BudgetedCache<readonly CountedState[] | null>('counted', (states) => sizeOfStates(states ?? []));

/**
 * Builds the deterministic automaton of the union of some languages whose texts have limited lengths. Its states are
 * those of the languages' automata with a count of the characters so far. States do not count where the length cannot
 * leave its limits any more, nor where nothing but characters of one set follows.
 *
 * If there would be more than `mostStates` states, the automaton leaves out some texts: those of more characters than it
 * can count for which the rest must have a certain form.
 * @returns the states; the first is the start, and there is none if no text is allowed. Null if the automaton would
 * leave out texts of fewer than {@link LEAST_COUNTED} characters, or if the request's budget of steps is used up.
 */
export function countedStates(
  limited: readonly LimitedLanguage[],
  mostStates: number,
  mostSteps?: number,
): readonly CountedState[] | null {
  const parts: CountedPart[] = [];
  for (const { language, min, max } of limited) {
    const automaton = automatonOf(language, mostStates, mostSteps);
    if (automaton === null) return null;
    parts.push({ states: automaton.states, lengths: textLengths(automaton.states), min, max });
  }
  const key = limited.map(({ language, min, max }) => `${min} ${max} ${language.key}`).join(' ');
  return COUNTED.get(`${mostStates} ${key}`, MAX_STEPS, () => product(parts, mostStates));
}

function product(parts: readonly CountedPart[], mostStates: number): readonly CountedState[] | null {
  let counted = Infinity;
  for (;;) {
    const states = new Product(parts, counted).states(mostStates);
    if (typeof states !== 'number') {
      const useful = withoutDeadEnds(states);
      countSteps(useful.length * STEPS_OF_STATE);
      return useful.length === 0 && counted < Infinity ? null : useful;
    }
    // States without a count may be missing among those that were found so far.
    counted = Math.min(states - 1, Math.floor(counted * 0.75));
    if (counted < LEAST_COUNTED) return null;
  }
}

/** An automaton that would leave out shorter texts than this is none. */
const LEAST_COUNTED = 64;

interface CountedPart {
  readonly states: readonly State[];
  readonly lengths: ReturnType<typeof textLengths>;
  readonly min: number;
  readonly max: number;
}

/** The state of each part; -1 for a part that allows no text with this beginning. */
type Place = readonly number[];

/** Stands for the count of a state whose texts have an allowed length in any case. */
const ANY_COUNT = -1;

class Product {
  readonly #parts: readonly CountedPart[];
  readonly #mostCounted: number;
  /** What follows at a place, whatever the count. */
  readonly #moves = new Map<string, readonly (readonly [CharacterSet, Place])[]>();

  constructor(parts: readonly CountedPart[], mostCounted: number) {
    this.#parts = parts;
    this.#mostCounted = mostCounted;
  }

  /** Returns the states, or the count of the first state beyond `most`. */
  states(most: number): readonly CountedState[] | number {
    const numbers = new Map<string, number>();
    const queue: { place: Place; count: number }[] = [];
    const numberOf = (place: Place, count: number): number | null => {
      const live = this.#live(place, count);
      if (live.every((state) => state < 0)) return null;
      const known = this.#isSettled(live, count) ? ANY_COUNT : count;
      const key = `${known} ${live.join()}`;
      const number = numbers.get(key) ?? numbers.size;
      if (number === numbers.size) {
        numbers.set(key, number);
        queue.push({ place: live, count: known });
      }
      return number;
    };
    numberOf(
      this.#parts.map(({ states }) => (states.length === 0 ? -1 : 0)),
      0,
    );
    const found: CountedState[] = [];
    for (const { place, count } of queue) {
      if (queue.length > most) return Math.max(...queue.map((one) => one.count));
      const tail = this.#tail(place, count);
      const isLast = count === this.#mostCounted || tail !== null;
      const next = count === ANY_COUNT ? ANY_COUNT : count + 1;
      const moves = isLast
        ? []
        : this.#movesFrom(place).flatMap(([set, target]) => {
            const number = numberOf(target, next);
            return number === null ? [] : [[set, number] as const];
          });
      countSteps((moves.length + 1) * STEPS_OF_MOVE * this.#parts.length);
      found.push({ accepting: tail !== null || this.#accepts(place, count), moves: joined(moves), tail });
    }
    return found;
  }

  /** Returns the place without the parts of which no text with this beginning has an allowed length. */
  #live(place: Place, count: number): Place {
    if (count === ANY_COUNT) return place;
    return place.map((state, index) => {
      if (state < 0) return -1;
      const { lengths, min, max } = this.#parts[index]!;
      const [shortest, longest] = lengths[state]!;
      return count + shortest > max || count + longest < min ? -1 : state;
    });
  }

  #isSettled(place: Place, count: number): boolean {
    if (count === ANY_COUNT) return true;
    return place.every((state, index) => {
      if (state < 0) return true;
      const { lengths, min, max } = this.#parts[index]!;
      const [shortest, longest] = lengths[state]!;
      return count + shortest >= min && (max === Infinity || count + longest <= max);
    });
  }

  #accepts(place: Place, count: number): boolean {
    return place.some((state, index) => {
      if (state < 0 || !this.#parts[index]!.states[state]!.accepting) return false;
      const { min, max } = this.#parts[index]!;
      return count === ANY_COUNT || (min <= count && count <= max);
    });
  }

  /** Returns the rest of a text that only repeats characters of one set; null if more than that may follow. */
  #tail(place: Place, count: number): CountedState['tail'] {
    const index = place.findIndex((state) => state >= 0);
    if (count === ANY_COUNT || place.some((state, other) => state >= 0 && other !== index)) return null;
    const { states, min, max } = this.#parts[index]!;
    const { accepting, moves } = states[place[index]!]!;
    const loop = moves.find(([, target]) => target === place[index]);
    if (!accepting || loop === undefined || (moves.length > 1 && count < this.#mostCounted)) return null;
    return { set: loop[0], min: Math.max(0, min - count), max: max - count };
  }

  #movesFrom(place: Place): readonly (readonly [CharacterSet, Place])[] {
    const key = place.join();
    const known = this.#moves.get(key);
    if (known !== undefined) return known;
    let all: (readonly [CharacterSet, Place])[] = [[ANY_CHARACTER, []]];
    for (const [index, state] of place.entries()) {
      const moves = state < 0 ? [] : this.#parts[index]!.states[state]!.moves;
      const rest = complement(union(...moves.map(([set]) => set)));
      all = all.flatMap(([set, targets]) =>
        [...moves, [rest, -1] as const].flatMap(([own, target]) => {
          const common = intersection(set, own);
          return common.length === 0 ? [] : [[common, [...targets, target]] as const];
        }),
      );
    }
    this.#moves.set(key, all);
    return all;
  }
}

/** Joins the moves to the same state. */
function joined(moves: readonly (readonly [CharacterSet, number])[]): State['moves'] {
  const sets = new Map<number, CharacterSet>();
  for (const [set, target] of moves) {
    const known = sets.get(target);
    sets.set(target, known === undefined ? set : union(known, set));
  }
  return [...sets].map(([target, set]) => [set, target] as const);
}
