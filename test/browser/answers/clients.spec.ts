import { expect } from '@playwright/test';
import { Ajv } from 'ajv';
import { PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from '../../support/clients/chat-client.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';

const QUESTION = 'What is a service worker?';
const ajv = new Ajv();

/** For each client: its module in `in-page`, the error that its caller sees on abort, and tags of its test. */
const CLIENTS = [
  { module: 'openai-7', onAbort: null, tag: ' @core' },
  { module: 'openai-6', onAbort: null },
  { module: 'ai-sdk', onAbort: null, tag: ' @core' },
  { module: 'ai-sdk-7', onAbort: null },
  { module: 'agents', onAbort: null },
  { module: 'agents-responses', onAbort: null },
  { module: 'langchain', onAbort: 'AbortError' },
  { module: 'anthropic', onAbort: null, tag: ' @core' },
  { module: 'openai-7-responses', onAbort: null, tag: ' @core' },
  { module: 'openai-6-responses', onAbort: null },
  { module: 'ai-sdk-responses', onAbort: null },
  { module: 'langchain-responses', onAbort: 'AbortError' },
];

for (const { module, onAbort, tag = '' } of CLIENTS) {
  test(`${module}: JSON, stream, abort, tools, JSON schema, errors and retries${tag}`, async ({ site }) => {
    test.slow();
    const client = inPage<ChatClient>(site, module);

    await test.step('a stream brings the text of the JSON answer in pieces', async () => {
      const { text, totalTokens } = await client.complete(QUESTION);
      expect(text).toMatch(/\w/);
      expect(totalTokens).toBeGreaterThan(10);
      const pieces = await client.stream(QUESTION);
      expect(pieces.length).toBeGreaterThan(3);
      expect(pieces.join('')).toBe(text);
    });

    await test.step('an aborted stream ends, and the next request is answered', async () => {
      const { pieces, thrown, next } = await client.abort();
      // A client still yields the pieces that it received before the abort: on a fast machine several of a few hundred.
      expect(pieces).toBeGreaterThan(0);
      expect(pieces).toBeLessThan(20);
      expect(thrown).toBe(onAbort);
      expect(next).toMatch(/\w/);
    });

    await test.step('a tool is called and its result answered', async () => {
      const { name, parameters, answer } = await client.useTool('What is the weather in Paris?');
      expect(name).toBe(WEATHER_TOOL.name);
      expect(ajv.validate(WEATHER_TOOL.parameters, parameters), ajv.errorsText()).toBe(true);
      expect(answer).toMatch(/\w/);
    });

    await test.step('an answer matches its JSON schema', async () => {
      const person = await client.structured('Invent a person as JSON with the keys name and age.');
      expect(ajv.validate(PERSON_SCHEMA, person), ajv.errorsText()).toBe(true);
    });

    await test.step('an error keeps its status and its sentence', async () => {
      const { status, message } = await client.failure();
      expect(status).toBe(404);
      expect(message).toContain('"nobody"');
    });

    await test.step('a request that a full queue refused is sent again', async () => {
      const { statuses, text } = await client.retry();
      expect(statuses).toEqual([429, 200]);
      expect(text).toMatch(/\w/);
    });
  });
}
