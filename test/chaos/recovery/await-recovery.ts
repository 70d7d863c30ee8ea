import { sleep } from '../../../src/shared/timeout.ts';
import { describeEngines } from '../describe-engines.ts';
import type { AskedContext } from '../fault.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from '../tabs/tab.ts';
import type { TabHistory } from '../tabs/tab-history.ts';
import type { ProcessorClock } from './processor-clock.ts';

/** How long a tab needed after faults until a request of it was answered right. */
export interface Recovery {
  /** The faults, in their order. */
  readonly faults: readonly string[];
  readonly tab: number;
  /** Milliseconds from the last fault, or from the end of its effect on this tab, to the end of the right answer. */
  readonly time: number;
  /** The same, by {@link ProcessorClock}. */
  readonly available: number;
  /** The defect of the browser that took part of this time; null if there was none. */
  readonly defect: string | null;
  /** Whether the run stopped waiting. */
  readonly gaveUp: boolean;
}

/** Milliseconds, by {@link ProcessorClock}, after which the run stops waiting. Then the tabs are examined. */
const PATIENCE = 60_000;

/** Milliseconds, by {@link ProcessorClock}, after which a tab that has not recovered sends further questions. */
const PROBE_AFTER = 1000;

/** Milliseconds, by {@link ProcessorClock}, after which the run describes the tabs that have not recovered. */
const SLOW = 20_000;

/** Milliseconds between two looks at the tabs. */
const INTERVAL = 50;

/** From when on a tab could be expected to work. */
interface Beginning {
  readonly tab: Tab;
  readonly time: number;
  readonly available: number;
}

/**
 * Waits until a request of each working tab, sent after the last fault, is answered right. Tabs that are stopped are not
 * waited for; a tab that is opened again, or goes on, counts from then on. Each tab sends short questions for this after
 * a moment, because its other request may be a long answer, or one that the fault has struck.
 */
export async function awaitRecovery(
  { browser, harms, report, site, tabs, traffic }: AskedContext,
  clock: Pick<ProcessorClock, 'now'>,
  faults: readonly string[],
  random: SeededRandom,
): Promise<readonly Recovery[]> {
  const begun = clock.now;
  const beginnings = new Map<number, Beginning>();
  const recoveries = new Map<number, Recovery>();
  const places = [...Array(tabs.count).keys()];
  const restoring = new Set<Tab>();
  const restore = async (tab: Tab): Promise<void> => {
    restoring.add(tab);
    await tabs.restore(tab).catch(() => {});
    restoring.delete(tab);
  };
  const probing = new Set<Tab>();
  const probe = async (tab: Tab): Promise<void> => {
    probing.add(tab);
    await traffic.probe(tab, random);
    probing.delete(tab);
  };
  const reportSlowTabs = async (slow: readonly number[]): Promise<void> => {
    for (const tab of slow.map((place) => tabs.at(place))) {
      const page = JSON.stringify((await tab?.callBriefly('describePage')) ?? null);
      report(`Slow to recover from ${faults.join(', ')}: tab ${tab?.number}, ${tab?.state}, ${page}`);
    }
    report(`Still asked: ${traffic.inFlight.join('; ')}`);
  };
  let isSlow = false;
  while (!browser.ended) {
    const gaveUp = clock.now - begun > PATIENCE;
    for (const place of places) {
      const tab = tabs.at(place);
      const before = beginnings.get(place);
      // A tab that crashed with another one in its process, or after it was opened again, has no fault that opens it.
      if (tab?.state === 'crashed' && !restoring.has(tab)) void restore(tab);
      if (tab?.state !== 'open') {
        beginnings.delete(place);
        continue;
      }
      // Without its server, a page that was not kept cannot be loaded. A stopped process may run any tab or worker.
      const history = traffic.historyOf(tab);
      const isPaused = harms.pauses.some(({ end }) => end > performance.now());
      const isAway = isPaused || (!site.online && history.isAway);
      if (before?.tab !== tab || isAway) beginnings.set(place, { tab, time: performance.now(), available: clock.now });
      if (recoveries.has(place) || !before || isAway) continue;
      const end = history.rightAfter(before.time);
      if (end === null && !probing.has(tab) && clock.now - before.available > PROBE_AFTER) void probe(tab);
      if (end === null && !gaveUp) continue;
      if (end === null) report(`Not recovered: ${JSON.stringify(await tab.callBriefly('describePage'))}`);
      recoveries.set(place, {
        faults,
        tab: tab.number,
        time: (end ?? performance.now()) - before.time,
        available: clock.now - before.available,
        defect: defectSince(tab, history, before.time),
        gaveUp: end === null,
      });
    }
    const waiting = places.filter((place) => !recoveries.has(place) && isExpected(tabs.at(place)));
    if (gaveUp) report(`Workers: ${JSON.stringify(await describeEngines(browser))}`);
    if (waiting.length === 0 || gaveUp) break;
    if (!isSlow && clock.now - begun > SLOW) {
      isSlow = true;
      void reportSlowTabs(waiting);
    }
    await sleep(INTERVAL);
  }
  return [...recoveries.values()];
}

/** Whether a tab works now or will be opened again soon. */
function isExpected(tab: Tab | null): boolean {
  return tab === null || tab.state === 'open' || ['closed', 'crashed', 'elsewhere'].includes(tab.state);
}

/** The defect of the browser that a tab has met since `time`; null if there was none. */
function defectSince(tab: Tab, history: TabHistory, time: number): string | null {
  if (tab.stalls.some((stall) => stall >= time)) return 'a load did not begin';
  return history.wasBypassedSince(time) ? 'requests went past the service worker' : null;
}
