import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import { ask, loadedEngine } from '../support/test-engine.ts';

const STUCK = Array.from({ length: 400 }, (_, index) => (index % 3 === 0 ? 'land ' : 'varied '));

async function stuckAnswer(request: Partial<CompletionRequest>) {
  const { engine } = await loadedEngine({ replies: [STUCK] });
  const { choices, events, usage } = await ask(engine, request);
  return { ...choices[0]!, finish: events.find(({ type }) => type === 'finish'), tokens: usage.completionTokens };
}

test('an answer that loops is ended with the reason, and its generated tokens are counted', async () => {
  const { content, finish, tokens } = await stuckAnswer({});
  expect(finish).toMatchObject({ reason: 'length', isStuck: true });
  expect(tokens).toBeGreaterThan(150);
  expect(tokens).toBeLessThan(200);
  expect(STUCK.join('').startsWith(content)).toBe(true);
});

test.each<[string, Partial<CompletionRequest>]>([
  ['a request that disables it', { loopDetection: false }],
  ['a raw completion', { messages: [], raw: { prompts: ['Once'], suffix: null, echo: false } }],
])('%s gets the whole answer without loop detection', async (_name, request) => {
  const { content, finish } = await stuckAnswer(request);
  expect(content).toBe(STUCK.join(''));
  expect(finish).toEqual({ type: 'finish', choice: 0, reason: 'stop' });
});
