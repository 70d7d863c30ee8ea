import { ANY_CHARACTER, includes, intersection, LAST_CODE_POINT, type CharacterSet } from './character-set.ts';
import { ALL, derivative, leadingSets, type Language } from './regular-language.ts';
import { countSteps } from './step-limit.ts';

type Range = readonly [from: number, to: number];

interface Piece {
  readonly language: Language;
  /** See {@link leadingSets}. */
  readonly sets: ReadonlyMap<string, CharacterSet>;
  /** The sets of characters that have the same derivative, with the pieces of the derivative. */
  readonly moves: { readonly set: readonly Range[]; ids: readonly number[] | null }[];
}

/** A derivative takes as long as this many other steps, besides those for its parts. */
const STEPS_OF_DERIVATIVE = 1000;

/** One piece of a union takes as long as this many other steps. */
const STEPS_OF_PIECE = 40;

/**
 * The languages whose unions are the states of an automaton. Each has a number, and its derivatives are computed once, because
 * the states for a text such as `.*a{1000}` are unions of a thousand pieces, of which almost all are in the next state, too.
 */
export class Pieces {
  readonly #pieces: Piece[] = [];
  readonly #ids = new Map<string, number>();

  /** Returns the numbers of the pieces of a language, in order; none for a language without texts. */
  idsOf(language: Language): readonly number[] {
    const parts = language.kind === 'or' ? language.parts : [language];
    return parts.map((part) => this.#idOf(part)).toSorted((one, other) => one - other);
  }

  isNullable(id: number): boolean {
    return this.#pieces[id]!.language.nullable;
  }

  /** Divides all characters into classes, each with the same derivative of a union. */
  classesOf(ids: readonly number[]): readonly (readonly Range[])[] {
    const sets = new Map<string, CharacterSet>();
    for (const id of ids) for (const [key, set] of this.#pieces[id]!.sets) sets.set(key, set);
    countSteps(ids.length * STEPS_OF_PIECE);
    return classes([...sets.values()]);
  }

  /** Returns the pieces of the derivative of a union. */
  after(ids: readonly number[], character: number): readonly number[] {
    const found = new Set<number>();
    for (const id of ids) for (const next of this.#after(this.#pieces[id]!, character)) found.add(next);
    countSteps((ids.length + found.size) * STEPS_OF_PIECE + STEPS_OF_DERIVATIVE);
    const all = this.#ids.get(ALL.key);
    return all !== undefined && found.has(all) ? [all] : [...found].toSorted((one, other) => one - other);
  }

  #idOf(language: Language): number {
    const known = this.#ids.get(language.key);
    if (known !== undefined) return known;
    const id = this.#pieces.length;
    const sets = leadingSets(language);
    const moves = classes([...sets.values()]).map((set) => ({ set, ids: null }));
    countSteps(language.key.length + STEPS_OF_DERIVATIVE);
    this.#pieces.push({ language, sets, moves });
    this.#ids.set(language.key, id);
    return id;
  }

  #after({ language, moves }: Piece, character: number): readonly number[] {
    const move = moves.find(({ set }) => includes(set, character))!;
    if (move.ids === null) {
      const next = derivative(language, character);
      countSteps(next.key.length + STEPS_OF_DERIVATIVE);
      move.ids = this.idsOf(next);
    }
    return move.ids;
  }
}

/** Divides all characters into classes: the characters of one are in the same of some sets. */
function classes(sets: readonly CharacterSet[]): readonly (readonly Range[])[] {
  const limits = sets.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1]));
  const starts = [...new Set([0, ...limits])].filter((start) => start <= LAST_CODE_POINT).toSorted((a, b) => a - b);
  countSteps(starts.length * (sets.length + 10));
  const places = sets.map(() => 0);
  const found = new Map<string, Range[]>();
  for (const [index, start] of starts.entries()) {
    let members = '';
    for (const [number, set] of sets.entries()) {
      while (places[number]! < set.length && set[places[number]!]![1] < start) places[number]!++;
      const range = set[places[number]!];
      members += range !== undefined && range[0] <= start ? '1' : '0';
    }
    const piece = intersection([[start, (starts[index + 1] ?? LAST_CODE_POINT + 1) - 1]], ANY_CHARACTER);
    const known = found.get(members);
    if (known === undefined) found.set(members, [...piece]);
    else known.push(...piece);
  }
  return [...found.values()].filter((ranges) => ranges.length > 0);
}
