import { expect, test, type Page } from '@playwright/test';
import type * as requestsModule from '../browser/in-page/requests.ts';
import { firefoxLaunchOptions } from '../support/browsers/firefox-launch-options.ts';
import { answersInProgress, livingServiceWorkers } from '../support/browsers/living-workers.ts';
import { inPage } from '../support/pages/in-page.ts';
import { reachState } from '../support/pages/site-page.ts';
import { startSlowProxy } from '../support/sites/slow-proxy.ts';

// Firefox delays a background page's timers for up to 15 s if the page has used too much CPU time. These settings delay
// them from the start, and reduce the idle timeout of service workers from 30 s to 22 s.
const IDLE_TIME = 22_000;
test.use({
  launchOptions: firefoxLaunchOptions({
    'dom.serviceWorkers.idle_timeout': IDLE_TIME,
    'dom.serviceWorkers.idle_extended_timeout': 0,
    'dom.disable_open_during_load': false,
    'dom.timeout.throttling_delay': 0,
    'dom.timeout.background_throttling_max_budget': 1,
    'dom.timeout.background_budget_regeneration_rate': 10_000,
  }),
});

/** These weights arrive slowly, so the answer takes longer than the test although the CPU is idle. */
const WEIGHTS = { file: 'models/pocket/params_shard_0.bin', time: 8 * IDLE_TIME };

/** Opens a tab that hides the page. Playwright would open a separate window, which hides nothing. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => void open('/test-clients/blank.html'));
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
}

test('a page in the foreground, then in the background, keeps the service worker alive during an answer', async ({
  page,
  baseURL,
}) => {
  const slow = await startSlowProxy({ site: baseURL!, ...WEIGHTS });
  try {
    await page.goto(slow.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await reachState(page, 'loading');
    const requests = inPage<typeof requestsModule>(page, 'requests');
    await requests.begin('long', { text: 'Tell me a story about a dog.', stream: true });
    const before = await livingServiceWorkers(page);
    expect(before).toHaveLength(1);
    await page.waitForTimeout(1.25 * IDLE_TIME);
    expect(await livingServiceWorkers(page), 'in front').toEqual(before);
    await hide(page);
    await page.waitForTimeout(2 * IDLE_TIME);
    expect(await livingServiceWorkers(page), 'in the background').toEqual(before);
    expect(await answersInProgress(page), 'still').toBe(1);
    await requests.abort('long');
  } finally {
    await page.close();
    await slow.close();
  }
});
