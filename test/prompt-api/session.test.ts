import { beforeEach, expect, test, vi } from 'vitest';
import { EndpointModel } from '../../src/prompt-api/endpoint-model.ts';
import { Session } from '../../src/prompt-api/session.ts';
import { promptApiConnection } from '../support/fakes/prompt-api-connection.ts';

/** Like the browser's class: it refuses to say that less was requested than is allowed. */
class QuotaExceededError extends Error {
  override name = 'QuotaExceededError';
  readonly requested: number | null;
  readonly quota: number | null;

  constructor(message: string, { requested, quota }: { requested?: number; quota?: number }) {
    super(message);
    if (requested !== undefined && quota !== undefined && requested < quota) throw new RangeError('Below the quota.');
    this.requested = requested ?? null;
    this.quota = quota ?? null;
  }
}

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://site.example' });
  vi.stubGlobal('QuotaExceededError', QuotaExceededError);
});

const CONTEXT_WINDOW = 2048;
const TOKENS_THAT_BEGIN_AN_ANSWER = 3;

/** Connects to an endpoint whose tokenizer makes each character a token. */
const connection = promptApiConnection(async (_address, { body = '{}' }) => {
  const { messages, add_generation_prompt: begins } = JSON.parse(body);
  const length = messages.map(({ content }: { content: string }) => content).join('').length;
  return Response.json({ tokens: Array(length + (begins ? TOKENS_THAT_BEGIN_AN_ANSWER : 0)).fill(1) });
});

function createSession(): Session {
  return new Session({
    endpoint: new EndpointModel(connection, 'model', 'key'),
    contextWindow: CONTEXT_WINDOW,
    types: ['text'],
    sampling: {},
    samplingMode: 'balanced',
    tools: { described: [], run: () => Promise.reject(new Error('There are no tools.')) },
    initial: [],
    turns: [],
    usage: 0,
  });
}

test.each([
  ['leave no room for the beginning of an answer', CONTEXT_WINDOW - 2, CONTEXT_WINDOW],
  ['exceed the context window', CONTEXT_WINDOW + 5, CONTEXT_WINDOW + 5],
])('messages that %s are refused as more than the quota', async (_name, length, requested) => {
  const refused = createSession().append('x'.repeat(length));
  await expect(refused).rejects.toMatchObject({ name: 'QuotaExceededError', requested, quota: CONTEXT_WINDOW });
});

test('messages that leave room for an answer are kept', async () => {
  const session = createSession();
  await session.append('x'.repeat(CONTEXT_WINDOW - TOKENS_THAT_BEGIN_AN_ANSWER - 1));
  expect(session.contextUsage).toBe(CONTEXT_WINDOW - TOKENS_THAT_BEGIN_AN_ANSWER - 1);
});
