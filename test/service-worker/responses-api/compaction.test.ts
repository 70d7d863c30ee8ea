import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/shared/engine/completion-request.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { readError } from '../support/read-error.ts';
import { MODELS } from '../support/test-app.ts';
import { createResponsesApp, GOOD_BODY } from './responses-app.ts';

interface Compacted {
  readonly output: readonly { readonly type: string; readonly encrypted_content?: string }[];
  readonly usage: { readonly total_tokens: number };
}

const app = createResponsesApp({ answers: new MemoryAnswers() });

async function compact(input: unknown, fields: object = {}): Promise<Compacted> {
  const body = JSON.stringify({ model: 'pocket', input, ...fields });
  const response = await app.send('/responses/compact', { method: 'POST', body });
  const compacted = (await response.json()) as Compacted;
  expect({ status: response.status, compacted }).toMatchObject({ status: 200 });
  expectPublishedForm('CompactResource', compacted);
  return compacted;
}

/** The messages that the model gets for a compacted conversation and a further question. */
async function read(output: readonly object[]): Promise<readonly ChatMessage[]> {
  const { messages } = await app.received({ input: [...output, { role: 'user', content: 'Go on' }] });
  return messages;
}

const user = (content: string) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });
const HEADING = 'Earlier in this conversation, shortened:';

test('compaction keeps the questions, and replaces the rest by one item that the endpoint can read', async () => {
  const { output, usage } = await compact([
    { role: 'developer', content: 'Be brief.' },
    user('How is the weather? ☀️'),
    { type: 'reasoning', summary: [] },
    { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"at":"Ulm"}' },
    { type: 'function_call_output', call_id: 'a', output: 'Rain ☔' },
    said('It rains.'),
  ]);
  expect(output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
  expect(output.at(-1)!.encrypted_content).toMatch(/^[\w+/]+=*$/);
  expect(usage.total_tokens).toBe(0);
  expect(await read(output)).toEqual([
    { role: 'system', content: 'Be brief.' },
    user('How is the weather? ☀️'),
    {
      role: 'assistant',
      content: `${HEADING}\nCall of look: {"at":"Ulm"}\nResult: Rain ☔\nAnswer: It rains.`,
      toolCalls: [],
    },
    user('Go on'),
  ]);
});

test('compaction removes the middle of a long answer', async () => {
  const { output } = await compact([user('Hi'), said(`${'a'.repeat(400)}MIDDLE${'z'.repeat(200)}`)]);
  expect((await read(output))[1]!.content).toBe(`${HEADING}\nAnswer: ${'a'.repeat(400)} […] ${'z'.repeat(200)}`);
});

test('the newest answers are kept, as many characters as the context window has tokens', async () => {
  const turns = Array.from({ length: 40 }, (_, turn) => [user('More'), said(`${turn}: ${'b'.repeat(300)}`)]);
  const { output } = await compact(turns.flat());
  const text = (await read(output)).at(-2)!.content as string;
  expect(text).toContain('Answer: 39: ');
  expect(text).not.toContain('Answer: 0: ');
  expect(text.length).toBeLessThanOrEqual(MODELS[0]!.contextWindow + HEADING.length + 1);
});

test('a compaction that is compacted again keeps its text', async () => {
  const first = await compact([user('One'), said('First.')]);
  const second = await compact([...first.output, user('Two'), said('Second.')]);
  expect(second.output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
  expect((await read(second.output))[2]!.content).toBe(`${HEADING}\nAnswer: First.\nAnswer: Second.`);
});

test('images are kept, although the model takes none', async () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const { output } = await compact([{ role: 'user', content: [image] }]);
  expect(output).toMatchObject([{ role: 'user', content: [image] }, { type: 'compaction' }]);
});

test.each([
  [{ input: [] }, 'missing_required_parameter', 'input'],
  [{ model: 'nobody', input: 'Hi' }, 'model_not_found', 'model'],
  [{ input: 'Hi', conversation: 'c' }, 'unsupported_parameter', 'conversation'],
  [{ input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }] }, 'invalid_value', 'input'],
  [{ input: 'Hi', previous_response_id: 'resp_x' }, 'previous_response_not_found', 'previous_response_id'],
])('%j is refused', async (fields, code, param) => {
  const body = JSON.stringify({ model: 'pocket', ...fields });
  const error = await readError(await app.send('/responses/compact', { method: 'POST', body }));
  expect(error).toMatchObject({ code, param });
});

test.each(['gAAAA', '', '!', btoa('Hello'), btoa('\xff')])(
  'a compaction item with the content %j, which this endpoint has not created, is refused',
  async (encrypted_content) => {
    const response = await app.respond({ ...GOOD_BODY, input: [{ type: 'compaction', encrypted_content }] });
    const error = await readError(response);
    expect(error).toMatchObject({ code: 'invalid_value', param: 'input[0].encrypted_content' });
  },
);
