import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shortAnswers } from './short-answers.ts';

const MESSAGES = [{ role: 'user', content: 'Hello' }];

test.each([
  ['a chat without a length', { messages: MESSAGES }, { messages: MESSAGES, max_completion_tokens: 20 }],
  ['a request with a length', { messages: MESSAGES, max_tokens: 5 }, { messages: MESSAGES, max_tokens: 5 }],
  ['a request of another API', { input: 'Hello' }, { input: 'Hello' }],
  ['a malformed request', { messages: 'Hello' }, { messages: 'Hello' }],
])('%s is sent so: %o → %o', async (_, asked, sent) => {
  const bodies: unknown[] = [];
  const page = {
    Blob,
    fetch: async (_input: string, init?: { body: Blob }) =>
      bodies.push(init && [init.body.type, await init.body.text()]),
  };
  runInNewContext(shortAnswers(20), page);
  await page.fetch('/v1/chat/completions', { body: new Blob([JSON.stringify(asked)], { type: 'application/json' }) });
  await page.fetch('/v1/models');
  expect(bodies).toEqual([['application/json', JSON.stringify(sent)], undefined]);
});
