import { expect, test } from 'vitest';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { requestGbnf } from '../../../src/engine-worker/llama-cpp/request-gbnf.ts';
import type { JsonSchema, ResponseFormat } from '../../../src/shared/engine/completion-request.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';

function gbnfOf(responseFormat: ResponseFormat): string {
  return requestGbnf({ ...completionRequest('x'), responseFormat })!;
}

const ofSchema = (schema: JsonSchema) => gbnfOf({ type: 'json_schema', schema });

/** The repetitions of a grammar: what is repeated, and how often at most, or at least if there is no limit. */
function repetitionsIn(gbnf: string): { what: string; count: number }[] {
  const found = gbnf.matchAll(/(?<what>\[(?:[^\]\\]|\\.)*\]|[\w-]+|\)|")(?:\{(?<min>\d+)(?:,(?<max>\d*))?\}|[*+?])/g);
  return [...found].map(({ groups = {} }) => ({
    what: groups['what']!,
    count: Number(groups['max'] || groups['min'] || 1),
  }));
}

const ITEM = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

test.each<[what: string, gbnf: () => string]>([
  ['an array of at most 668 items', () => ofSchema({ type: 'array', items: ITEM, maxItems: 668 })],
  ['an array of at most 3000 items', () => ofSchema({ type: 'array', items: ITEM, maxItems: 3000 })],
  ['an array of at most a billion items', () => ofSchema({ type: 'array', items: ITEM, maxItems: 1e9 })],
  ['an array of at least 3000 items', () => ofSchema({ type: 'array', items: ITEM, minItems: 3000 })],
  ['arrays in an array', () => ofSchema({ items: { items: ITEM, maxItems: 99 }, type: 'array', maxItems: 99 })],
  ['an object of at most 700 properties', () => ofSchema({ additionalProperties: ITEM, maxProperties: 700 })],
  ['nested repetitions', () => gbnfOf({ type: 'grammar', grammar: 'root ::= (("a" "b"?){0,90} "c")*', param: 'x' })],
])('in the grammar of %s, llama.cpp makes fewer than 2000 rules of each repetition', (_, gbnf) => {
  const repetitions = repetitionsIn(gbnf());
  expect(repetitions).not.toEqual([]);
  for (const { what, count } of repetitions) {
    // It counts one rule for a character class and for a rule, but all rules in parentheses.
    expect(what).not.toBe(')');
    expect(count).toBeLessThan(2000);
  }
});

const LENGTHS = [0, 1, 2, 666, 667, 999, 1000, 1001, 1100, 1999, 2000, 2001, 2500, 3000, 3001, 4096, 4097];

const written = (length: number) => JSON.stringify(Array.from({ length }, (_, index) => (index % 2) + 1));

test.each<[minItems: number, maxItems: number | null]>([
  [0, 667],
  [0, 1000],
  [1, 1001],
  [0, 1002],
  [1000, 2000],
  [1999, 3000],
  [2, 4096],
  [2001, null],
  [1001, null],
  [2000, 2000],
])('the grammar of an array of %j to %j items accepts exactly these lengths', (minItems, maxItems) => {
  const limit = maxItems === null ? {} : { maxItems };
  const grammar = readGbnf(ofSchema({ type: 'array', items: { enum: [1, 2] }, minItems, ...limit }));
  expect(LENGTHS.filter((length) => matchesGrammar(grammar, written(length)))).toEqual(
    LENGTHS.filter((length) => length >= minItems && length <= (maxItems ?? Infinity)),
  );
});
