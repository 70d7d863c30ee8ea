import { expect } from '@playwright/test';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as openaiModule from '../in-page/openai.ts';
import type * as requestsModule from '../in-page/requests.ts';

const QUESTION = 'What is a service worker?';

test('the official client gets the same answer as JSON and as a stream @firefox @smoke @core', async ({ site }) => {
  const client = inPage<typeof openaiModule>(site, 'openai');
  const { choices, usage } = await client.complete(QUESTION);
  const text = choices[0]!.message.content;
  expect(text).toMatch(/\w+/);
  expect(choices[0]!.finish_reason).toMatch(/^(stop|length)$/);
  for (const count of [usage!.prompt_tokens, usage!.completion_tokens, usage!.total_tokens]) {
    expect(Number.isInteger(count) && count > 0).toBe(true);
  }
  const pieces = await client.stream(QUESTION);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(text);
});

test('a stream ends with [DONE] and is closed @firefox @core', async ({ site }) => {
  const requests = inPage<typeof requestsModule>(site, 'requests');
  await requests.begin('stream', { text: QUESTION, stream: true });
  const { wireEnd, failure } = await requests.readToEnd('stream');
  expect(failure).toBeNull();
  expect(wireEnd.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
});

test('the model list contains the built-in model; a wrong key and a wrong model are client errors @firefox @core', async ({
  site,
}) => {
  const client = inPage<typeof openaiModule>(site, 'openai');
  expect(await client.listModels('local')).toContain('pocket');
  expect(await client.failure('wrong', 'pocket')).toMatchObject({
    name: 'AuthenticationError',
    status: 401,
    code: 'invalid_api_key',
  });
  expect(await client.failure('local', 'no-such-model')).toMatchObject({
    name: 'NotFoundError',
    status: 404,
    code: 'model_not_found',
    param: 'model',
  });
  const absent = await client.failure('local', 'Llama-3.2-1B-Instruct-q4f16_1-MLC');
  expect(absent).toMatchObject({ code: 'model_not_found', message: expect.stringContaining('can download it') });
});

test('WebGPU computes the answer: each token takes many dispatches in the engine worker @core', async ({
  site,
  browser,
}) => {
  const engine = await EngineWorkerTarget.attach(browser);
  const requests = inPage<typeof requestsModule>(site, 'requests');
  const { dispatches } = await engine.measure(() => requests.ask({ text: QUESTION, maxTokens: 8, endless: true }));
  expect(dispatches).toBeGreaterThan(8 * 10);
});
