import { automatonOf, type Automaton } from '../regular-language/automaton.ts';
import { intersection, type CharacterSet } from '../regular-language/character-set.ts';
import { choice, NOTHING, repeat, rule, sequence, text, type Expression } from './grammar.ts';
import type { Language } from '../regular-language/regular-language.ts';

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
 * Converts a language to an expression.
 * @param addRule Adds a rule to the grammar and returns its name.
 * @param byParts Whether a {@link Language.plain} language may be written part by part if that is shorter. Options of
 * a part may then begin with the same text. Default: true.
 * @returns null if the language needs too many rules.
 */
export function languageExpression(
  language: Language,
  spelling: Spelling,
  addRule: (make: (name: string) => Expression) => string,
  byParts = true,
): Expression | null {
  if (isTexts(language)) return sequence(plainExpression(language, spelling), spelling.end);
  // xgrammar 0.1.27 misreads options that begin with the same text, which a pattern may have. A deterministic automaton
  // has no such options.
  const automaton = automatonOf(language, language.plain && byParts ? MAX_STATES_OF_PLAIN : MAX_STATES, !byParts);
  if (automaton !== null) return automatonExpression(automaton, spelling, addRule);
  return language.plain && byParts ? sequence(plainExpression(language, spelling), spelling.end) : null;
}

/** Limit of the states of an automaton: each becomes a part of the grammar that the library must compile. */
const MAX_STATES = 3000;

/** A plain language with more states than this is written part by part, which is shorter. */
const MAX_STATES_OF_PLAIN = 300;

/** Whether a language is a finite list of texts. */
function isTexts(language: Language): boolean {
  if (language.kind === 'or') return language.parts.every(isTexts);
  const parts = language.kind === 'sequence' ? language.parts : [language];
  return parts.every((part) => part.kind === 'set' && part.set.length === 1 && part.set[0]![0] === part.set[0]![1]);
}

function plainExpression(language: Language, spelling: Spelling): Expression {
  switch (language.kind) {
    case 'set':
      return spelling.character(language.set);
    case 'sequence':
      return sequence(...language.parts.map((part) => plainExpression(part, spelling)));
    case 'or':
      return choice(...language.parts.map((part) => plainExpression(part, spelling)));
    case 'repeat':
      return repeat(plainExpression(language.inner, spelling), language.min, language.max);
    default:
      throw new Error(`A ${language.kind} has no parts to state one by one.`);
  }
}

/**
 * Converts an automaton to an expression. A state that several moves lead to becomes a rule; most others are
 * written inline.
 */
function automatonExpression(
  { states }: Automaton,
  spelling: Spelling,
  addRule: (make: (name: string) => Expression) => string,
): Expression {
  if (states.length === 0) return NOTHING;
  const uses = states.map(() => 0);
  for (const [index, { moves }] of states.entries()) {
    for (const [, target] of moves) if (target !== index) uses[target]!++;
  }
  const names = new Map<number, string>();

  function reference(index: number, depth: number): Expression {
    const known = names.get(index);
    if (known !== undefined) return rule(known);
    // A deep state becomes a rule as well. That limits this recursion and the nesting in the grammar.
    if (uses[index]! <= 1 && depth < 50) return state(index, depth + 1);
    return rule(
      addRule((name) => {
        names.set(index, name);
        return state(index, 0);
      }),
    );
  }

  function state(index: number, depth: number): Expression {
    const { accepting, moves } = states[index]!;
    const onward = moves
      .filter(([, target]) => target !== index)
      .map(([set, target]) => sequence(spelling.character(set), reference(target, depth)));
    const after = choice(...(accepting ? [spelling.end] : []), ...onward);
    const loop = moves.find(([, target]) => target === index);
    return loop === undefined ? after : sequence(repeat(spelling.character(loop[0]), 0, Infinity), after);
  }

  // The start state counts as used twice, so that it becomes a rule, because a loop may lead back to it.
  uses[0]! += 2;
  return reference(0, 0);
}
