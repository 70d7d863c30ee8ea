import { expect, test } from 'vitest';
import type { AnswerSummary } from '../../../src/shared/storage/stored-answer.ts';
import { ANSWER_LIMITS, answersToEvict } from '../../../src/shared/storage/answers-to-evict.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;

/** Stored answers of these sizes and ages in days, newest first. The id is the index. */
const answers = (...sizes: readonly { characters?: number; age?: number }[]): AnswerSummary[] =>
  sizes.map(({ characters = 100, age = 1 }, index) => ({
    id: `${index}`,
    kind: 'response',
    keyHash: 'key',
    created: NOW - age * DAY,
    model: 'a',
    metadata: {},
    characters,
  }));

const { count, characters, days } = ANSWER_LIMITS;

test.each([
  ['few and small', answers({}, {}, {}), []],
  ['from the last day of the retention time', answers({}, { age: days }), []],
  ['older', answers({}, { age: days + 0.1 }, { age: days + 1 }), ['2', '1']],
  ['at the maximum number', answers(...Array.from({ length: count }, () => ({}))), []],
  ['more', answers(...Array.from({ length: count + 2 }, () => ({}))), [`${count + 1}`, `${count}`]],
  ['at the maximum total size', answers({ characters: characters / 2 }, { characters: characters / 2 }), []],
  ['larger together', answers({ characters: characters / 2 }, { characters }, {}), ['2', '1']],
  ['too large even alone', answers({ characters: 2 * characters }, {}), ['1']],
])('of answers that are %s, the oldest are evicted and the newest stays', (_words, stored, surplus) => {
  expect(answersToEvict(stored, NOW)).toEqual(surplus);
});
