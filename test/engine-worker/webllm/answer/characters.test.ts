import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StableText } from '../../../../src/engine-worker/webllm/answer/stable-text.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const THUMB = [0xf0, 0x9f, 0x91, 0x8d];
const split = THUMB.map((byte) => bytes(byte));

test('a character that spans several tokens is sent in one piece', async () => {
  const { engine } = await loadedEngine({ replies: [['a', ...split, bytes(0xc3), bytes(0xa9), 'b']] });
  const { choices } = await ask(engine, 'x');
  expect(choices[0]?.content).toBe('a👍éb');
  expect(choices[0]?.pieces).toEqual(['a', '👍', 'é', 'b']);
});

test.each([1, 2, 3])(
  'a character of which the limit leaves %d bytes is dropped, and the text before it stays',
  async (count) => {
    const start = bytes(0x6f, 0x6b, ...THUMB.slice(0, 1));
    const { engine } = await loadedEngine({ replies: [['a', start, ...split.slice(1)], ['next']] });
    const { choices } = await ask(engine, { maxTokens: 1 + count });
    expect(choices[0]).toMatchObject({ content: 'aok', reason: 'length' });
    expect((await ask(engine, 'again')).choices[0]?.content).toBe('next');
  },
);

test('invalid bytes are dropped', async () => {
  const { engine } = await loadedEngine({
    replies: [['a', bytes(0xff), bytes(0xff), bytes(0xff), bytes(0xff), 'b', bytes(0x80)]],
  });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ content: 'ab', reason: 'stop' });
});

test('a stop sequence may be a character that spans several tokens', async () => {
  const { engine } = await loadedEngine({ replies: [['a', ...split, 'b']] });
  expect((await ask(engine, { stop: ['👍'] })).choices[0]).toMatchObject({ content: 'a', reason: 'stop' });
});

test('a character that is temporarily undecodable, as with byte fallback, is sent once', () => {
  const text = new StableText();
  const grown = ['€', '\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}', '\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}', '€€', '€€.'];
  expect(grown.map((whole) => text.advance(whole))).toEqual(['€', '', '', '€', '.']);
});

test('property: any text split into any bytes is received whole', () => {
  // Leaves out U+FFFD: in decoded text it may also stand for invalid bytes, so it is always dropped.
  const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u{FFFD}'));
  fc.assert(
    fc.property(texts, (text) => {
      const stable = new StableText();
      const all = new TextEncoder().encode(text);
      let told = '';
      for (let length = 1; length <= all.length; length++) {
        const news = stable.advance(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all.slice(0, length)));
        told += news;
        expect(told).not.toContain('\u{FFFD}');
        expect(text.startsWith(told)).toBe(true);
      }
      expect(told).toBe(text);
    }),
  );
});
