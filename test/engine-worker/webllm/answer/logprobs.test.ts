import { expect, test } from 'vitest';
import { ask, loadedEngine } from '../support/test-engine.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

test('without top_logprobs each token still has its probability, and no alternatives', async () => {
  const { engine } = await loadedEngine({ replies: [['Hel', 'lo']] });
  const { choices } = await ask(engine, { logprobs: true });
  expect(choices[0]?.logprobs).toEqual([
    { token: 'Hel', logprob: -0.5, bytes: [72, 101, 108], topLogprobs: [] },
    { token: 'lo', logprob: -0.5, bytes: [108, 111], topLogprobs: [] },
  ]);
});

test.each([
  [1, 1],
  [5, 5],
  [20, 5],
])('of %d requested alternatives %d are returned', async (asked, given) => {
  const { engine } = await loadedEngine({ replies: [['Hel', 'lo']] });
  const { choices } = await ask(engine, { logprobs: true, topLogprobs: asked });
  expect(choices[0]?.logprobs.map(({ topLogprobs }) => topLogprobs.length)).toEqual([given, given]);
  expect(choices[0]?.logprobs[0]?.topLogprobs[0]).toEqual({ token: 'Hel', logprob: -0.5, bytes: [72, 101, 108] });
});

test('without logprobs in the request, there are none', async () => {
  const { engine } = await loadedEngine({ replies: [['Hel', 'lo']] });
  const { events } = await ask(engine, 'x');
  expect(events.some((event) => 'logprobs' in event)).toBe(false);
});

test('minus infinity is sent as a number', async () => {
  const { engine } = await loadedEngine({ replies: [['x']], logprob: () => Number.NEGATIVE_INFINITY });
  const { choices } = await ask(engine, { logprobs: true, topLogprobs: 1 });
  expect(choices[0]?.logprobs[0]).toMatchObject({ logprob: -9999, topLogprobs: [{ logprob: -9999 }] });
});

test('each token of a character has its own entry, its own bytes and its own alternatives', async () => {
  const thumb = [bytes(0xf0, 0x9f), bytes(0x91), bytes(0x8d)];
  const { engine, tokenizer } = await loadedEngine({
    replies: [['a', ...thumb, 'b']],
    logprob: (token) => -1 - (token === tokenizer.id(thumb[0]!) ? 1 : 0),
  });
  const { choices, usage } = await ask(engine, { logprobs: true, topLogprobs: 1 });
  expect(choices[0]?.content).toBe('a👍b');
  expect(usage.completionTokens).toBe(choices[0]!.logprobs.length + 1);
  expect(choices[0]?.logprobs.map(({ token, bytes, logprob }) => [token, bytes, logprob])).toEqual([
    ['a', [0x61], -1],
    ['\\xf0\\x9f', [0xf0, 0x9f], -2],
    ['\\x91', [0x91], -1],
    ['\\x8d', [0x8d], -1],
    ['b', [0x62], -1],
  ]);
});

test('a replacement character that the model generates is kept, with its entry', async () => {
  const { engine } = await loadedEngine({
    replies: [['a', '\u{FFFD}', ...[0xe2, 0x82, 0xac].map((byte) => bytes(byte))]],
  });
  const { choices } = await ask(engine, { logprobs: true, topLogprobs: 1 });
  expect(choices[0]?.content).toBe('a\u{FFFD}€');
  expect(choices[0]?.logprobs.map(({ token }) => token)).toEqual(['a', '\u{FFFD}', '\\xe2', '\\x82', '\\xac']);
});

test.each<[string, readonly (string | Uint8Array)[], readonly string[], number | null]>([
  ['split characters', ['a', bytes(0xf0, 0x9f), bytes(0x91), bytes(0x8d), 'b'], [], null],
  ['a character cut by the limit', ['a', bytes(0x62, 0xf0, 0x9f), bytes(0x91)], [], 3],
  ['a stop sequence over several tokens', ['one ', 'two', ' st', 'op', ' three'], ['stop'], null],
  ['a stop sequence inside a token', ['one ', 'two,', 'three'], [','], null],
  ['a stop sequence that never completes', ['one ', 'st', 'ay'], ['stop'], null],
  ['a stop sequence that may begin inside a token', ['one st', 'ay'], ['stop'], null],
])('%s: the joined bytes are the content, and one entry is one token', async (_name, tokens, stop, maxTokens) => {
  const { engine } = await loadedEngine({ replies: [tokens] });
  const { choices } = await ask(engine, { logprobs: true, topLogprobs: 2, stop, maxTokens });
  const { content, logprobs } = choices[0] ?? { content: '', logprobs: [] };
  expect(content).not.toBe('');
  const joined = new TextDecoder().decode(Uint8Array.from(logprobs.flatMap(({ bytes }) => bytes)));
  expect(joined.replace(/\u{FFFD}+$/u, '')).toBe(content);
  expect(logprobs.length).toBeLessThanOrEqual(tokens.length);
  for (const { logprob } of logprobs) expect(Number.isFinite(logprob)).toBe(true);
});
