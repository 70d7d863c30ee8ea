import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { STREAM_ID_HEADER } from '../../src/shared/http/resumable-stream.ts';
import { OBSERVE_PAGE } from './observe-page.ts';

/** A page in which the script has run. */
function observedPage() {
  const time = { now: 0 };
  const page = {
    console: { error() {}, warn() {} },
    fetch: () => Promise.resolve(new Response('')),
    location: { href: 'https://example.org/' },
    performance: { now: () => time.now },
    Headers,
    Request,
    URL,
    tabserveChaosConsole: [] as readonly string[],
    tabserveChaosRequests: 0,
    tabserveChaosStorm: 0,
  };
  runInNewContext(OBSERVE_PAGE, page);
  return { page: page as typeof page & { fetch: typeof fetch }, time };
}

test('requests to the endpoint are counted, however they are made', async () => {
  const { page } = observedPage();
  await page.fetch('/v1/models');
  await page.fetch(new URL('https://example.org/v1/chat/completions'), { method: 'POST' });
  await page.fetch(new Request('https://example.org/v1/embeddings'));
  await page.fetch('/assets/app.js');
  expect(page.tabserveChaosRequests).toBe(3);
});

test('questions for the same stream within twenty seconds are counted', async () => {
  const { page, time } = observedPage();
  const ask = (stream: string) => page.fetch('/v1/chat/completions', { headers: { [STREAM_ID_HEADER]: stream } });
  for (time.now = 0; time.now <= 12_000; time.now += 4000) await ask('one');
  await ask('two');
  expect(page.tabserveChaosStorm).toBe(4);
  for (time.now = 60_000; time.now <= 180_000; time.now += 25_000) await ask('one');
  expect(page.tabserveChaosStorm).toBe(4);
});

test('the last errors and warnings on the console are kept with their second', () => {
  const { page, time } = observedPage();
  time.now = 3400;
  (page.console.warn as (...words: unknown[]) => void)('It', 7);
  expect(page.tabserveChaosConsole).toEqual(['3 s: It 7']);
});
