import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import { ChaosBrowser } from '../chaos-browser.ts';
import { serveControlSite } from './control-site.ts';

/** Milliseconds for steps that normally take far less than one second. */
const STEP_TIME = 15_000;

/** Milliseconds after which a cache that has not responded counts as stuck. */
const LAST_TIME = 60_000;

/** Adds forty files to a cache, and installs a service worker that caches as many. */
const FILL = `(async () => {
  await navigator.serviceWorker.register('/keeping-worker.js');
  const cache = await caches.open('page');
  await Promise.all(Array.from({ length: 40 }, async (_, n) => cache.put('/file?' + n, await fetch('/file?' + n, { cache: 'no-store' }))));
})()`;

const READ = `(async () => {
  const names = await caches.keys();
  if (names.length > 0) await Promise.any(names.map(async (name) => (await caches.open(name)).match('/file?1')));
  return names.length;
})()`;

/**
 * Clears the data of a site without Tabserve while its page and service worker fill caches, and checks whether its
 * caches still respond. If not, the same failure on Tabserve's site is a defect of the browser.
 * @param rounds Maximum number of rounds; ends after the first cache that does not respond.
 * @returns a sentence with the counts.
 */
export async function provokeCacheStandstill(rounds: number): Promise<string> {
  const site = await serveControlSite();
  const browser = await ChaosBrowser.start();
  try {
    const tabs = await Promise.all([1, 2, 3].map(() => browser.openTab(site.url)));
    for (let round = 1; round <= rounds; round++) {
      await Promise.all(
        tabs.map((tab) => withTimeout(STEP_TIME, tab.session.send('Page.navigate', { url: site.url }), null)),
      );
      const filling = tabs.map((tab) => withTimeout(STEP_TIME, tab.evaluate(FILL), null));
      await sleep(400 * Math.random());
      const origin = new URL(site.url).origin;
      const clearing = tabs[0]!.session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await withTimeout(STEP_TIME, clearing, null);
      if (round % 2 === 0) await withTimeout(STEP_TIME, tabs[1]!.session.send('Page.reload', {}), null);
      await Promise.all(filling);
      const asked = tabs[2]!.evaluate(READ);
      const isLate = (await withTimeout(LAST_TIME, asked, 'late')) === 'late';
      // If the page does not respond at all, nothing is known about its caches.
      if (isLate && (await withTimeout(STEP_TIME, tabs[2]!.evaluate('1'), null)) === 1)
        return `After ${round} times of clearing the data of an empty site its caches answered no more.`;
    }
    return `The caches of an empty site answered each time after its data had been cleared, ${rounds} times.`;
  } finally {
    await browser.close();
    await site.close();
  }
}
