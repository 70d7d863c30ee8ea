import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StopFilter } from '../../../../src/engine-worker/answer/stop-filter.ts';
import { ask, loadedEngine, type CHAT_TEMPLATE } from '../support/test-engine.ts';

const lines = ['a', '\n', 'Us', 'er', ':', ' b'];

test.each<[readonly string[], readonly string[], string, number | null]>([
  [['a', '\nUser:', 'b'], ['\nUser:'], 'a', null],
  [lines, ['\nUser:'], 'a', null],
  [lines, ['User', '\n'], 'a', null],
  [lines, ['nowhere'], 'a\nUser: b', null],
  [lines, ['', 'er:'], 'a\nUs', null],
  [['xaYb'], ['b', 'a'], 'x', null],
  [['\n\n'], ['\n'], '', null],
  [['ab', 'ab', 'ac'], ['abac'], 'ab', null],
  [['a', 'b', 'c', 'd'], ['bcd'], 'a', 4],
  [['a', 'b', 'c', 'd'], ['bcdX'], 'abcd', null],
  [['👍', '🏽', '!'], ['🏽'], '👍', null],
])('the text %j with the stop sequences %j becomes %j', async (tokens, stop, content, maxTokens) => {
  const { engine } = await loadedEngine({ replies: [tokens, ['next']] });
  const { choices } = await ask(engine, { stop, maxTokens });
  expect(choices[0]).toMatchObject({ content, reason: 'stop' });
  expect(choices[0]?.pieces).not.toContain('');
  expect((await ask(engine, 'again')).choices[0]?.content).toBe('next');
});

test('a partial stop sequence at the token limit belongs to the answer', async () => {
  const { engine } = await loadedEngine({ replies: [['a', '\n', 'Us', 'er']] });
  const { choices } = await ask(engine, { stop: ['\nUser:'], maxTokens: 3 });
  expect(choices[0]).toMatchObject({ content: 'a\nUs', reason: 'length' });
});

test('a stop sequence ends the decoding, and the tokens until then are counted', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['a', 'b', 'c', 'd', 'e']] });
  const { usage } = await ask(engine, { stop: ['c'] });
  expect(usage.completionTokens).toBe(3);
  // The GPU had already started a step with the last token before its text was decoded.
  expect(runs[0]?.steps).toBe(3);
});

test("the template's own stop sequences end a turn and are never sent", async () => {
  const template = { stop_str: ['</turn>', 'User:'] };
  const { engine } = await loadedEngine({ replies: [['fine', '</tu', 'rn>', 'User:'], ['a </tu']], template });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ content: 'fine', reason: 'stop' });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ content: 'a </tu', reason: 'stop' });
});

test.each<[string, Partial<typeof CHAT_TEMPLATE>, written: string, content: string]>([
  ['is text, where its token ends the turn', {}, 'A turn ends with <|end|>.', 'A turn ends with <|end|>.'],
  ['is text, also as a stop sequence', { stop_str: ['<|end|>'] }, '`<|end|>` ends a turn.', '`<|end|>` ends a turn.'],
  ['ends the turn, where its token does not', { stop_token_ids: [0] }, 'Four.<|end|>User', 'Four.'],
  ['ends the turn, where it is no token', { seps: ['</turn>'] }, 'Four.</turn>User', 'Four.'],
])('the separator of the template in letters %s', async (_what, template, written, content) => {
  const { engine } = await loadedEngine({ replies: [written.match(/.{1,3}/g)!], template });
  expect((await ask(engine, 'x')).choices[0]).toMatchObject({ content, reason: 'stop' });
});

const texts = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '\n', '🙂', ''), { maxLength: 30 });
const stops = fc.array(fc.constantFrom('', 'a', 'ab', 'aab', 'b\na', 'abab', '🙂a', '\n\n'), { maxLength: 4 });

test('property: however the text is split, the output ends before the earliest stop sequence', () => {
  fc.assert(
    fc.property(texts, stops, (pieces, stop) => {
      const filter = new StopFilter(stop);
      const out = pieces.flatMap((text) => filter.push({ text, logprobs: [] }));
      out.push(...filter.end());
      const whole = pieces.join('');
      const ends = stop
        .filter((text) => text !== '')
        .map((text) => whole.indexOf(text))
        .filter((at) => at >= 0);
      expect(out.map(({ text }) => text).join('')).toBe(whole.slice(0, Math.min(whole.length, ...ends)));
      expect(filter.stopped).toBe(ends.length > 0);
    }),
  );
});

test('property: no stop sequence, or possible beginning of one, is ever sent', () => {
  fc.assert(
    fc.property(texts, stops, (pieces, stop) => {
      const filter = new StopFilter(stop);
      let shown = '';
      let whole = '';
      for (const text of pieces) {
        whole += text;
        shown += filter
          .push({ text, logprobs: [] })
          .map((piece) => piece.text)
          .join('');
        for (const candidate of stop.filter((text) => text !== '')) {
          expect(shown).not.toContain(candidate);
          const open = Array.from(candidate, (_, index) => candidate.slice(0, index + 1)).some(
            (start) => shown.length > whole.length - start.length && whole.endsWith(start) && !filter.stopped,
          );
          expect(open).toBe(false);
        }
      }
    }),
  );
});
