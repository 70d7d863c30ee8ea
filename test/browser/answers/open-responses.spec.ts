import { expect, type Page } from '@playwright/test';
import { Ajv } from 'ajv';
import { test } from '../../support/pages/shared-site.ts';
import { EVENT, RESPONSE } from './open-responses-schemas.ts';

// The cases of the Open Responses compliance suite (github.com/openresponses/openresponses,
// `src/lib/compliance-tests.ts`, commit 0cb939c), written again as tests. docs/endpoint.md has a table of the results.

interface Item {
  readonly type: string;
}

interface Response {
  readonly status: string;
  readonly output: readonly Item[];
}

interface StreamEvent {
  readonly type: string;
  readonly item?: Item;
  readonly response?: Response;
}

const ajv = new Ajv({ allErrors: true });
const isResponse = ajv.compile(RESPONSE);
const isEvent = ajv.compile(EVENT);

const turn = (role: string, content: unknown) => ({ type: 'message', role, content });

const WEATHER = {
  input: [turn('user', 'What is the weather in Lisbon?')],
  tools: [
    {
      type: 'function',
      name: 'get_weather',
      description: 'Says how the weather is at a place.',
      parameters: {
        type: 'object',
        properties: { location: { type: 'string', description: 'City and country' } },
        required: ['location'],
      },
    },
  ],
};

const CASES: readonly { readonly name: string; readonly body: object; readonly output: string }[] = [
  { name: 'a plain question', body: { input: [turn('user', 'Greet me in three words.')] }, output: 'message' },
  {
    name: 'a system message',
    body: { input: [turn('system', 'You are a sailor and talk like one.'), turn('user', 'Greet me.')] },
    output: 'message',
  },
  {
    name: 'several turns',
    body: {
      input: [
        turn('user', 'I am called Nora.'),
        turn('assistant', 'Hello Nora. What can I do for you?'),
        turn('user', 'What am I called?'),
      ],
    },
    output: 'message',
  },
  { name: 'a function', body: WEATHER, output: 'function_call' },
];

for (const { name, body, output } of CASES) {
  test(`Open Responses: ${name} is answered in the specified form`, async ({ site }) => {
    const response = JSON.parse(await respond(site, body)) as Response;
    expect({ response, errors: isResponse(response) ? [] : isResponse.errors }).toMatchObject({ errors: [] });
    expect(response.output.map(({ type }) => type)).toContain(output);
    expect(response.status).toBe('completed');
  });

  test(`Open Responses: ${name} is streamed as the specified events`, async ({ site }) => {
    const events = eventsOf(await respond(site, { ...body, stream: true }));
    const wrong = events.filter((event) => !isEvent(event));
    expect(wrong).toEqual([]);
    const types = events.map(({ type }) => type);
    expect(types.at(-1)).toBe('response.completed');
    const kind = output === 'message' ? 'output_text' : 'function_call_arguments';
    expect(types).toEqual(expect.arrayContaining([`response.${kind}.delta`, `response.${kind}.done`]));
    const items = (type: string) => events.filter((event) => event.type === type).map(({ item }) => item?.type);
    expect(items('response.output_item.added')).toContain(output);
    expect(items('response.output_item.done')).toContain(output);
    expect(events.at(-1)!.response!.status).toBe('completed');
  });
}

test('Open Responses: an image is refused by name, because the built-in model takes none', async ({ site }) => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const body = { input: [turn('user', [{ type: 'input_text', text: 'What is this?' }, image])] };
  expect(JSON.parse(await respond(site, body, 400))).toMatchObject({
    error: { code: 'unsupported_value', param: 'input[0].content[1].type' },
  });
});

test('counted input tokens equal those of the response, and a compacted conversation can be continued', async ({
  site,
}) => {
  const { id } = JSON.parse(await respond(site, { input: 'My dog is called Bello.' })) as { readonly id: string };
  const next = { input: 'What is he called?', previous_response_id: id };
  const counted = JSON.parse(await post(site, '/responses/input_tokens', { ...next, model: 'pocket' })) as object;
  const response = JSON.parse(await respond(site, next)) as { readonly usage: { readonly input_tokens: number } };
  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: response.usage.input_tokens });

  const compact = { previous_response_id: id, model: 'pocket' };
  const { output } = JSON.parse(await post(site, '/responses/compact', compact)) as {
    readonly output: readonly Item[];
  };
  expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
  const going = JSON.parse(await respond(site, { input: [...output, turn('user', 'Go on.')] })) as Response;
  expect(going).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
});

function respond(page: Page, body: object, status = 200): Promise<string> {
  return post(page, '/responses', { model: 'pocket', ...body }, status);
}

async function post(page: Page, path: string, body: object, expected = 200): Promise<string> {
  const { status, text } = await page.evaluate(
    async ({ path, body }) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const response = await fetch(`/v1${path}`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    },
    { path, body: JSON.stringify(body) },
  );
  expect(status, text).toBe(expected);
  return text;
}

function eventsOf(stream: string): StreamEvent[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as StreamEvent);
}
