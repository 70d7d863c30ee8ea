import { expect, test, type Page } from '@playwright/test';
import { localModels } from '../../../src/command-line/local-models.ts';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { validator } from '../../schema-proof/validator.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { openControlled } from '../../support/pages/site-page.ts';
import { serveDist } from '../../support/sites/test-site.ts';

/** SmolLM2, which `npm run model -- smollm2` fetches. It runs on the CPU here. */
const gguf = localModels().filter(({ id }) => id === 'smollm2');

test.use(WITHOUT_GPU);
test.skip(gguf.length === 0, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');
// Each test continues where the previous one ended, because loading the model takes seconds.
test.describe.configure({ mode: 'serial' });

let site: Site;
let page: Page;

test.beforeAll(async ({ browser }) => {
  site = await serveDist({ gguf });
  page = await browser.newPage();
  await openControlled(page, site.url);
});

test.afterAll(async () => {
  await page?.close();
  await site?.close();
});

interface Answer {
  readonly status: number;
  readonly engine: string | null;
  readonly body: string;
}

/** @param abortAfter Milliseconds. Default: never. */
function ask(fields: object, abortAfter?: number): Promise<Answer> {
  const body = { model: 'smollm2', temperature: 0, max_tokens: 16, ...fields };
  return page.evaluate(
    async ({ body, abortAfter }) => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(abortAfter === undefined ? {} : { signal: AbortSignal.timeout(abortAfter) }),
      }).catch((thrown: unknown) => new Response(String(thrown), { status: 499 }));
      const text = await response.text().catch(String);
      return { status: response.status, engine: response.headers.get('x-tabserve-engine'), body: text };
    },
    { body, abortAfter },
  );
}

/** The locks of the engines of the site. */
const enginesAt = (tab: Page) =>
  tab.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.flatMap(({ name = '' }) => (name.startsWith('tabserve-engine') ? [name] : []));
  });

const QUESTION = [{ role: 'user', content: 'Write one sentence about the sea.' }];
const contentOf = ({ body }: Answer) =>
  (JSON.parse(body) as { choices: [{ message: { content: string } }] }).choices[0].message.content;
const eventsOf = <Event>(body: string): Event[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as Event);

let first: string;

test("without WebGPU the page loads the site's own GGUF model instead of the built-in one @core", async () => {
  test.setTimeout(300_000);
  await reachState(page, 'ready');
  expect(await pageStatus(page)).toMatchObject({ model: 'smollm2' });
});

test('a GGUF model answers in a browser without WebGPU, and the response names the engine @core', async () => {
  test.setTimeout(300_000);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const answer = await ask({ messages: QUESTION });
  expect(answer).toMatchObject({ status: 200, engine: expect.stringMatching(/^local; llama\.cpp; cpu; threads=\d+$/) });
  first = contentOf(answer);
  expect(first.length).toBeGreaterThan(20);
  expect(await pageStatus(page)).toMatchObject({ state: 'ready', model: 'smollm2' });
});

