import type { Response as SdkResponse, ResponseItem } from 'openai/resources/responses/responses';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { engineUnavailable } from '../../../src/shared/engine/engine-errors.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';
import { readError } from '../support/read-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { createWriter, writeNext } from '../../../src/service-worker/responses-api/stored-response.ts';
import { createResponsesApp, readResponseEvents } from './responses-app.ts';

const ADDRESS = `${SITE}v1/responses`;
const WORDS = 'one two three four five six';

let endpoint: StoppableEndpoint;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

function send(path: string, init: RequestInit = {}, key = 'local'): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return endpoint.fetch(ADDRESS + path, { ...init, headers });
}

const post = (fields: object, init: RequestInit = {}): Promise<Response> =>
  send('', { method: 'POST', body: JSON.stringify({ model: 'a', ...fields }), ...init });

/** A successful response. */
async function respond(fields: object): Promise<SdkResponse> {
  endpoint.engine.runFreely();
  const response = await post(fields);
  expect(response.status).toBe(200);
  return (await response.json()) as SdkResponse;
}

const retrieve = async (id: string) => (await (await send(`/${id}`)).json()) as SdkResponse;
const eventsAfter = async (id: string, number: number) =>
  (await send(`/${id}?stream=true&starting_after=${number}`)).text();

/** The engine's request of a response. */
const requestOf = (id: string) => endpoint.answers.answers.get(id)!.request;

function textOf({ output }: SdkResponse): string {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
}

const generating = (text = WORDS) =>
  vi.waitFor(() => expect(endpoint.engine.history).toContain(`generate a: ${text}`), 5000);

