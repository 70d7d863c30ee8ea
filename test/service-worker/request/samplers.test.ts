import { expect, test } from 'vitest';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';
import { readError } from '../support/read-error.ts';

const DEFAULT = ['penalties', 'dry', 'top_n_sigma', 'top_k', 'typ_p', 'top_p', 'min_p', 'xtc', 'temperature'];

test.each<[samplers: unknown, beside: object]>([
  [DEFAULT, { temperature: 0.7, top_p: 0.8, min_p: 0.05, top_k: 40 }],
  ['edskypmxt', { repeat_penalty: 1.1 }],
  [['penalties', 'temperature', 'min_p', 'top_k', 'top_p'], { min_p: 0.1, top_k: 9, presence_penalty: 1 }],
  [['temperature', 'top_k', 'min_p', 'top_p'], { min_p: 0.1, top_k: 9 }],
  ['tp', {}],
  [['dry', 'xtc', 'typical_p', 'temperature', 'top_p', 'top_p'], {}],
  [['top_p'], { temperature: 1 }],
  [['min_p', 'top_k', 'temperature'], { top_p: 1, temperature: 0, top_k: 40, min_p: 0.1 }],
  [[], { temperature: 1, top_p: 1, top_k: -1, min_p: 0, repeat_penalty: 1 }],
])('the samplers %j are accepted beside %j, because they change nothing', async (samplers, beside) => {
  const app = createTestApp();
  const plain = await app.received(beside);
  expect(await app.received({ ...beside, samplers })).toEqual(plain);
});

test.each<[samplers: unknown, beside: object]>([
  [[], {}],
  [['top_p', 'temperature'], {}],
  ['pt', { temperature: 0.5 }],
  [['temperature', 'top_p'], { min_p: 0.1 }],
  [['temperature', 'top_p'], { top_k: 5 }],
  [['temperature', 'top_p', 'penalties'], { repetition_penalty: 1.2 }],
  [['top_k'], { temperature: 1, top_p: 1, top_k: 5, presence_penalty: 1 }],
  [['top_k', 'penalties', 'temperature'], { temperature: 0, top_p: 1, top_k: 5, presence_penalty: 1 }],
  [['temperature', 'top_p', 'min_p'], { min_p: 0.1 }],
  [['temperature', 'toString'], {}],
  ['tz', {}],
  [[7], {}],
  [{}, {}],
])('the samplers %j are refused beside %j', async (samplers, beside) => {
  const error = await readError(await createTestApp().chat({ ...GOOD_BODY, ...beside, samplers }));
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining('`samplers') });
});
