import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shortAnswers } from './short-answers.ts';

const MESSAGES = [{ role: 'user', content: 'Hello' }];

function read(body: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

test.each([
  ['a chat without a length', { messages: MESSAGES }, { messages: MESSAGES, max_completion_tokens: 20 }],
  ['a request with a length', { messages: MESSAGES, max_tokens: 5 }, { messages: MESSAGES, max_tokens: 5 }],
  ['a request of another API', { input: 'Hello' }, { input: 'Hello' }],
  ['a malformed request', { messages: 'Hello' }, { messages: 'Hello' }],
])('%s is sent so: %o → %o', (_, asked, sent) => {
  const bodies: unknown[] = [];
  const page = {
    ArrayBuffer,
    TextDecoder,
    TextEncoder,
    fetch: (_input: string, init?: { body: ArrayBuffer }) => bodies.push(init && read(init.body)),
  };
  runInNewContext(shortAnswers(20), page);
  page.fetch('/v1/chat/completions', { body: new TextEncoder().encode(JSON.stringify(asked)).buffer });
  page.fetch('/v1/models');
  expect(bodies).toEqual([sent, undefined]);
});