/** Lets the engine generate words and delivers the messages between the workers. */
async function advance(words: number): Promise<void> {
  for (let word = 0; word < words; word++) {
    await endpoint.engine.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Starts a stream and reads up to the second word. */
async function beginStream(fields: object = {}, init: RequestInit = {}) {
  const response = post({ input: WORDS, stream: true, ...fields }, init);
  await generating();
  await advance(2);
  const reader = (await response).body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('"delta":"two"')) text += decoder.decode((await reader.read()).value);
  const id = /"id":"(resp_[0-9a-f]{32})"/.exec(text)![1]!;
  const last = readResponseEvents(text).at(-1)!.data.sequence_number;
  return { id, text, last, reader };
}

test('a response is stored by default and retrieved unchanged', async () => {
  const stored = await respond({ input: 'one two', metadata: { topic: 'words' } });
  expect(stored).toMatchObject({ store: true, metadata: { topic: 'words' } });
  const unstored = await respond({ input: 'one two', store: false });
  expect(unstored).toMatchObject({ store: false });
  endpoint.stopServiceWorker();
  endpoint.replaceEngine();
  expect(await retrieve(stored.id)).toEqual(stored);
  expectPublishedForm('Response', stored);
  const missing = { status: 404, code: 'answer_not_found' };
  expect(await readError(await send(`/${unstored.id}`))).toMatchObject(missing);
  expect(await readError(await send(`/${stored.id}`, {}, 'another'))).toMatchObject(missing);
});

test('a deleted response is gone', async () => {
  const { id } = await respond({ input: 'one' });
  expect(await (await send(`/${id}`, { method: 'DELETE' })).json()).toEqual({ id, object: 'response', deleted: true });
  expect(await readError(await send(`/${id}`))).toMatchObject({ status: 404, code: 'answer_not_found' });
  expect(await readError(await send(`/${id}`, { method: 'DELETE' }))).toMatchObject({ status: 404 });
});

describe('a lost stream', () => {
  test.each(['the service worker', 'the page', 'both'])(
    'with %s resumes after any event, without a gap',
    async (lost) => {
      const { id, text, last, reader } = await beginStream();
      endpoint.clientDisconnected = true;
      if (lost !== 'the service worker') await reader.cancel().catch(() => {});
      if (lost !== 'the page') endpoint.stopServiceWorker();
      await advance(2);
      const rest = eventsAfter(id, last);
      await advance(6);
      const whole = text + (await rest);
      const events = readResponseEvents(whole);
      expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index));
      expect(events.at(-1)!.data.type).toBe('response.completed');
      // Replayed from the start and from each event.
      expect(readResponseEvents(await (await send(`/${id}?stream=true`)).text())).toEqual(events);
      for (const [index] of events.entries()) {
        expect(readResponseEvents(await eventsAfter(id, index))).toEqual(events.slice(index + 1));
      }
      expect(textOf(await retrieve(id))).toBe(WORDS.replaceAll(' ', ''));
    },
  );

  test('ends as failed if the engine died', async () => {
    const { id, last } = await beginStream();
    endpoint.replaceEngine();
    const events = readResponseEvents(await eventsAfter(id, 0));
    expect(events.slice(-2).map(({ data }) => data.type)).toEqual(['error', 'response.failed']);
    expect(last).toBeGreaterThan(0);
    expect(await retrieve(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });
});

test('a running response is retrieved in progress, and a client that cancels its stream ends it', async () => {
  const { id, reader } = await beginStream();
  const running = await retrieve(id);
  expect(running).toMatchObject({ status: 'in_progress', store: true });
  expect(textOf(running)).toBe('onetwo');
  expectPublishedForm('Response', running);
  await reader.cancel();
  await vi.waitFor(() => expect(endpoint.engine.history).toContain('stopped'), 5000);
  expect(await retrieve(id)).toMatchObject({ status: 'cancelled', error: null, output: [{ status: 'incomplete' }] });
});

test('a stored response whose engine is lost after the first events has failed, and is not to be sent again', async () => {
  const { id, created_at: created } = await respond({ input: 'one' });
  const writer = createWriter(endpoint.answers.answers.get(id)!);
  const batches: readonly (readonly CompletionEvent[])[] = [
    [{ type: 'begun', created, answerId: id }],
    [{ type: 'error', error: engineUnavailable('The engine is gone.').toData() }],
  ];
  const events = new ReadableStream<readonly CompletionEvent[]>({
    start: (controller) => batches.forEach((batch) => controller.enqueue(batch)),
  });
  const reader = events.getReader();
  while (await writeNext(reader, writer));
  expect(writer.response).toMatchObject({ id, status: 'failed' });
});

describe('in the background', () => {
  test('a response returns before its completion starts, and completes without its client', async () => {
    const begun = (await (await post({ input: WORDS, background: true })).json()) as SdkResponse;
    expect(begun).toMatchObject({ background: true, store: true, output: [] });
    expect(['queued', 'in_progress']).toContain(begun.status);
    expectPublishedForm('Response', begun);
    await generating();
    await advance(8);
    await vi.waitFor(async () => expect(await retrieve(begun.id)).toMatchObject({ status: 'completed' }), 5000);
    expect(textOf(await retrieve(begun.id))).toBe(WORDS.replaceAll(' ', ''));
  });

  test('a stream reports the queued response, and cancelling the stream does not end it', async () => {
    const { id, text, reader } = await beginStream({ background: true });
    const types = readResponseEvents(text).map(({ data }) => data.type);
    expect(types.slice(0, 3)).toEqual(['response.created', 'response.queued', 'response.in_progress']);
    await reader.cancel();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await advance(8);
    await vi.waitFor(async () => expect(await retrieve(id)).toMatchObject({ status: 'completed' }), 5000);
  });

  test('a response is cancelled by its id and keeps its output so far', async () => {
    const { id } = await beginStream({ background: true });
    const cancelled = (await (await send(`/${id}/cancel`, { method: 'POST' })).json()) as SdkResponse;
    expect(cancelled).toMatchObject({ id, status: 'cancelled' });
    expect(textOf(cancelled)).toBe('onetwo');
    expectPublishedForm('Response', cancelled);
    await vi.waitFor(async () => expect(await retrieve(id)).toEqual(cancelled), 5000);
    expect(await (await send(`/${id}/cancel`, { method: 'POST' })).json()).toEqual(cancelled);
  });

  test.for([
    ['GET', '/responses/ID'],
    ['GET', '/responses/ID?stream=true'],
    ['GET', '/responses/ID?stream=true&starting_after=2'],
    ['POST', '/responses/ID/cancel'],
    ['POST', '/responses', { model: 'pocket', input: 'Hi', previous_response_id: 'ID' }],
    ['POST', '/responses/input_tokens', { model: 'pocket', input: 'Hi', previous_response_id: 'ID' }],
    ['POST', '/responses', { model: 'pocket', input: [{ type: 'item_reference', id: `msg_${'a'.repeat(32)}_0` }] }],
  ] as const)('while the engine cannot be reached, %s %s is to be sent again', async ([method, path, body]) => {
    const app = createResponsesApp({ answers: new MemoryAnswers() });
    app.service.play([{ type: 'begun', created: 1000, answerId: `resp_${'a'.repeat(32)}` }]);
    const { id } = (await (
      await app.respond({ model: 'pocket', input: 'Hi', background: true })
    ).json()) as SdkResponse;
    app.service.play([{ type: 'error', error: engineUnavailable('A newer version takes over.').toData() }]);
    const response = await app.send(path.replace('ID', id), {
      method,
      ...(body && { body: JSON.stringify(body).replace('ID', id) }),
    });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await readError(response)).toMatchObject({ status: 503, code: 'engine_unavailable' });
  });

  test('only a background response can be cancelled, and it must be stored', async () => {
    const { id } = await respond({ input: 'one' });
    const refused = await readError(await send(`/${id}/cancel`, { method: 'POST' }));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_value' });
    const unstored = await readError(await post({ input: 'one', background: true, store: false }));
    expect(unstored).toMatchObject({ status: 400, code: 'invalid_value', param: 'background' });
  });
});

