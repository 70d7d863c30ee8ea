import { expect, test, vi } from 'vitest';
import { EndpointModel } from '../../src/prompt-api/endpoint-model.ts';
import { readTools } from '../../src/prompt-api/read-tools.ts';
import { Session } from '../../src/prompt-api/session.ts';
import { promptApiConnection } from '../support/fakes/prompt-api-connection.ts';

/** Prompts a session with an endpoint that first calls a tool with these arguments, and then says that it is done. */
async function prompt(calls: readonly string[], reason: string): Promise<{ answer: string; ran: unknown[] }> {
  vi.stubGlobal('location', { origin: 'https://site.example' });
  const ran: unknown[] = [];
  const tool_calls = calls.map((text, index) => ({ index, id: `c${index}`, function: { name: 'f', arguments: text } }));
  const answers = [
    { delta: { tool_calls }, finish_reason: reason },
    { delta: { content: 'Done.' }, finish_reason: 'stop' },
  ];
  const connection = promptApiConnection(async (address) => {
    if (address.endsWith('/tokenize')) return Response.json({ tokens: [1] });
    return new Response(`data: ${JSON.stringify({ choices: [answers.shift()] })}\n\ndata: [DONE]\n\n`);
  });
  const execute = async (input: unknown) => String(ran.push(input));
  const session = new Session({
    endpoint: new EndpointModel(connection, 'model', 'key'),
    contextWindow: 2048,
    types: ['text'],
    sampling: {},
    samplingMode: 'balanced',
    tools: readTools([{ name: 'f', description: 'Does it.', inputSchema: { type: 'object' }, execute }] as never),
    initial: [],
    turns: [],
    usage: 0,
  });
  const answer = await session.prompt('Hi').catch((thrown: Error) => `${thrown.name}: ${thrown.message}`);
  return { answer, ran };
}

test('whole calls run, and their results go to the model', async () => {
  expect(await prompt(['{"a":1}', '{"a":2}'], 'tool_calls')).toEqual({ answer: 'Done.', ran: [{ a: 1 }, { a: 2 }] });
});

test.each([
  ['within its only call', ['{"a": "cu']],
  ['within the last of its calls', ['{"a":1}', '{"a']],
  ['after a call', ['{"a":1}']],
])('an answer that is cut off %s is an error with a sentence, and no tool runs', async (_, calls) => {
  const { answer, ran } = await prompt(calls, 'length');
  expect(answer).toMatch(/^OperationError: The answer was cut off/);
  expect(ran).toEqual([]);
});
