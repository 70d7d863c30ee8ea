import { sleep, withTimeout } from '../../../src/shared/timeout.ts';
import { ChaosBrowser } from '../chaos-browser.ts';
import { serveControlSite } from './control-site.ts';
import type { Tab } from '../tabs/tab.ts';

/** Milliseconds to load an empty page from this machine. */
const LOAD_TIME = 15_000;

/** Milliseconds for steps that normally take far less than one second. */
const STEP_TIME = 10_000;

/** Milliseconds for a tiny service worker to be installed and to take over. */
const SETTLING_TIME = 1500;

const ASK = `fetch('/answer', { cache: 'no-store' }).then((response) => response.text()).then((text) => ({ reached: text === 'worker', controlled: navigator.serviceWorker.controller !== null }))`;

/**
 * Stops and unregisters the service worker of a site without Tabserve while its page is loaded. Counts Chromium's
 * defects: loads that never begin, and controlled pages whose requests go to the web server. The same failures on
 * Tabserve's site are then defects of the browser.
 * @returns a sentence with the counts.
 */
export async function provokeBrowserDefects(rounds: number): Promise<string> {
  const site = await serveControlSite();
  const browser = await ChaosBrowser.start();
  const count = { stalled: 0, bypassed: 0, reloaded: 0 };
  try {
    for (let round = 0; round < rounds; round++) {
      const url = `${site.url}registering`;
      const tab = await browser.openTab(url);
      await sleep(SETTLING_TIME);
      await tab.session.send('ServiceWorker.enable');
      if (round % 2 === 0) tab.crash();
      await sleep(100 + 500 * Math.random());
      const load = tab.session.sendPatiently('Page.navigate', { url });
      load.catch(() => {});
      await sleep(60 * Math.random());
      await tab.session.send('ServiceWorker.stopAllWorkers');
      await sleep(300 * Math.random());
      await tab.session.send('ServiceWorker.unregister', { scopeURL: site.url });
      if ((await withTimeout(LOAD_TIME, load, 'late')) === 'late') count.stalled++;
      else if (await isBypassed(tab)) {
        count.bypassed++;
        await tab.reload(false);
        if (!(await isBypassed(tab))) count.reloaded++;
      }
      await tab.close();
      await sleep(500);
    }
  } finally {
    await browser.close();
    await site.close();
  }
  return (
    `${rounds} loads of an empty site's page while its service worker was stopped and unregistered: ${count.stalled} never began; ` +
    `${count.bypassed} pages were shown as controlled while their requests went past the worker, ${count.reloaded} of them no longer after a reload.`
  );
}

async function isBypassed(tab: Tab): Promise<boolean> {
  await sleep(SETTLING_TIME);
  const answer = (await withTimeout(STEP_TIME, tab.evaluate(ASK), null)) as {
    reached: boolean;
    controlled: boolean;
  } | null;
  return answer !== null && answer.controlled && !answer.reached;
}
