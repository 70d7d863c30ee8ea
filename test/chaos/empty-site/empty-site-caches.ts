import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import { ChaosBrowser } from '../chaos-browser.ts';
import { serveControlSite } from './control-site.ts';

/** Milliseconds for what a browser does in far less than one second. */
const STEP_TIME = 15_000;

/** Milliseconds after which a store that has not answered counts as stuck. */
const LAST_TIME = 60_000;

/** Forty files go into a cache at once, and a worker is installed that keeps as many. */
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
 * Clears the data of a site that has nothing to do with the endpoint while its pages and its worker fill caches, and looks
 * whether its caches still answer afterwards. This is the measure for what a run of faults may put down to the browser.
 * @param rounds It ends with the first store that does not answer any more.
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
      // A page that answers nothing at all says nothing of its caches.
      if (isLate && (await withTimeout(STEP_TIME, tabs[2]!.evaluate('1'), null)) === 1)
        return `After ${round} times of clearing the data of an empty site its caches answered no more.`;
    }
    return `The caches of an empty site answered each time after its data had been cleared, ${rounds} times.`;
  } finally {
    await browser.close();
    await site.close();
  }
}