describe('before the database has the log of a response', () => {
  beforeEach(() => {
    endpoint.answers.addLog = () => new Promise(() => {});
  });

  test('it is retrieved as it has ended, and can be followed by another', async () => {
    const first = await respond({ input: 'one' });
    expect(await retrieve(first.id)).toEqual(first);
    const reference = { type: 'item_reference', id: first.output[0]!.id! };
    for (const following of [
      { input: 'two', previous_response_id: first.id },
      { input: [reference, { role: 'user', content: 'two' }] },
    ]) {
      const { id } = await respond(following);
      expect(requestOf(id).messages).toContainEqual({ role: 'assistant', content: 'one', toolCalls: [] });
    }
  });

  test('a cancelled one is retrieved as cancelled, by its object and by its events', async () => {
    const { id, last } = await beginStream({ background: true });
    const cancelled = (await (await send(`/${id}/cancel`, { method: 'POST' })).json()) as SdkResponse;
    expect(await retrieve(id)).toEqual(cancelled);
    expect(readResponseEvents(await eventsAfter(id, last)).at(-1)!.data.type).toBe('response.incomplete');
  });
});

describe('a response that follows another', () => {
  test('gets the whole earlier conversation without its instructions', async () => {
    const first = await respond({ input: 'one', instructions: 'Count.' });
    const second = await respond({ input: 'two', previous_response_id: first.id });
    // What came before need not be kept for what comes after.
    await send(`/${first.id}`, { method: 'DELETE' });
    const third = await respond({ input: 'three', previous_response_id: second.id, instructions: 'Add.' });
    expect(third.previous_response_id).toBe(second.id);
    expect(requestOf(third.id).messages).toEqual([
      { role: 'system', content: 'Add.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'one', toolCalls: [] },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'two', toolCalls: [] },
      { role: 'user', content: 'three' },
    ]);
  });

  test('may refer to stored items by their ids', async () => {
    const first = await respond({ input: 'one' });
    const page = (await (await send(`/${first.id}/input_items`)).json()) as { data: ResponseItem[] };
    const ids = [page.data[0]!.id!, first.output[0]!.id!];
    const references = ids.map((id) => ({ type: 'item_reference', id }));
    const second = await respond({ input: [...references, { role: 'user', content: 'two' }] });
    expect(requestOf(second.id).messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'one', toolCalls: [] },
      { role: 'user', content: 'two' },
    ]);
    const unknown = await post({ input: [{ type: 'item_reference', id: 'msg_elsewhere' }] });
    expect(await readError(unknown)).toMatchObject({ status: 400, code: 'invalid_value', param: 'input[0].id' });
  });

  test('is rejected while the previous one runs, and if there is none', async () => {
    const { id } = await beginStream();
    const early = await readError(await post({ input: 'more', previous_response_id: id }));
    expect(early).toMatchObject({ status: 400, code: 'invalid_value', param: 'previous_response_id' });
    for (const unknown of [`resp_${'0'.repeat(32)}`, '', 'x']) {
      const refused = await readError(await post({ input: 'more', previous_response_id: unknown }));
      expect(refused).toMatchObject({
        status: 400,
        code: 'previous_response_not_found',
        param: 'previous_response_id',
      });
    }
  });
});

