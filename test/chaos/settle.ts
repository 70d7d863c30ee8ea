import { sleep, withTimeout } from '../../src/shared/timeout.ts';
import { describeEngines } from './describe-engines.ts';
import type { AskedContext } from './fault.ts';
import { findUnstartable } from './empty-site/find-unstartable.ts';
import { withinIdleTime } from './empty-site/idle-clock.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Tab, TabState } from './tabs/tab.ts';

/** A tab or request that gets no answer although all faults have been lifted: it is stuck. */
export interface Wedge {
  readonly type: 'wedge' | 'hanging request';
  readonly tab: number | null;
  readonly state: TabState | null;
  /** State of the other tabs, such as `frozen`, while this tab waited. */
  readonly others: readonly string[];
  readonly outcomes: readonly string[];
  readonly pages: readonly unknown[];
  readonly targets: readonly string[];
  /**
   * Things that the browser cannot start for an empty site either. If there are any, the browser is broken, not the
   * site.
   */
  readonly unstartable: readonly string[];
  /** What answers the workers, see {@link describeEngines}. */
  readonly engines: readonly unknown[];
  /** The browser's processes, with their CPU time. */
  readonly processes: readonly string[];
  /** The action that made the tab work again. */
  readonly remedy: string;
}

/** Milliseconds of idle CPU time within which every tab must recover. */
const PATIENCE = 90_000;

/** Milliseconds of idle CPU time for a cache to respond. */
const CACHE_PATIENCE = 60_000;

/**
 * Lifts the faults and checks that every tab gets a right answer: first the responsive tabs while others are still
 * stopped, then all.
 * @returns the first stuck tab or request; null if there is none.
 */
export async function settle(context: AskedContext, random: SeededRandom): Promise<Wedge | null> {
  const { standing, tabs, traffic } = context;
  traffic.stop();
  for (const kind of ['site', 'tab'] as const) {
    await standing.liftAll(kind);
    if (kind === 'tab' || tabs.open.length === 0) await tabs.openAll();
    for (const tab of tabs.open) {
      const wedge = await expectAnswer(context, tab, random);
      if (wedge) return wedge;
    }
  }
  if ((await withinIdleTime(PATIENCE, traffic.drained())) !== 'late') return null;
  return describe(context, 'hanging request', null, traffic.inFlight, 'not tried');
}

async function expectAnswer(context: AskedContext, tab: Tab, random: SeededRandom): Promise<Wedge | null> {
  const outcomes = new Set<string>();
  if (await getsAnswer(context, tab, random, PATIENCE, outcomes)) return null;
  const wedge = await describe(context, 'wedge', tab, [...outcomes], 'nothing');
  context.report(JSON.stringify(wedge));
  if (wedge.unstartable.length > 0) return wedge;
  return { ...wedge, remedy: await findRemedy(context, tab, random) };
}

async function getsAnswer(
  { tabs, traffic }: AskedContext,
  tab: Tab,
  random: SeededRandom,
  time: number,
  outcomes = new Set<string>(),
): Promise<boolean> {
  const stop = new AbortController();
  const untilRight = async () => {
    while (!stop.signal.aborted) {
      // A process may crash late, with all pages in it. They need another load.
      if (tab.state === 'crashed') await tabs.restore(tab);
      const { outcome } = await traffic.question(tab, random);
      outcomes.add(outcome);
      // A wrong answer has been recorded as a failure. The tab is not stuck.
      if (outcome === 'right' || outcome === 'wrong answer' || outcome === 'mixed-up answer') return true;
      await sleep(500);
    }
    return false;
  };
  const answered = await withinIdleTime(time, untilRight());
  stop.abort();
  return answered === true;
}

/** Tries what helps: resuming other tabs, a reload, a new tab, or a new tab after all others were closed. */
async function findRemedy(context: AskedContext, tab: Tab, random: SeededRandom): Promise<string> {
  const { browser, site, standing, tabs } = context;
  const time = PATIENCE / 4;
  await withTimeout(10_000, standing.liftAll('tab'), null);
  if (await getsAnswer(context, tab, random, time)) return 'letting the stopped tabs go on';
  await tab.reload(false).catch(() => {});
  if (await getsAnswer(context, tab, random, time)) return 'a reload';
  if (await getsAnswer(context, await browser.openTab(site.url), random, time)) return 'a new tab';
  for (const other of tabs.all) await other.close().catch(() => {});
  if (await getsAnswer(context, await browser.openTab(site.url), random, time)) return 'closing every tab';
  return 'nothing';
}

/**
 * Returns `caches` if no cache of some tab responds after the site's data were cleared. In Chromium caches also stop
 * responding on an empty site (see `empty-site-caches.ts`); no service worker can be installed then. Each tab
 * is asked, because tabs from before a clearing use other caches than later ones.
 */
async function findSilentCaches({ harms, tabs }: AskedContext): Promise<readonly string[]> {
  if (harms.clearings.length === 0) return [];
  const silent = await Promise.all(tabs.open.map(hasSilentCaches));
  return silent.includes(true) ? ['caches'] : [];
}

async function hasSilentCaches(tab: Tab): Promise<boolean> {
  const asked = tab.call('readAnyCache').catch(() => 'gone');
  if ((await withinIdleTime(CACHE_PATIENCE, asked)) !== 'late') return false;
  // If the page does not respond at all, the tab is stuck, whether or not its caches respond.
  return (await tab.callBriefly('lastOwnReload')) !== null;
}

/** Describes what the browser cannot start for an empty site either; null if it starts everything. */
export async function findDeadBrowser(context: AskedContext): Promise<Wedge | null> {
  const found = await describe(context, 'wedge', null, ['remains at the end'], 'not tried');
  return found.unstartable.length > 0 ? found : null;
}

async function describe(
  context: AskedContext,
  type: Wedge['type'],
  tab: Tab | null,
  outcomes: readonly string[],
  remedy: string,
): Promise<Wedge> {
  const { browser, model, site, tabs } = context;
  const unstartable = await findUnstartable(browser, site.controlUrl);
  return {
    type,
    tab: tab?.number ?? null,
    state: tab?.state ?? null,
    others: tabs.all.filter((other) => other !== tab).map(({ state }) => state),
    outcomes,
    pages: await Promise.all(tabs.all.map((page) => page.callBriefly('describePage'))),
    targets: [...browser.targets('page'), ...browser.targets('service_worker'), ...browser.workers].map(
      ({ type, url }) => `${type} ${url}`,
    ),
    engines: await describeEngines(browser),
    processes: await processes(browser),
    // For llama.cpp the browser runs without WebGPU, so there is never an adapter.
    unstartable: [
      ...unstartable.filter((what) => what !== 'graphics adapter' || model.gguf === undefined),
      ...(await findSilentCaches(context)),
    ],
    remedy,
  };
}

async function processes({ session }: AskedContext['browser']): Promise<readonly string[]> {
  const asked = session.send('SystemInfo.getProcessInfo').catch(() => null);
  const { processInfo = [] } = (await asked) ?? {};
  return processInfo.map(({ type, id, cpuTime }) => `${type} ${id}, ${cpuTime.toFixed(1)} s`);
}
