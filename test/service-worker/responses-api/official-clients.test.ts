import OpenAI6 from 'openai';
import OpenAI7 from 'openai7';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import { ApiError } from '../../../src/shared/api-error.ts';

const clients = {
  'openai 7': OpenAI7,
  // The two versions differ in private members only, so one type serves for both.
  'openai 6': OpenAI6 as unknown as typeof OpenAI7,
};
const WORDS = 'one two three four five six';

let endpoint: StoppableEndpoint;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

/** Lets the engine generate words and delivers the messages between the workers. */
async function advance(words: number): Promise<void> {
  for (let word = 0; word < words; word++) {
    await endpoint.engine.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const generating = () => vi.waitFor(() => expect(endpoint.engine.history).toHaveLength(1), 5000);

describe.each(['openai 7', 'openai 6'] as const)('%s', (version) => {
  const connect = (apiKey = 'local') =>
    new clients[version]({ apiKey, baseURL: `${SITE}v1`, fetch: endpoint.fetch, dangerouslyAllowBrowser: true });

  test('creates a response, and retrieves, lists, continues and deletes it', async () => {
    endpoint.engine.runFreely();
    const client = connect();
    const first = await client.responses.create({ model: 'a', input: 'one two', instructions: 'Count.' });
    expect(first.output_text).toBe('onetwo');
    expect(first.usage).toMatchObject({ output_tokens: 2, total_tokens: 3 });
    expect((await client.responses.retrieve(first.id)).output_text).toBe('onetwo');
    const items: string[] = [];
    for await (const item of client.responses.inputItems.list(first.id)) items.push(item.type);
    expect(items).toEqual(['message']);
    const second = await client.responses.create({ model: 'a', input: 'three', previous_response_id: first.id });
    expect(second.output_text).toBe('three');
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404, code: 'answer_not_found' });
  });

  test('compacts a stored response, and continues from it', async () => {
    endpoint.engine.runFreely();
    const client = connect();
    const { id } = await client.responses.create({ model: 'a', input: 'one two' });
    const { output } = await client.responses.compact({ model: 'a', previous_response_id: id });
    expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    const input = [...(output as OpenAI7.Responses.ResponseInputItem[]), { role: 'user', content: 'three' } as const];
    expect((await client.responses.create({ model: 'a', input })).output_text).toBe('three');
  });

  test('streams a response and puts it together', async () => {
    endpoint.engine.runFreely();
    const stream = connect().responses.stream({ model: 'a', input: WORDS });
    const pieces: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => pieces.push(delta));
    const response = await stream.finalResponse();
    expect(pieces.join('')).toBe(WORDS.replaceAll(' ', ''));
    expect(response.output_text).toBe(WORDS.replaceAll(' ', ''));
    expect(response.status).toBe('completed');
  });

  test('parses a response that follows a schema', async () => {
    endpoint.engine.runFreely();
    const format = { type: 'json_schema', name: 'n', strict: true, schema: { type: 'object' } } as const;
    const response = await connect().responses.parse({ model: 'a', input: '{"a":1}', text: { format } });
    expect(response.output_parsed).toEqual({ a: 1 });
  });

  test('resumes a broken stream after the last event that it received', async () => {
    const client = connect();
    const begun = client.responses.create({ model: 'a', input: WORDS, stream: true });
    await generating();
    await advance(2);
    const numbers: number[] = [];
    let id = '';
    const read = async () => {
      for await (const event of await begun) {
        numbers.push(event.sequence_number);
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta' && event.delta === 'two') endpoint.stopServiceWorker();
      }
    };
    await expect(read()).rejects.toThrow('network error');
    const rest = client.responses.retrieve(id, { stream: true, starting_after: numbers.at(-1)! });
    await advance(8);
    for await (const event of await rest) numbers.push(event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect((await client.responses.retrieve(id)).output_text).toBe(WORDS.replaceAll(' ', ''));
  });

  test('cancels a background response', async () => {
    const client = connect();
    const begun = await client.responses.create({ model: 'a', input: WORDS, background: true });
    await generating();
    await advance(2);
    const output = [{ type: 'message', content: [{ text: 'onetwo' }], status: 'incomplete' }];
    expect(await client.responses.cancel(begun.id)).toMatchObject({ status: 'cancelled', output });
  });

  test('throws its own error classes, also during a stream', async () => {
    const { NotFoundError, BadRequestError, AuthenticationError } = clients[version];
    const { responses } = connect();
    await expect(responses.create({ model: 'nobody', input: '' })).rejects.toBeInstanceOf(NotFoundError);
    const refused = responses.create({ model: 'a', input: 'x', previous_response_id: 'resp_unknown' });
    await expect(refused).rejects.toBeInstanceOf(BadRequestError);
    await expect(connect(' ').responses.create({ model: 'a', input: 'x' })).rejects.toBeInstanceOf(AuthenticationError);

    const begun = responses.create({ model: 'a', input: WORDS, stream: true });
    await generating();
    await advance(2);
    const read = async () => {
      for await (const event of await begun) {
        if (event.type !== 'response.output_text.delta' || event.delta !== 'two') continue;
        endpoint.engine.failure = new ApiError('context_length_exceeded', 'There is no room left.');
        await advance(2);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'context_length_exceeded', message: 'There is no room left.' });
  });
});