test('the input items are listed page by page, newest first', async () => {
  const given = ['3', 'as a sum'].map((text) => ({ type: 'input_text', text }));
  const input = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Add.' }], id: 'msg_own' },
    { type: 'reasoning', id: 'rs_own', summary: [] },
    { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: given },
    { role: 'assistant', content: 'Three.' },
  ];
  const { id } = await respond({ input: [...input, { role: 'user', content: 'one' }] });
  const list = async (query: string) => {
    const page = await (await send(`/${id}/input_items${query}`)).json();
    return page as { data: ResponseItem[]; has_more: boolean; last_id: string };
  };
  const all = await list('?order=asc');
  expectPublishedForm('ResponseItemList', all);
  expect(all.data.map(({ type }) => type)).toEqual([
    'message',
    'message',
    'reasoning',
    'function_call',
    'function_call_output',
    'message',
    'message',
  ]);
  expect(all.data.map((item) => item.id).slice(1, 3)).toEqual(['msg_own', 'rs_own']);
  expect(all.data[0]).toMatchObject({ role: 'developer', content: [{ text: 'Be brief.' }] });
  expect(all.data[4]).toMatchObject({ output: given });
  expect(requestOf(id).messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  const newest = await list('?limit=2');
  expect(newest).toMatchObject({ has_more: true, data: all.data.slice(-2).toReversed() });
  expect((await list(`?limit=100&after=${newest.last_id}`)).data).toEqual(all.data.slice(0, -2).toReversed());
});

test('all that is stored of a response counts in its size: input and tools, as the model and as the client have them', async () => {
  const large = 'x'.repeat(1000);
  const tools = [{ type: 'function', name: 'add', description: large, parameters: {}, strict: false }];
  const { id } = await respond({ input: large, instructions: large, tools, metadata: { large: 'x'.repeat(500) } });
  const { characters, ...stored } = endpoint.answers.answers.get(id)!;
  expect(characters).toBeGreaterThan(6500);
  expect(characters).toBeLessThan(JSON.stringify(stored).length);
});

test('starting_after behind the last event is rejected, while the response is in progress as well', async () => {
  const { id } = (await (await post({ input: WORDS, background: true })).json()) as SdkResponse;
  const expectRejected = async (number: number) => {
    const refused = await readError(await send(`/${id}?stream=true&starting_after=${number}`));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_value', param: 'starting_after' });
  };
  await generating();
  await expectRejected(999);
  endpoint.engine.runFreely();
  const last = readResponseEvents(await eventsAfter(id, 0)).at(-1)!.data.sequence_number;
  await expectRejected(last + 1);
  expect(readResponseEvents(await eventsAfter(id, last))).toEqual([]);
});

test.each(['-1', 'x', '1.5', '0x1', '1e1', ''])('starting_after=%s is rejected', async (number) => {
  const { id } = await respond({ input: 'one' });
  const refused = await readError(await send(`/${id}?stream=true&starting_after=${number}`));
  expect(refused).toMatchObject({ status: 400, code: 'invalid_value', param: 'starting_after' });
});

test.for([
  ['/responses', { previous_response_id: 'resp_x' }],
  ['/responses', { input: [{ type: 'item_reference', id: `msg_${'0'.repeat(32)}_0` }] }],
  ['/responses/input_tokens', { previous_response_id: 'resp_x' }],
] as const)('while the database does not open, %s with %j is to be sent again', async ([path, fields]) => {
  const answers = new MemoryAnswers();
  const fault = new ApiError('storage_unavailable', 'It has not opened.', { retryAfter: 10 });
  vi.spyOn(answers, 'find').mockRejectedValue(fault);
  const app = createResponsesApp({ answers });
  const body = JSON.stringify({ model: 'pocket', input: 'Hi', ...fields });
  const response = await app.send(path, { method: 'POST', body });
  expect(response.headers.get('retry-after')).toBe('10');
  expect(await readError(response)).toMatchObject({ status: 503, code: 'storage_unavailable' });
});
