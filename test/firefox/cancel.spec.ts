import { expect } from '@playwright/test';
import type * as requestsModule from '../browser/in-page/requests.ts';
import { answersInProgress } from '../support/browsers/living-workers.ts';
import { inPage } from '../support/pages/in-page.ts';
import { test } from '../support/pages/shared-site.ts';
import { openSite } from '../support/pages/site-page.ts';

type Requests = typeof requestsModule;

const LONG = { text: 'Tell me a story about a dog.', stream: true, endless: true };
const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('each way to disconnect frees the engine for the next request', async ({ site }) => {
  const requests = inPage<Requests>(site, 'requests');
  const expected = await requests.ask(SHORT);
  const expectFreeEngine = async () => {
    await expect.poll(() => answersInProgress(site)).toBe(0);
    // If the aborted answer of 2,000 tokens continued, this request would time out.
    expect(await requests.ask(SHORT)).toBe(expected);
  };

  await test.step('a stream that is aborted', async () => {
    await requests.begin('stream', LONG);
    await requests.readPieces('stream', 3);
    await requests.abort('stream');
    await expectFreeEngine();
    expect((await requests.readToEnd('stream')).failure).toContain('AbortError');
  });

  await test.step('a request that waits behind another', async () => {
    await requests.begin('running', { ...LONG, maxTokens: 600 });
    await requests.begin('waiting', LONG);
    await requests.abort('waiting');
    await expect.poll(() => answersInProgress(site)).toBe(1);
    expect((await requests.readToEnd('running')).failure).toBeNull();
    await expectFreeEngine();
  });

  await test.step('a tab that is closed', async () => {
    const other = await site.context().newPage();
    await openSite(other);
    const others = inPage<Requests>(other, 'requests');
    await others.begin('closed', LONG);
    await others.readPieces('closed', 2);
    await other.close();
    await expectFreeEngine();
  });
});

test('an aborted JSON answer frees the engine for the next request', async ({ site }) => {
  const requests = inPage<Requests>(site, 'requests');
  const expected = await requests.ask(SHORT);
  const aborted = requests.begin('json', { ...LONG, stream: false }).catch(String);
  await expect.poll(() => answersInProgress(site)).toBe(1);
  await requests.abort('json');
  expect(await aborted).toContain('AbortError');
  // While this request waits, the headers of the aborted one are sent, and its abort is noticed.
  expect(await requests.ask(SHORT)).toBe(expected);
  await expect.poll(() => answersInProgress(site)).toBe(0);
});
