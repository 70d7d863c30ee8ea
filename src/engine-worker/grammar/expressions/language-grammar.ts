import { BLOCK, countedCharacters, type ShareRule } from './counted-characters.ts';
import { intersection, setName, type CharacterSet } from '../regular-language/character-set.ts';
import { countedStates, limitedLanguages, type CountedState } from '../regular-language/counted-automaton.ts';
import { choice, NOTHING, repeat, rule, sequence, text, type Expression } from './grammar.ts';
import type { RuleMaker } from './rule-maker.ts';
import type { Language } from '../regular-language/regular-language.ts';
import { shortenedLanguage } from '../regular-language/shortened-language.ts';

/** How the characters of a language are written in an expression, and what ends a text. */
export interface Spelling {
  /** One character of a set. */
  readonly character: (set: CharacterSet) => Expression;
  /** What follows the text: a quotation mark in JSON, nothing in plain text. */
  readonly end: Expression;
}

/** Plain text: each character stands for itself. */
export const FREE_TEXT: Spelling = { character: plainCharacter, end: text('') };

const UNESCAPED: CharacterSet = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0xd7ff],
  [0xe000, 0x10_ffff],
];
const ESCAPED: CharacterSet = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
];

/** The content of a JSON string and its closing quotation mark, escaped as `JSON.stringify` does. */
export const JSON_TEXT: Spelling = {
  character: (set) => {
    const escaped = intersection(set, ESCAPED).flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) =>
        JSON.stringify(String.fromCodePoint(from + index)).slice(1, -1),
      ),
    );
    const raw = intersection(set, UNESCAPED);
    return choice(...(raw.length > 0 ? [plainCharacter(raw)] : []), ...escaped.map(text));
  },
  end: text('"'),
};

function plainCharacter(set: CharacterSet): Expression {
  const [[from, to] = [0, -1]] = set;
  return set.length === 1 && from === to ? text(String.fromCodePoint(from)) : { kind: 'set', set };
}

/**
 * Converts a language to an expression. Of texts whose length is limited, some long ones may be left out: see
 * {@link countedStates}.
 * @returns null if the language needs too many rules.
 */
export function languageExpression(language: Language, spelling: Spelling, rules: RuleMaker): Expression | null {
  if (isTexts(language)) return sequence(textsExpression(language, spelling), spelling.end);
  // xgrammar 0.1.27 misreads options that begin with the same text, which a pattern may have. A deterministic automaton
  // has no such options.
  const states = countedStates(limitedLanguages(language), MAX_STATES) ?? shortStates(language);
  return states === null ? null : new StatePrinter(states, spelling, rules).expression();
}

/** Returns the states for the short texts of a language; null if there are none, or too many. */
function shortStates(language: Language): readonly CountedState[] | null {
  const short = shortenedLanguage(language);
  const states = short && countedStates(limitedLanguages(short), MAX_STATES, STEPS_OF_SHORT);
  return states === null || states.length === 0 ? null : states;
}

/** Limit of the steps for the automaton of short texts, because another one has been tried before: a tenth of a second. */
const STEPS_OF_SHORT = 40_000_000;

/** Limit of the states of an automaton. xgrammar takes half a second to compile 5000 rules, and 4 s for 20,000. */
const MAX_STATES = 4000;

/** Whether a language is a finite list of texts. */
function isTexts(language: Language): boolean {
  if (language.kind === 'or') return language.parts.every(isTexts);
  const parts = language.kind === 'sequence' ? language.parts : [language];
  return parts.every((part) => part.kind === 'set' && part.set.length === 1 && part.set[0]![0] === part.set[0]![1]);
}

/** Returns the expression of a language for which {@link isTexts} is true. */
function textsExpression(language: Language, spelling: Spelling): Expression {
  if (language.kind === 'set') return spelling.character(language.set);
  const parts = 'parts' in language ? language.parts.map((part) => textsExpression(part, spelling)) : [];
  return language.kind === 'or' ? choice(...parts) : sequence(...parts);
}

/**
 * Limit of the states whose characters are written inline; a state of few characters counts as a fraction of one. xgrammar
 * tests each character class in each rule with the whole vocabulary when it compiles the grammar, 40 ms for a class of all
 * letters with 100,000 tokens. So larger automata have rules of their own for their characters, which xgrammar tests
 * once. The price is 5 to 40 ms for each token that is sampled.
 */
const MAX_INLINE_STATES = 30;

