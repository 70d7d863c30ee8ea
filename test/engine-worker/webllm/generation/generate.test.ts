import { expect, test } from 'vitest';
import { ask, loadedEngine } from '../support/test-engine.ts';

test('an answer is sent in the pieces that the model generates, then its end and its usage', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['Hel', 'lo', ' you']] });
  const { events } = await ask(engine, 'Hi');
  expect(events).toEqual([
    { type: 'prefill' },
    { type: 'prefill', prompt: { promptTokens: 5, cachedTokens: 0 } },
    { type: 'delta', choice: 0, content: 'Hel' },
    { type: 'delta', choice: 0, content: 'lo' },
    { type: 'delta', choice: 0, content: ' you' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'done', usage: { promptTokens: 5, completionTokens: 4, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
  expect(runs.map(({ prompt }) => prompt)).toEqual(['«<|user|>»Hi«<|end|>»«<|assistant|>»']);
});
