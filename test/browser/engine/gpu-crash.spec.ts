import { expect, test, type Browser, type Page } from '@playwright/test';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../../../src/command-line/browser/software-gpu-flags.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite, pageStatus, reachState } from '../../support/pages/site-page.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

// Without this flag, Chromium disables WebGPU after a few crashes within minutes.
test.use({
  launchOptions: {
    executablePath: findBrowser().path,
    args: [...SOFTWARE_GPU_FLAGS, '--disable-gpu-process-crash-limit'],
  },
});

/** Crashes the GPU process until the browser refuses a GPU device to the site. @returns the endpoint's response. */
async function crashUntilWithheld(page: Page, browser: Browser) {
  const session = await browser.newBrowserCDPSession();
  const crash = () => session.send('Browser.crashGpuProcess').catch(() => {});
  const requests = inPage<Requests>(page, 'requests');
  // Chromium counts a crash against a site only if the site has a GPU device at that time.
  let last = { status: 200, retryAfter: null as string | null, body: '' };
  for (let attempt = 0; attempt < 20 && !last.body.includes('graphics process has crashed'); attempt++) {
    if (last.status === 200) await crash();
    await page.waitForTimeout(1000);
    last = await requests.answer(SHORT);
  }
  await session.detach();
  return last;
}

test('after crashes of the GPU process the error recommends a reload, which helps', async ({ page, browser }) => {
  await openSite(page);
  const expected = await inPage<Requests>(page, 'requests').ask(SHORT);
  expect((await crashUntilWithheld(page, browser)).body).toContain('Reloading the page often helps');
  // Usually the first reload gets a device. On a busy machine the GPU process may still be restarting.
  await expect(async () => {
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(await inPage<Requests>(page, 'requests').ask(SHORT)).toBe(expected);
  }).toPass({ timeout: 90_000 });
});

test('while the browser has no GPU adapter after crashes, clients are told to retry, and the endpoint recovers', async ({
  page,
  context,
  browser,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  const last = await crashUntilWithheld(page, browser);
  expect(JSON.parse(last.body)).toMatchObject({ error: { code: 'gpu_device_lost' } });
  expect(last.status).toBe(503);
  expect(Number(last.retryAfter)).toBeGreaterThanOrEqual(1);
  expect(await pageStatus(page)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('graphics process has crashed'),
  });
  // Chromium refuses a device to the site for two minutes, or until one of its pages is reloaded.
  const other = await context.newPage();
  await other.goto('/test-clients/blank.html');
  await other.reload();
  await reachState(page, 'ready');
  expect(await requests.ask(SHORT)).toBe(expected);
});
