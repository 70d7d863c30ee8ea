import { expect, test } from 'vitest';
import { parseShard } from '../../../scripts/testing/shard.ts';
import { allStages, restStages } from '../../../scripts/testing/stages.ts';

const stepNames = (stages: ReturnType<typeof allStages>) => stages.flat(2).map(({ name }) => name);

test('a shard is parsed', () => {
  expect(parseShard('2/6')).toEqual({ number: 2, count: 6 });
});

test.each(['0/6', '7/6', '2', '2/0', 'a/b', '2/6/1'])('%s is not a shard', (text) => {
  expect(() => parseShard(text)).toThrow(/2\/6/);
});

test.each([
  ['the full run', allStages],
  ['the rest', restStages],
])('all shards of %s together run each step, and run indivisible ones once', (_name, stagesOf) => {
  const whole = stepNames(stagesOf({ install: false }));
  for (const count of [1, 2, 3, 6, 9]) {
    const shards = Array.from({ length: count }, (_, index) =>
      stepNames(stagesOf({ install: false, shard: { number: index + 1, count } })),
    );
    expect(new Set(shards.flat())).toEqual(new Set(whole));
    for (const name of ['Lint', 'Documentation', 'Prompt cache', 'Random faults', 'WebKit tests'])
      expect(shards.flat().filter((step) => step === name)).toHaveLength(whole.includes(name) ? 1 : 0);
  }
});
