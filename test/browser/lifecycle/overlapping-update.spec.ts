import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { copySite, type CopiedSite } from '../../support/sites/copied-site.ts';
import { reachState } from '../../support/pages/site-page.ts';

let site: CopiedSite;

test.beforeEach(async () => {
  site = await copySite();
});

test.afterEach(() => site.close());

/** How each answer of a tab ended, as {@link askOn} records it. */
const outcomes = (page: Page) => page.evaluate(() => (globalThis as unknown as { outcomes: string[] }).outcomes);

/** Makes the page request one stream after the other, and repeat refused requests, as an official client does. */
function askOn(page: Page): Promise<void> {
  return page.evaluate(() => {
    const outcomes: string[] = [];
    Object.assign(globalThis, { outcomes });
    const body = JSON.stringify({
      model: 'pocket',
      stream: true,
      max_tokens: 40,
      logit_bias: { 0: -100 },
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
    const ask = async () => {
      try {
        const response = await fetch('/v1/chat/completions', { method: 'POST', headers, body });
        const text = await response.text();
        const refused = `${response.status}, again after ${response.headers.get('retry-after')} s`;
        outcomes.push(response.ok ? (text.trimEnd().endsWith('[DONE]') ? 'whole' : text.slice(-200)) : refused);
        if (!response.ok) await new Promise((resolve) => setTimeout(resolve, 1000));
      } catch (thrown) {
        outcomes.push(String(thrown));
      }
      void ask();
    };
    void ask();
  });
}

test('a newer build takes over although the answers of two tabs overlap without a gap, and interrupts none', async ({
  page,
  context,
}) => {
  await page.goto(site.url);
  await reachState(page, 'ready');
  const other = await context.newPage();
  await other.goto(site.url);
  await reachState(other, 'ready');
  const path = join(site.folder, 'site-service-worker.js');
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n// A newer build.`);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting);
  for (const tab of [page, other]) await askOn(tab);
  await expect.poll(async () => (await outcomes(page)).length).toBeGreaterThan(0);
  // Applies the update as the page does. `waited` claims that the worker has already waited for almost two minutes.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    registration?.waiting?.postMessage({ type: 'SKIP_WAITING', waited: 116_000 });
  });
  await page.waitForFunction(async () => !(await navigator.serviceWorker.getRegistration())?.waiting);
  const before = (await outcomes(other)).length;
  await expect.poll(async () => (await outcomes(other)).slice(before).includes('whole')).toBe(true);
  for (const tab of [page, other]) {
    const ends = new Set(await outcomes(tab));
    ends.delete('503, again after 1 s');
    expect([...ends]).toEqual(['whole']);
  }
});
