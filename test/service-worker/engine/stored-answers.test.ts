import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { ENGINE_ABANDONED_PREFIX, ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import { readError } from '../support/read-error.ts';

const URL = `${SITE}v1/chat/completions`;

let endpoint: StoppableEndpoint;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

interface Asked {
  readonly text: string;
  readonly stream?: boolean;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Record<string, string>;
}

function ask({ text, key = 'local', signal, headers = {}, ...fields }: Asked): Promise<Response> {
  const body = { model: 'a', messages: [{ role: 'user', content: text }], store: true, ...fields };
  return endpoint.fetch(URL, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

function send(path: string, init: RequestInit = {}, key = 'local'): Promise<Response> {
  return endpoint.fetch(URL + path, { ...init, headers: { authorization: `Bearer ${key}` } });
}

interface Completion {
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

const retrieve = async (id: string, key?: string) => (await (await send(`/${id}`, {}, key)).json()) as Completion;
const textOf = ({ choices }: Completion) => choices[0]?.message.content;

/** Reads a stream up to its first delta. Returns the id of the answer and the reader. */
async function begin(response: Response) {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let read = '';
  while (!read.includes('"content":"1"')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`It has ended: ${read}`);
    read += decoder.decode(value);
  }
  return { id: /"id":"(chatcmpl-[0-9a-f]{32})"/.exec(read)![1]!, reader };
}

/** Lets the engine generate this many words, and delivers the messages between the workers. */
async function advance(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await endpoint.engine.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const generating = (text: string) =>
  vi.waitFor(() => expect(endpoint.engine.history).toContain(`generate a: ${text}`), 5000);

/** Requests a stream and lets its first delta come. */
async function askForStream(asked: Omit<Asked, 'stream'>) {
  const response = ask({ ...asked, stream: true });
  await generating(asked.text);
  await advance(1);
  return begin(await response);
}

/** Starts a response in the background. @returns a function that sends requests for it. */
async function beginInBackground(input: string) {
  const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
  const responses = `${SITE}v1/responses`;
  const body = JSON.stringify({ model: 'a', input, background: true });
  const { id } = (await (await endpoint.fetch(responses, { method: 'POST', headers, body })).json()) as { id: string };
  await generating(input);
  return (path = '', init: RequestInit = {}) => endpoint.fetch(`${responses}/${id}${path}`, { ...init, headers });
}

const statusOf = async (response: Response) => ((await response.json()) as { status?: string }).status;

test('a stored answer can be retrieved repeatedly, with its own key only', async () => {
  endpoint.engine.runFreely();
  const first = (await (await ask({ text: '1 2 3' })).json()) as Completion;
  expect(textOf(first)).toBe('123');
  for (let time = 0; time < 2; time++) {
    expect(await retrieve(first.id)).toMatchObject(first);
    endpoint.stopServiceWorker();
    endpoint.replaceEngine();
  }
  for (const [id, key] of [
    [first.id, 'another'],
    ['chatcmpl-unknown', 'local'],
  ] as const) {
    expect(await readError(await send(`/${id}`, {}, key))).toMatchObject({ status: 404, code: 'answer_not_found' });
  }
  expect(endpoint.engine.history).toEqual([]);
});

test('a running answer is retrieved completely, although the service worker or the requesting tab died', async () => {
  for (const death of ['service worker', 'tab'] as const) {
    const text = `1 2 3 ${death}`;
    const left = new AbortController();
    const { id } = await askForStream({ text, signal: left.signal });
    endpoint.clientDisconnected = death === 'tab';
    if (death === 'tab') left.abort();
    else endpoint.stopServiceWorker();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const [again] = await Promise.all([retrieve(id), advance(8)]);
    expect(textOf(again)).toBe(text.replaceAll(' ', ''));
    expect(await retrieve(id)).toEqual(again);
  }
  expect(endpoint.engine.history).toEqual(['generate a: 1 2 3 service worker', 'generate a: 1 2 3 tab']);
});

test('a connected client that cancels ends its answer, which is stored as cancelled', async () => {
  const left = new AbortController();
  const { id } = await askForStream({ text: '1 2 3 4 5 6 7 8 9', signal: left.signal });
  left.abort();
  await vi.waitFor(() => expect(endpoint.answers.logs.has(id)).toBe(true), 5000);
  await advance(2);
  expect(endpoint.engine.history).toEqual(['generate a: 1 2 3 4 5 6 7 8 9', 'stopped']);
  expect(await readError(await send(`/${id}`))).toMatchObject({ status: 410, code: 'answer_cancelled' });
});

test('an answer continues while a second client reads it, and ends with the last one', async () => {
  const text = '1 2 3 4 5 6 7 8 9';
  const headers = { 'x-tabserve-stream-id': 'a'.repeat(30) };
  const clients = [new AbortController(), new AbortController()];
  const { reader } = await askForStream({ text, headers, signal: clients[0]!.signal });
  const second = await begin(await ask({ text, headers, stream: true, signal: clients[1]!.signal }));
  for (const [index, history] of [[`generate a: ${text}`], [`generate a: ${text}`, 'stopped']].entries()) {
    clients[index]!.abort();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await advance(2);
    expect(endpoint.engine.history).toEqual(history);
  }
  await Promise.allSettled([reader.closed, second.reader.closed]);
});

test('an answer whose engine died is lost, and a deleted one is gone', async () => {
  const { id } = await askForStream({ text: '1 2 3' });
  endpoint.replaceEngine();
  expect(await readError(await send(`/${id}`))).toMatchObject({ status: 410, code: 'answer_lost' });
  const deleted = await send(`/${id}`, { method: 'DELETE' });
  expect(await deleted.json()).toEqual({ object: 'chat.completion.deleted', id, deleted: true });
  expect(await readError(await send(`/${id}`))).toMatchObject({ status: 404, code: 'answer_not_found' });
});

test('an answer that the engine of an earlier build writes is retrieved when it has ended', async () => {
  const { id } = await askForStream({ text: '1 2 3' });
  const earlier = endpoint.updateSite();
  const retrieved = retrieve(id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await earlier.engine.advance(5);
  expect(textOf(await retrieved)).toBe('123');
  expect(endpoint.engine.history).toEqual([]);
});

test('an answer that the engine of an earlier build writes is lost when that engine dies', async () => {
  const { id } = await askForStream({ text: '1 2 3' });
  const { die } = endpoint.updateSite();
  const response = send(`/${id}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  die();
  expect((await readError(await response)).code).toBe('answer_lost');
});

test('a response in the background of an earlier build is in progress, and its stream goes on with the stored log', async () => {
  const background = await beginInBackground('1 2 3');
  const earlier = endpoint.updateSite();
  expect(await statusOf(await background())).not.toMatch(/completed|failed/);
  const stream = (await background('?stream=true')).text();
  await earlier.engine.advance(6);
  expect(await stream).toContain('response.completed');
  expect(await statusOf(await background())).toBe('completed');
});

test.for([
  ['cancelled', { path: '/cancel', method: 'POST' }, 'cancelled'],
  ['deleted', { path: '', method: 'DELETE' }, undefined],
] as const)('a response in the background of an earlier build that is %s ends', async ([, { path, method }, end]) => {
  const background = await beginInBackground('1 2 3');
  await advance(1);
  const { engine } = endpoint.updateSite();
  expect(await statusOf(await background(path, { method }))).toBe(end);
  expect(await statusOf(await background())).toBe(end);
  await vi.waitFor(async () => {
    await engine.advance(1);
    expect(engine.history.at(-1)).toBe('stopped');
  });
});

test('who only asks for the state of an answer of an earlier build leaves nothing that looks for its end', async () => {
  const background = await beginInBackground('1 2 3');
  endpoint.updateSite();
  for (let time = 0; time < 2; time++) await (await background()).json();
  const query = vi.spyOn(navigator.locks, 'query');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(query).not.toHaveBeenCalled();
});

test('a database that fails while an answer of an earlier build is joined is told as such', async () => {
  const { id } = await askForStream({ text: '1 2 3' });
  endpoint.updateSite();
  const found = endpoint.answers.find(id);
  const fault = new ApiError('storage_unavailable', 'It has not opened.', { retryAfter: 10 });
  vi.spyOn(endpoint.answers, 'find').mockReturnValueOnce(found).mockRejectedValue(fault);
  expect(await readError(await send(`/${id}`))).toMatchObject({ status: 503, code: 'storage_unavailable' });
});

test('an answer of an engine that the pages have given up is lost', async () => {
  const { id } = await askForStream({ text: '1 2 3' });
  endpoint.updateSite();
  const { held } = await navigator.locks.query();
  const claim = held!.find(({ name }) => name?.includes(id))!.name!;
  const abandoned = claim.slice(claim.indexOf(ENGINE_LOCK_PREFIX)).replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX);
  void navigator.locks.request(abandoned, () => new Promise(() => {}));
  expect((await readError(await send(`/${id}`))).code).toBe('answer_lost');
});

test('deleting a running answer ends it, and nothing of it is stored', async () => {
  const { id } = await askForStream({ text: '1 2 3 4 5' });
  await send(`/${id}`, { method: 'DELETE' });
  await advance(6);
  expect(endpoint.engine.history).toEqual(['generate a: 1 2 3 4 5', 'stopped']);
  expect([endpoint.answers.answers.size, endpoint.answers.logs.size]).toEqual([0, 0]);
});

test.each([
  ['this build', () => {}, 1],
  // The engine that does not write the answer looks it up, too.
  ['an earlier build', () => void endpoint.updateSite(), 2],
])('who waits for an answer of %s that is deleted learns that it is not kept', async (_, update, lookups) => {
  const { id } = await askForStream({ text: '1 2 3 4 5' });
  update();
  const joins = vi.spyOn(endpoint.completions.joinable, 'join');
  const finds = vi.spyOn(endpoint.answers, 'find');
  const response = send(`/${id}`);
  await vi.waitFor(() => expect([joins, finds].map(({ mock }) => mock.calls.length)).toEqual([1, lookups]), 5000);
  await send(`/${id}`, { method: 'DELETE' });
  expect((await readError(await response)).code).toBe('stream_not_found');
});

test('a request repeated after the service worker died before the headers joins its answer, under one id', async () => {
  const body = { text: '1 2 3' };
  void ask(body).catch(() => {});
  await generating(body.text);
  endpoint.stopServiceWorker();
  await advance(1);
  const [response] = await Promise.all([ask(body), advance(5)]);
  const { id } = (await response.json()) as Completion;
  expect(endpoint.engine.history).toEqual(['generate a: 1 2 3']);
  expect([...endpoint.answers.answers.keys()]).toEqual([id]);
  expect(textOf(await retrieve(id))).toBe('123');
});

test('without storage the request succeeds all the same', async () => {
  endpoint.engine.runFreely();
  endpoint.answers.add = () => Promise.reject(new Error('The disk is full.'));
  const answer = (await (await ask({ text: '1 2' })).json()) as Completion;
  expect(textOf(answer)).toBe('12');
  expect((await send(`/${answer.id}`)).status).toBe(404);
});

test('without storage an answer ends with its tab, because nobody can retrieve it', async () => {
  endpoint.answers.add = () => Promise.reject(new Error('The disk is full.'));
  const left = new AbortController();
  await askForStream({ text: '1 2 3 4 5', signal: left.signal });
  endpoint.clientDisconnected = true;
  left.abort();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await advance(2);
  expect(endpoint.engine.history).toEqual(['generate a: 1 2 3 4 5', 'stopped']);
});

test('a request rejected by the full queue is not stored', async () => {
  const left = new AbortController();
  const running = Array.from({ length: 9 }, () => ask({ text: '1 2', signal: left.signal }).catch(() => null));
  await generating('1 2');
  await vi.waitFor(async () => {
    const refused = await ask({ text: 'one too many' });
    expect(await readError(refused)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });
  expect([...endpoint.answers.answers.values()].map(({ request }) => JSON.stringify(request))).not.toContainEqual(
    expect.stringContaining('one too many'),
  );
  left.abort();
  await Promise.all(running);
});
