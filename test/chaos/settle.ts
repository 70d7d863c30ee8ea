import { sleep, withTimeout } from '../../src/shared/timeout.ts';
import type { ChaosContext } from './fault.ts';
import { findUnstartable } from './empty-site/find-unstartable.ts';
import { withinIdleTime } from './empty-site/idle-clock.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Tab, TabState } from './tabs/tab.ts';

/** A tab, or a request, that faults have left without an answer although nothing stands in its way any more. */
export interface Wedge {
  readonly type: 'wedge' | 'hanging request';
  readonly tab: number | null;
  readonly state: TabState | null;
  /** The state of the other tabs, such as `frozen`, while this one waited. */
  readonly others: readonly string[];
  readonly outcomes: readonly string[];
  readonly pages: readonly unknown[];
  readonly targets: readonly string[];
  /** What the browser does not do for a site without content either; it is no fault of this one then. */
  readonly unstartable: readonly string[];
  /** The browser's processes, with the processor time they have used. */
  readonly processes: readonly string[];
  /** What helped against it. */
  readonly remedy: string;
}

/** Milliseconds of idle processor within which everything must be well again. */
const PATIENCE = 90_000;

/** Milliseconds of idle processor for the names of an origin's caches. */
const CACHE_PATIENCE = 60_000;

/**
 * Lifts the faults and sees whether every tab gets a right answer: first those that can run while others may still
 * be stopped, then all of them.
 * @returns the first wedge, or null when all is well.
 */
export async function settle(context: ChaosContext, random: SeededRandom): Promise<Wedge | null> {
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

async function expectAnswer(context: ChaosContext, tab: Tab, random: SeededRandom): Promise<Wedge | null> {
  const outcomes = new Set<string>();
  if (await getsAnswer(context, tab, random, PATIENCE, outcomes)) return null;
  const wedge = await describe(context, 'wedge', tab, [...outcomes], 'nothing');
  context.report(JSON.stringify(wedge));
  if (wedge.unstartable.length > 0) return wedge;
  return { ...wedge, remedy: await findRemedy(context, tab, random) };
}

async function getsAnswer(
  { tabs, traffic }: ChaosContext,
  tab: Tab,
  random: SeededRandom,
  time: number,
  outcomes = new Set<string>(),
): Promise<boolean> {
  const stop = new AbortController();
  const untilRight = async () => {
    while (!stop.signal.aborted) {
      // The process of a page can end late, with every page in it; nothing runs there until the site is loaded again.
      if (tab.state === 'crashed') await tabs.restore(tab);
      const { outcome } = await traffic.question(tab, random);
      outcomes.add(outcome);
      // What is wrong has been recorded as such; it is no wedge.
      if (outcome === 'right' || outcome === 'wrong answer' || outcome === 'mixed-up answer') return true;
      await sleep(500);
    }
    return false;
  };
  const answered = await withinIdleTime(time, untilRight());
  stop.abort();
  return answered === true;
}

/** Whether a reload, a new tab, or a new tab after all others were closed brings the endpoint back. */
async function findRemedy(context: ChaosContext, tab: Tab, random: SeededRandom): Promise<string> {
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
 * Once the data of an origin have been cleared while files were being kept, its caches may not answer any more until the
 * browser is restarted, in an empty site too (see `empty-site-caches.ts`): then no service worker can be installed.
 */
async function findSilentCaches({ harms, tabs }: ChaosContext): Promise<readonly string[]> {
  const [tab] = tabs.open;
  if (harms.clearings.length === 0 || !tab) return [];
  const asked = tab.call('readAnyCache').catch(() => 'gone');
  if ((await withinIdleTime(CACHE_PATIENCE, asked)) !== 'late') return [];
  // A page that answers nothing at all is a wedge, in whatever state its caches are.
  return (await tab.callBriefly('lastOwnReload')) === null ? [] : ['caches'];
}

/** What does not start or answer in this browser any more, in an empty site either; null if everything does. */
export async function findDeadBrowser(context: ChaosContext): Promise<Wedge | null> {
  const found = await describe(context, 'wedge', null, ['remains at the end'], 'not tried');
  return found.unstartable.length > 0 ? found : null;
}

async function describe(
  context: ChaosContext,
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
    targets: [
      ...browser.targets('page'),
      ...browser.targets('service_worker'),
      ...browser.engines,
      ...browser.helpers,
    ].map(({ type, url }) => `${type} ${url}`),
    processes: await processes(browser),
    // A run with llama.cpp has a browser without WebGPU.
    unstartable: [
      ...unstartable.filter((what) => what !== 'graphics adapter' || model.gguf === undefined),
      ...(await findSilentCaches(context)),
    ],
    remedy,
  };
}

async function processes({ session }: ChaosContext['browser']): Promise<readonly string[]> {
  const asked = session.send('SystemInfo.getProcessInfo').catch(() => null);
  const { processInfo = [] } = (await asked) ?? {};
  return processInfo.map(({ type, id, cpuTime }) => `${type} ${id}, ${cpuTime.toFixed(1)} s`);
}