test('without a graphics device a second tab uses the same engine, in a SharedWorker @core', async () => {
  const [second] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open(location.href))]);
  await reachState(second, 'ready');
  // The name of an engine in a SharedWorker contains its script. No tab hosts one.
  expect(await enginesAt(second)).toEqual([expect.stringMatching(/^tabserve-engine .+\.js#/)]);
  await second.close();
});

test('a request right after the only page was reloaded is answered @core', async () => {
  test.setTimeout(300_000);
  const before = await enginesAt(page);
  await page.reload({ waitUntil: 'commit' });
  expect(await ask({ messages: QUESTION })).toMatchObject({ status: 200 });
  // It had no page in which llama.cpp could run for a moment.
  expect(await enginesAt(page)).toEqual(before);
});

test('the stream has the same text as the JSON answer, and its prompt comes from the cache @core', async () => {
  const { status, body } = await ask({ messages: QUESTION, stream: true, stream_options: { include_usage: true } });
  expect(status).toBe(200);
  const chunks = eventsOf<{
    choices: { delta: { content?: string } }[];
    usage?: { prompt_tokens_details: { cached_tokens: number } };
  }>(body);
  expect(chunks.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).toBe(first);
  expect(chunks.at(-1)?.usage?.prompt_tokens_details.cached_tokens).toBeGreaterThan(0);
});

test('an aborted answer frees the model @core', async () => {
  await ask({ messages: QUESTION, stream: true, max_tokens: 2000 }, 2000);
  expect(contentOf(await ask({ messages: QUESTION }))).toBe(first);
});

/** The body of a response to a request that waits for its end. */
const post = (path: string, fields: object) =>
  page.evaluate(
    async ({ path, body }) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const response = await fetch(`/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return response.json() as Promise<unknown>;
    },
    { path, body: { model: 'smollm2', temperature: 0, ...fields } },
  );

test('a message says which stop sequence has ended it @core', async () => {
  const [, word = ''] = first.split(' ');
  const message = await post('/messages', { max_tokens: 16, messages: QUESTION, stop_sequences: ['never', word] });
  const content = [{ type: 'text', text: first.slice(0, first.indexOf(word)) }];
  expect(message).toMatchObject({ content, stop_reason: 'stop_sequence', stop_sequence: word });
});

test('a text that was cut within a character is answered @core', async () => {
  const messages = [{ role: 'user', content: 'Repeat: 🦊\ud83d' }];
  expect(await ask({ messages, max_tokens: 2, stop: ['\ude00'] })).toMatchObject({ status: 200 });
  const completed = await post('/completions', { prompt: 'x\ud83d', max_tokens: 2 });
  expect(completed).toMatchObject({ usage: { completion_tokens: 2 } });
});

test('a text completion of no tokens is its prompt @core', async () => {
  const completion = await post('/completions', { prompt: 'Once upon', max_tokens: 0, echo: true });
  expect(completion).toMatchObject({
    choices: [{ text: 'Once upon', finish_reason: 'length' }],
    usage: { completion_tokens: 0 },
  });
});

test('a schema is enforced @core', async () => {
  const schema = { type: 'object', properties: { city: { enum: ['Rome', 'Paris'] } }, required: ['city'] };
  const answer = await ask({
    messages: [{ role: 'user', content: 'Name a city.' }],
    max_tokens: 40,
    response_format: { type: 'json_schema', json_schema: { name: 'city', schema } },
  });
  expect(JSON.parse(contentOf(answer))).toMatchObject({ city: expect.stringMatching(/Rome|Paris/) });
});

const ITEM = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const LONG_LISTS: Readonly<Record<string, object>> = {
  'an array of at most 1000 items': { type: 'array', items: ITEM, maxItems: 1000 },
  'an array of at most 3000 items': { type: 'array', items: ITEM, maxItems: 3000 },
  'an array of at least 1000 items': { type: 'array', items: { enum: [1, 2] }, minItems: 1000 },
  'an object of at most 700 properties': { additionalProperties: { type: 'integer' }, maxProperties: 700 },
};

for (const [what, list] of Object.entries(LONG_LISTS)) {
  test(`llama.cpp takes the schema of ${what}`, async () => {
    const schema = { type: 'object', properties: { list }, required: ['list'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'lists', schema } };
    const answer = await ask({ messages: QUESTION, response_format, max_tokens: 30 });
    expect(answer).toMatchObject({ status: 200 });
    expect(contentOf(answer)).toMatch(/^\{\s*"list"\s*:\s*[[{]/);
  });
}

test('a regular expression is enforced @core', async () => {
  const answer = await ask({ messages: QUESTION, guided_regex: 'é[0-9]{3}😀' });
  expect(contentOf(answer)).toMatch(/^é\d{3}😀$/u);
});

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z][a-z]+$', maxLength: 9 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    score: { type: 'number', minimum: -1, maximum: 1 },
    tags: { type: 'array', items: { enum: ['red', 'blue'] }, minItems: 1, maxItems: 2 },
  },
  required: ['name', 'age', 'score', 'tags'],
  additionalProperties: false,
};
const MAKE_UP = [{ role: 'user', content: 'Make a person up.' }];
const PERSON_FORMAT = { type: 'json_schema', json_schema: { name: 'person', strict: true, schema: PERSON } };
const PERSON_TOOL = { type: 'function', function: { name: 'save', strict: true, parameters: PERSON } };
const FORCED = { tools: [PERSON_TOOL], tool_choice: 'required', parallel_tool_calls: false };

interface PersonChoice {
  readonly finish_reason: string;
  readonly message: { content: string; tool_calls: [{ function: { arguments: string } }] };
}

interface PersonDelta {
  readonly finish_reason: string | null;
  readonly delta: { content?: string; tool_calls?: [{ function: { arguments?: string } }] };
}

/** The ways to request a person as JSON: fields of a request, and the JSON text in a choice or a chunk. */
const PERSON_DOORS: Readonly<Record<string, readonly [object, (message: PersonDelta['delta']) => string | undefined]>> =
  {
    answer: [{ response_format: PERSON_FORMAT }, ({ content }) => content],
    'call of a strict tool': [FORCED, ({ tool_calls: calls }) => calls?.[0].function.arguments],
  };

for (const [name, [fields, textOf]] of Object.entries(PERSON_DOORS)) {
  for (const stream of [false, true]) {
    test(`${stream ? 'a streamed' : 'an unstreamed'} ${name} satisfies its schema or ends at the limit @core`, async () => {
      // The definition of the tool is a long prompt for a CPU.
      test.setTimeout(300_000);
      // The second limit cuts the answer off.
      for (const limit of [200, 8]) {
        const { status, body } = await ask({
          ...fields,
          stream,
          messages: MAKE_UP,
          temperature: 1,
          max_tokens: limit,
          seed: 1,
        });
        expect(status, body).toBe(200);
        const pieces = stream
          ? eventsOf<{ choices: PersonDelta[] }>(body).map(({ choices: [one] }) => one)
          : (JSON.parse(body) as { choices: PersonChoice[] }).choices.map((one) => ({ ...one, delta: one.message }));
        const text = pieces.map((one) => (one === undefined ? '' : (textOf(one.delta) ?? ''))).join('');
        const reason = pieces.findLast((one) => one?.finish_reason)?.finish_reason;
        if (limit === 8) expect(reason).toBe('length');
        else
          expect([reason, validator(PERSON)!(JSON.parse(text))], text).toEqual([
            reason === 'tool_calls' ? reason : 'stop',
            true,
          ]);
      }
    });
  }
}

test('a grammar of the request is enforced @core', async () => {
  const grammar = 'root ::= "(" root ")" | ("ab" | "é") [0-9]{2,3} "!"';
  const answer = await ask({ messages: QUESTION, grammar, temperature: 1, seed: 2 });
  expect(contentOf(answer)).toMatch(/^\(*(?:ab|é)\d{2,3}!\)*$/);
});

test('an embedding model for WebLLM is refused with the reason @core', async () => {
  const { status, text } = await page.evaluate(async () => {
    const response = await fetch('/v1/embeddings', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket-embed', input: 'sea' }),
    });
    return { status: response.status, text: await response.text() };
  });
  expect(status).toBe(503);
  expect(text).toContain('needs WebGPU');
});

test('an answer goes on after a reload without network, although the reloaded page ran the model @core @firefox', async () => {
  test.setTimeout(300_000);
  const chat = new ChatPage(page);
  await chat.settings({ 'Maximum length': '64' });
  await chat.send('Write a polite email to my landlord about the broken heating.');
  await chat.growing();
  const before = await chat.text();
  await page.context().setOffline(true);
  await page.reload();
  await expect.poll(() => chat.text(), { timeout: 100_000 }).toContain(before);
  const whole = await chat.answered();
  await page.context().setOffline(false);
  expect(whole.length).toBeGreaterThan(before.length);
  await expect(chat.notice('The model stopped answering')).toHaveCount(0);
  await expect(chat.notice('This answer was interrupted')).toHaveCount(0);
});

test('after a reload without network the model gives the same answer @core', async () => {
  test.setTimeout(300_000);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expect(contentOf(await ask({ messages: QUESTION }))).toBe(first);
  await reachState(page, 'ready');
});

test('the context meter stays after a stopped answer, and the console does not say that its tokens could not be counted', async () => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.getByRole('link', { name: 'New chat' }).click();
  const chat = new ChatPage(page);
  await chat.send('Write a polite email to my landlord about the broken heating.');
  await chat.growing();
  await chat.stop();
  const meter = page.getByRole('button', { name: /tokens that this model can take in at once/ });
  await expect(meter).toBeVisible();
  // The tokens of a draft are counted after a pause in typing.
  await chat.field.fill('And to my neighbour.');
  await page.waitForTimeout(1000);
  await expect(meter).toBeVisible();
  expect(said.join('\n')).not.toContain('could not be counted');
});
