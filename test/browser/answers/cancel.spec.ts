import { expect } from '@playwright/test';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import { openSite } from '../../support/pages/site-page.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

/** A request that would run so long that the next one is answered early only if this one was cancelled. */
const LONG = { text: 'Tell me a story about a dog.', stream: true, endless: true };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('each way to disconnect stops the generation, and the next answer is unaffected @core', async ({
  site,
  browser,
}) => {
  const requests = inPage<Requests>(site, 'requests');
  const engine = await EngineWorkerTarget.attach(browser);
  const { result: expected, dispatches: alone } = await engine.measure(() => requests.ask(SHORT));
  // A cancelled generation continues for a step or two until the cancellation arrives. Its 2,000 tokens would take
  // hundreds of times as long.
  const expectAnswerAtOnce = async () => {
    const { result, dispatches } = await engine.measure(() => requests.ask(SHORT));
    expect(result).toBe(expected);
    expect(dispatches).toBeLessThan(alone * 20);
  };

  await test.step('a stream that is aborted', async () => {
    await requests.begin('stream', LONG);
    await requests.readPieces('stream', 3);
    await requests.abort('stream');
    await expectAnswerAtOnce();
    expect((await requests.readToEnd('stream')).failure).toContain('AbortError');
  });

  await test.step('a JSON answer that is aborted', async () => {
    const headers = requests.begin('json', { ...LONG, stream: false });
    // The headers arrive early because this request waits. Only then does the service worker learn of an abort.
    const next = requests.ask(SHORT);
    await headers;
    await requests.abort('json');
    expect(await next).toBe(expected);
    await expectAnswerAtOnce();
  });

  await test.step('a request that waits behind another', async () => {
    await requests.begin('running', { ...LONG, maxTokens: 100 });
    await requests.begin('waiting', LONG);
    await requests.abort('waiting');
    await expectAnswerAtOnce();
    const { content, failure } = await requests.readToEnd('running');
    expect(failure).toBeNull();
    expect(content.length).toBeGreaterThan(100);
  });

  await test.step('a tab that is closed', async () => {
    const other = await site.context().newPage();
    await openSite(other);
    const others = inPage<Requests>(other, 'requests');
    await others.begin('closed', LONG);
    await others.readPieces('closed', 2);
    await other.close();
    await expectAnswerAtOnce();
  });
});

test('the tenth simultaneous request is refused with a time to wait, and the other nine are answered @core', async ({
  site,
}) => {
  const requests = inPage<Requests>(site, 'requests');
  // This answer must still run when the last of the nine requests arrives.
  await requests.begin('running', { ...LONG, maxTokens: 200 });
  await requests.readPieces('running', 1);
  const answers = await Promise.all(Array.from({ length: 9 }, () => requests.answer(SHORT)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]!.retryAfter)).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(refused[0]!.body).error.code).toBe('rate_limit_exceeded');
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
  expect((await requests.readToEnd('running')).failure).toBeNull();
});

test('ten clients that never read their responses do not block the next request', async ({ site }) => {
  const requests = inPage<Requests>(site, 'requests');
  const expected = await requests.ask(SHORT);
  const names = Array.from({ length: 10 }, (_, index) => `unread ${index}`);
  const statuses = await Promise.all(names.map((name) => requests.begin(name, { ...LONG, maxTokens: 60 })));
  expect(statuses.filter((status) => status === 200)).toHaveLength(9);
  let answer = await requests.answer(SHORT);
  while (answer.status === 429) {
    await site.waitForTimeout(Number(answer.retryAfter) * 1000);
    answer = await requests.answer(SHORT);
  }
  expect(JSON.parse(answer.body).choices[0].message.content).toBe(expected);
});
