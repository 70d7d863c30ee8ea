import { expect, test, type Page } from '@playwright/test';
import { createBrowserLanguageModel } from '../../support/fakes/browser-language-model.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite } from '../../support/pages/site-page.ts';
import type * as browserModel from '../in-page/browser-model.ts';
import type * as promptApi from '../in-page/prompt-api-without-tokens.ts';

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false };

/** Replaces the browser's own model by a scripted one in each page of a browser context. */
async function withBrowserModel(page: Page, options: Parameters<typeof createBrowserLanguageModel>[0]): Promise<void> {
  await page.context().addInitScript(
    `globalThis.fakeModel = (${String(createBrowserLanguageModel)})(${JSON.stringify(options)});
      globalThis.LanguageModel = fakeModel.LanguageModel;`,
  );
}

function findModel(page: Page): Promise<boolean> {
  return inPage<typeof browserModel>(page, 'browser-model').find();
}

/** Returns how often a page has asked the browser whether it has a model. */
function timesAsked(page: Page): Promise<number> {
  return page.evaluate(
    () => (globalThis as unknown as { fakeModel: { state: { asked: number } } }).fakeModel.state.asked,
  );
}

function send(page: Page, path: string, body?: object) {
  return page.evaluate(
    async ({ path, body }) => {
      const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
      const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`/v1${path}`, init);
      return {
        status: response.status,
        engine: response.headers.get('x-tabserve-engine'),
        text: await response.text(),
      };
    },
    { path, body },
  );
}

const say = (content: string, more: object = {}) => ({
  model: 'browser',
  messages: [{ role: 'user', content }],
  ...more,
});

test("the browser's own model answers only requests that name it", async ({ page }) => {
  await withBrowserModel(page, { contextWindow: 60 });
  await openSite(page);
  expect(await findModel(page)).toBe(true);
  expect((await send(page, '/models/browser')).status).toBe(200);
  expect(JSON.parse((await send(page, '/models')).text).data.at(-1)).toMatchObject({
    id: 'browser',
    owned_by: 'browser',
    tabserve: { state: 'browser', capabilities: { chat: true, tools: false, completions: false } },
  });

  const json = await send(page, '/chat/completions', say('one two three'));
  expect(json).toMatchObject({ status: 200, engine: 'local; browser' });
  expect(JSON.parse(json.text)).toMatchObject({
    choices: [{ message: { content: 'one two three ' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 3 },
  });
  // A session has reported the model's context window by now.
  expect(JSON.parse((await send(page, '/models/browser')).text)).toMatchObject({ context_window: 60 });

  const stream = await send(page, '/chat/completions', say('one two three', { stream: true }));
  expect(stream).toMatchObject({ status: 200, engine: 'local; browser' });
  expect(stream.text).toContain('"content":"one ');
  expect(stream.text.trimEnd()).toMatch(/data: \[DONE\]$/);

  const response = await send(page, '/responses', { model: 'browser', input: 'one two', store: false });
  expect(JSON.parse(response.text)).toMatchObject({
    status: 'completed',
    output: [{ content: [{ text: 'one two ' }] }],
  });
  const message = await send(page, '/messages', say('one two', { max_tokens: 1000 }));
  expect(JSON.parse(message.text)).toMatchObject({ content: [{ type: 'text', text: 'one two ' }] });

  const refused = await send(page, '/chat/completions', say('one', { temperature: 0.5 }));
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text).error).toMatchObject({ code: 'unsupported_parameter', param: 'temperature' });
  const tooLong = await send(page, '/chat/completions', say('word '.repeat(80)));
  expect(tooLong.status).toBe(400);
  expect(JSON.parse(tooLong.text).error).toMatchObject({ code: 'context_length_exceeded' });

  const cancelled = await page.evaluate(
    async (body) => {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      return response.status;
    },
    say('endless', { stream: true }),
  );
  expect(cancelled).toBe(200);
  // After an abort the engine answers the next request.
  const next = await send(page, '/chat/completions', say('one'));
  expect(JSON.parse(next.text).choices[0].message.content).toBe('one ');

  const other = await send(page, '/chat/completions', { ...say('Hello'), model: 'pocket', max_tokens: 4 });
  expect(other).toMatchObject({ status: 200, engine: 'local' });
});

test('a page asks the browser for its model only when told to, and a later page need not', async ({ page }) => {
  await withBrowserModel(page, {});
  await openSite(page);
  expect(await timesAsked(page)).toBe(0);
  expect((await send(page, '/models/browser')).status).toBe(404);
  expect(await findModel(page)).toBe(true);
  expect(await timesAsked(page)).toBe(1);
  await page.reload();
  await openSite(page);
  expect(await timesAsked(page)).toBe(0);
  expect((await send(page, '/models/browser')).status).toBe(200);
});

test("an answer of the browser's own model matches its schema", async ({ page }) => {
  await withBrowserModel(page, { contextWindow: 1000, answer: '{"a":1}' });
  await openSite(page);
  expect(await findModel(page)).toBe(true);
  expect((await send(page, '/models/browser')).status).toBe(200);
  const format = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA } } };
  const { text } = await send(page, '/chat/completions', say('Give me one.', format));
  expect(JSON.parse(text).choices[0].message.content).toBe('{"a":1}');
});

test("tabserve/prompt-api works with the browser's own model, and has its context window", async ({ page }) => {
  await withBrowserModel(page, { contextWindow: 60 });
  await openSite(page);
  expect(await findModel(page)).toBe(true);
  expect((await send(page, '/models/browser')).status).toBe(200);
  expect(await inPage<typeof promptApi>(page, 'prompt-api-without-tokens').askTwice('browser')).toEqual({
    answers: ['one two three ', 'four '],
    // The scripted model counts words, and its first answer, which ends with a blank, as four.
    usage: 9,
    window: 60,
  });
});

test('a browser without its own model lists none', async ({ page }) => {
  await withBrowserModel(page, { availability: 'unavailable' });
  await openSite(page);
  expect(await findModel(page)).toBe(false);
  expect((await send(page, '/models')).text).not.toContain('"browser"');
  const { status, text } = await send(page, '/chat/completions', say('one'));
  expect(status).toBe(404);
  expect(JSON.parse(text).error).toMatchObject({ code: 'model_not_found' });
});
