import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import OpenAI from 'openai';
import { ENDLESS } from '../../support/clients/chat-client.ts';
import {
  isRunning,
  processesBelow,
  startCommand,
  TESTED_SITE,
  type RunningCommand,
} from '../../support/sites/start-command.ts';

// The tests share one bridge, because each start opens a browser and loads the model.
test.describe.configure({ mode: 'serial' });

let bridge: RunningCommand;
let address: string;

test.beforeAll(async () => {
  bridge = startCommand('bridge', '--port', '0', '--site', TESTED_SITE);
  address = (await bridge.until(/The endpoint is at (\S+)/))[1]!;
});

test.afterAll(async () => {
  bridge.process.kill('SIGTERM');
  await bridge.ended;
});

const KEY = { authorization: 'Bearer local' };
const question = (content: string, more: object = {}) =>
  JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content }], temperature: 0, ...more });
const post = (body: string, signal?: AbortSignal) =>
  fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body,
    ...(signal ? { signal } : {}),
  });

test('curl -N prints a stream piece by piece', async () => {
  test.skip(spawnSync('curl', ['--version']).error !== undefined, 'curl is not installed');
  const headers = ['-H', 'Authorization: Bearer local', '-H', 'Content-Type: application/json'];
  // Long enough that even a busy machine writes it while curl prints.
  const body = question('What is a service worker?', { ...ENDLESS, stream: true, max_tokens: 200 });
  const curl = spawn('curl', ['-sN', `${address}/chat/completions`, ...headers, '-d', body]);
  const pieces: string[] = [];
  for await (const piece of curl.stdout.setEncoding('utf8')) pieces.push(piece as string);
  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces[0]).not.toContain('[DONE]');
  expect(pieces.join('')).toMatch(/^data: .*"role":"assistant"/m);
  expect(pieces.join('')).toMatch(/data: \[DONE\]\n\n$/);
});

test('a Python client that uses only http.client completes a chat', () => {
  test.skip(spawnSync('python3', ['--version']).error !== undefined, 'python3 is not installed');
  const script = fileURLToPath(new URL('../../support/clients/http-client.py', import.meta.url));
  const { status, stdout, stderr } = spawnSync('python3', [script, address], { encoding: 'utf8', timeout: 100_000 });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { content, streamed, finishReason, status: badKeyStatus } = JSON.parse(stdout) as Record<string, unknown>;
  expect(content).toMatch(/\w/);
  expect(streamed).toBe(content);
  expect(finishReason).toBe('stop');
  expect(badKeyStatus).toBe(401);
});

test('the official client works through the bridge, also with non-ASCII text', async () => {
  const client = new OpenAI({ apiKey: 'local', baseURL: address });
  expect((await client.models.list()).data.map(({ id }) => id)).toContain('pocket');
  await expect(client.models.retrieve('modèle-😀')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
    message: expect.stringContaining('modèle-😀'),
  });
});

test('a client with the settings of Ollama gets an answer, with a gzipped body', async () => {
  const response = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer ollama', 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(question('What is the capital of France?', { model: 'pocket:latest' })),
  });
  const answer = (await response.json()) as OpenAI.ChatCompletion;
  expect(answer.choices[0]?.message.content).toContain('Paris');
});

test('statuses and headers are those of the endpoint', async () => {
  const options = await fetch(`${address}/models`, { method: 'OPTIONS' });
  expect(options.status).toBe(204);
  expect(options.headers.get('allow')).toContain('GET');
  const refusal = await fetch(`${address}/models`);
  expect(refusal.status).toBe(401);
  expect(refusal.headers.get('www-authenticate')).toBe('Bearer');
  expect(refusal.headers.get('x-request-id')).toMatch(/^req_/);
  const tooLarge = await post(' '.repeat(20 * 1024 * 1024 + 2));
  expect(tooLarge.status).toBe(413);
});

test('a body of bytes that JSON escapes reaches the endpoint, also if it is as large as one may be', async () => {
  const response = await post('\0'.repeat(20 * 1024 * 1024));
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'invalid_json' } }]);
});

test('clients that disconnect free the engine and their places in the queue', async () => {
  const leaving = new AbortController();
  const long = question('Hello', { ...ENDLESS, stream: true });
  const answers = await Promise.all(Array.from({ length: 9 }, () => post(long, leaving.signal)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
  const short = question('Hello', { max_tokens: 2 });
  const refused = await post(short);
  expect(refused.status).toBe(429);
  leaving.abort();
  await expect.poll(async () => (await post(short)).status).toBe(200);
});

test('a crashed browser is replaced', async () => {
  test.skip(!existsSync('/proc/self/task'), 'finding the browser needs /proc');
  const interrupted = await post(question('Hello', { ...ENDLESS, stream: true }));
  const [browser] = processesBelow(bridge.process.pid!).filter((id) => id !== bridge.process.pid);
  process.kill(browser!, 'SIGKILL');
  // A clean end would look like a complete answer.
  await expect(interrupted.text()).rejects.toThrow();
  await bridge.until(/starting another/);
  await expect
    .poll(async () => (await post(question('Hello', { max_tokens: 2 }))).status, { timeout: 60_000 })
    .toBe(200);
});

test('Ctrl-C ends the bridge and its browser', async () => {
  const children = processesBelow(bridge.process.pid!);
  bridge.process.kill('SIGINT');
  expect(await bridge.ended).toBe(130);
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
});

test('Ctrl-C while the browser starts ends both, and no address is printed', async () => {
  test.skip(!existsSync('/proc/self/task'), 'finding the browser needs /proc');
  const starting = startCommand('bridge', '--port', '0', '--site', TESTED_SITE);
  await expect.poll(() => processesBelow(starting.process.pid!).length, { intervals: [20] }).toBeGreaterThan(1);
  const children = processesBelow(starting.process.pid!);
  starting.process.kill('SIGINT');
  expect(await starting.ended).toBe(130);
  expect(starting.output()).not.toContain('The endpoint is at');
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
});