/** Returns the share of the vocabulary that xgrammar must test for the characters that may follow a state. */
function breadth({ moves, tail }: CountedState): number {
  const sets = tail === null ? moves.map(([set]) => set) : [tail.set];
  const letters = sets.flatMap((set) => intersection(set, PRINTABLE)).map(([from, to]) => to - from + 1);
  const share = letters.reduce((sum, count) => sum + count, 0) / (PRINTABLE[0]![1] - PRINTABLE[0]![0] + 1);
  return share ** 2;
}

const PRINTABLE: CharacterSet = [[0x20, 0x7e]];

/** Rests of a text of more characters than this are counted in blocks. */
const MAX_INLINE_TAIL = 16;

/**
 * Converts an automaton to an expression. A state that several moves lead to becomes a rule; most others are
 * written inline.
 */
class StatePrinter {
  readonly #states: readonly CountedState[];
  readonly #spelling: Spelling;
  readonly #rules: RuleMaker;
  readonly #uses: readonly number[];
  readonly #names = new Map<number, string>();
  /** The states that have the name of a rule, but no rule yet. */
  readonly #open: number[] = [];
  readonly #shared = new Map<string, string>();
  readonly #isInline: boolean;

  constructor(states: readonly CountedState[], spelling: Spelling, rules: RuleMaker) {
    this.#states = states;
    this.#spelling = spelling;
    this.#rules = rules;
    const uses = states.map(() => 0);
    for (const [index, { moves }] of states.entries()) {
      for (const [, target] of moves) if (target !== index) uses[target]!++;
    }
    this.#uses = uses;
    this.#isInline = states.reduce((sum, state) => sum + breadth(state), 0) <= MAX_INLINE_STATES;
  }

  expression(): Expression {
    if (this.#states.length === 0) return NOTHING;
    // The start state becomes a rule, because a loop may lead back to it.
    const start = this.#ruleOf(0);
    for (const index of this.#open) this.#rules.define(this.#names.get(index)!, this.#state(index, 0));
    return start;
  }

  #reference(index: number, depth: number): Expression {
    // A deep state becomes a rule as well. That limits this recursion and the nesting in the grammar.
    return this.#names.has(index) || this.#uses[index]! > 1 || depth >= 50
      ? this.#ruleOf(index)
      : this.#state(index, depth + 1);
  }

  #ruleOf(index: number): Expression {
    const name = this.#names.get(index) ?? this.#rules.reserve();
    if (!this.#names.has(index)) this.#open.push(index);
    this.#names.set(index, name);
    return rule(name);
  }

  #state(index: number, depth: number): Expression {
    const { accepting, moves, tail } = this.#states[index]!;
    if (tail !== null) return this.#tail(tail);
    const onward = moves
      .filter(([, target]) => target !== index)
      .map(([set, target]) => sequence(this.#character(set), this.#reference(target, depth)));
    const after = choice(...(accepting ? [this.#spelling.end] : []), ...onward);
    const loop = moves.find(([, target]) => target === index);
    return loop === undefined ? after : sequence(repeat(this.#spelling.character(loop[0]), 0, Infinity), after);
  }

  #tail({ set, min, max }: Exclude<CountedState['tail'], null>): Expression {
    const end = this.#spelling.end;
    if ((max === Infinity ? min : max) <= MAX_INLINE_TAIL && this.#isInline)
      return sequence(repeat(this.#spelling.character(set), min, max), end);
    const character = this.#sharedCharacter(set);
    const rest = sequence(repeat(this.#spelling.character(set), 0, Infinity), end);
    const share: ShareRule = (key, make) => this.#share(`${setName(set)} ${key}`, make);
    return countedCharacters({ character, end, rest, mostSingle: BLOCK }, min, max, share);
  }

  #character(set: CharacterSet): Expression {
    return this.#isInline ? this.#spelling.character(set) : this.#sharedCharacter(set);
  }

  /**
   * Returns a rule for a character of a set. Its options are rules again, even if there is only one character: xgrammar
   * writes other rules inline.
   */
  #sharedCharacter(set: CharacterSet): Expression {
    return this.#share(setName(set), () => {
      const [[from, to] = [0, 0], ...others] = set;
      const first: CharacterSet = others.length > 0 ? [[from, to]] : [[from, from]];
      const rest: CharacterSet = others.length > 0 ? others : [[Math.min(from + 1, to), to]];
      return choice(...[first, rest].map((part, index) => this.#part(part, index)));
    });
  }

  #part(set: CharacterSet, index: number): Expression {
    return this.#share(`${index} ${setName(set)}`, () => this.#spelling.character(set));
  }

  #share(key: string, make: () => Expression): Expression {
    const known = this.#shared.get(key);
    if (known !== undefined) return rule(known);
    const name = this.#rules.reserve();
    this.#shared.set(key, name);
    this.#rules.define(name, make());
    return rule(name);
  }
}
