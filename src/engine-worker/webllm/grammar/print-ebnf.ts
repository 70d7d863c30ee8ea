import { complement, intersection, type CharacterSet } from '../../grammar/regular-language/character-set.ts';
import type { Grammar } from '../../grammar/expressions/grammar.ts';
import { STRING_REST } from '../../grammar/json-schema/json-parts.ts';
import { printExpression, type Notation } from '../../grammar/expressions/print-expression.ts';

const printed = new WeakMap<Grammar, string>();

/** Returns a grammar in xgrammar's EBNF. The result is cached. */
export function ebnfOf(grammar: Grammar): string {
  const ebnf = printed.get(grammar) ?? printEbnf(grammar);
  printed.set(grammar, ebnf);
  return ebnf;
}

/**
 * Prints a grammar in the EBNF of xgrammar (@mlc-ai/web-xgrammar 0.1.27), which has four peculiarities:
 * - A character class matches single bytes, and the ends of its ranges are cut to 8 bits. So characters beyond ASCII
 *   are written as sequences of UTF-8 bytes. Only a class that starts with `^` matches whole characters, and it can
 *   exclude only ASCII.
 * - A class of one byte becomes a text, which is encoded as UTF-8. So a single byte is written twice in its class.
 * - In a class, only escapes with `u` and four digits are read correctly.
 * - xgrammar confuses options that begin with overlapping classes. So classes among the options of a rule never
 *   overlap.
 */
export function printEbnf({ root, rules }: Grammar): string {
  const nameOf = (name: string) => (name === root ? 'root' : name);
  const notation: Notation = { text: JSON.stringify, set: printSet, rule: nameOf };
  const lines = [...rules].map(([name, expression]) => {
    const printed = printExpression(expression, notation);
    return `${nameOf(name)} ::= ${name === STRING_REST[0] ? `(${printed}) ${AFTER_STRING}` : printed}\n`;
  });
  return lines.join('');
}

/**
 * A lookahead for what follows a JSON string. With it xgrammar decides in advance which tokens may end a string:
 * computing a token mask takes a quarter of the time.
 */
const AFTER_STRING = '(=([ \\n\\t]* [,}\\]:]))';

const ASCII: CharacterSet = [[0, 0x7f]];
const BEYOND_ASCII = complement(ASCII);

function printSet(set: CharacterSet): string {
  const ascii = intersection(set, ASCII);
  const beyond = intersection(set, BEYOND_ASCII);
  if (String(beyond) === String(BEYOND_ASCII)) {
    const excluded = intersection(complement(set), ASCII);
    return excluded.length > 0 ? `[^${printRanges(excluded)}]` : `([${printRanges(ASCII)}] | [^${printRanges(ASCII)}])`;
  }
  const options = [
    ...(ascii.length > 0 ? [printBytes(ascii)] : []),
    ...printSequences(beyond.flatMap(([from, to]) => byteSequences(from, to))),
  ];
  return options.length === 1 && beyond.length === 0 ? options[0]! : `(${options.join(' | ')})`;
}

/**
 * Prints sequences of bytes, merging those with the same beginning: xgrammar misreads options that begin with
 * overlapping classes.
 */
function printSequences(sequences: readonly Bytes[]): readonly string[] {
  const byFirst = groupBy(sequences, ([first]) => String(first));
  return [...byFirst.values()].map((group) => {
    const first = printBytes([group[0]![0]!]);
    const rests = printSequences(group.map((bytes) => bytes.slice(1)).filter(({ length }) => length > 0));
    if (rests.length === 0) return first;
    return rests.length === 1 ? `${first} ${rests[0]}` : `${first} (${rests.join(' | ')})`;
  });
}

function printBytes(ranges: readonly (readonly [number, number])[]): string {
  const [[from, to] = [0, 0]] = ranges;
  return ranges.length === 1 && from === to ? `[${escape(from)}${escape(from)}]` : `[${printRanges(ranges)}]`;
}

function printRanges(ranges: readonly (readonly [number, number])[]): string {
  return ranges.map(([from, to]) => (from === to ? escape(from) : `${escape(from)}-${escape(to)}`)).join('');
}

function escape(byte: number): string {
  return `\\u${byte.toString(16).padStart(4, '0')}`;
}

type Bytes = readonly (readonly [from: number, to: number])[];

/** The last code points that UTF-8 encodes with one, two, three and four bytes. */
const LAST_OF_LENGTHS = [0x7f, 0x7ff, 0xffff, 0x10_ffff];

/** Returns the UTF-8 encodings of a range of characters, as sequences of byte ranges. */
function byteSequences(from: number, to: number): readonly Bytes[] {
  const last = LAST_OF_LENGTHS.find((end) => from <= end)!;
  if (to > last) return [...byteSequences(from, last), ...byteSequences(last + 1, to)];
  // Splits the range until, after the first byte that differs, every byte takes all its values.
  for (let bits = 6; bits < 21; bits += 6) {
    const mask = 2 ** bits - 1;
    if ((from & ~mask) === (to & ~mask)) break;
    if ((from & mask) !== 0) return [...byteSequences(from, from | mask), ...byteSequences((from | mask) + 1, to)];
    if ((to & mask) !== mask) return [...byteSequences(from, (to & ~mask) - 1), ...byteSequences(to & ~mask, to)];
  }
  const [first, second] = [utf8(from), utf8(to)];
  return [first.map((byte, index) => [byte, second[index]!] as const)];
}

function utf8(codePoint: number): readonly number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(codePoint))];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
