import { resumeLater, type AskedContext } from './fault.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Tab } from './tabs/tab.ts';

// What happens to a tab, whether its engine is that of its site or of a hub.

/** Number of simultaneous requests; the endpoint accepts nine. */
const BURST = 12;

/** Freezes a tab, as browsers do with tabs that were hidden for minutes, and resumes it later. */
export async function freezeTab(context: AskedContext, tab: Tab, random: SeededRandom): Promise<void> {
  await tab.freeze();
  resumeLater(context, tab, random);
}

/** Crashes a tab, and loads its page again later. */
export function crashTab({ harms, standing, tabs }: AskedContext, tab: Tab, random: SeededRandom): void {
  // Workers may live in the crashed process.
  harms.serviceWorkerFaults.push(performance.now());
  tab.crash();
  standing.add('site', random.integer(0, 3000), () => tabs.restore(tab));
}

/** Closes a tab, and opens another one later. */
export async function closeTab({ standing, tabs }: AskedContext, tab: Tab, random: SeededRandom): Promise<void> {
  try {
    // Rejects if the tab's process is stopped. The tab closes when that goes on.
    await tab.close();
  } finally {
    standing.add('site', random.integer(0, 3000), () => tabs.restore(tab));
  }
}

/** Stops the service workers of all sites, as the browser does with idle ones. */
export async function stopServiceWorkers({ harms }: Pick<AskedContext, 'harms'>, { session }: Tab): Promise<void> {
  await session.send('ServiceWorker.enable');
  harms.serviceWorkerFaults.push(performance.now());
  await session.send('ServiceWorker.stopAllWorkers');
  await session.send('ServiceWorker.disable');
}

/** Sends more requests at once than the endpoint accepts. */
export function askAtOnce({ traffic }: AskedContext, tab: Tab, random: SeededRandom): void {
  for (let count = 0; count < BURST; count++) void traffic.question(tab, random, {});
}
