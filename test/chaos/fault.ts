import type { ChaosBrowser } from './chaos-browser.ts';
import type { ChaosSite } from './chaos-site.ts';
import type { ChaosModel } from './chaos-model.ts';
import type { HarmLog } from './judge/harm-log.ts';
import type { Person } from './person/person.ts';
import type { TextLedger } from './person/text-ledger.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { StandingFaults } from './standing-faults.ts';
import type { Tab } from './tabs/tab.ts';
import type { Tabs } from './tabs/tabs.ts';
import type { Traffic } from './tabs/traffic.ts';

/** The tabs of a site that are asked, and what is needed to find out whether they recover. */
export interface AskedContext {
  readonly browser: Pick<ChaosBrowser, 'ended' | 'openTab' | 'session' | 'targets' | 'withEngine' | 'workers'>;
  readonly site: Pick<ChaosSite, 'controlUrl' | 'online' | 'url'>;
  readonly model: ChaosModel;
  readonly tabs: Tabs;
  readonly traffic: Traffic;
  readonly standing: StandingFaults;
  readonly harms: HarmLog;
  /** Called with sentences that must be reported before the end of the run. */
  readonly report: (sentence: string) => void;
}

/** The objects that faults act on. */
export interface ChaosContext extends AskedContext {
  readonly browser: AskedContext['browser'] & Pick<ChaosBrowser, 'endEngine'>;
  readonly site: Pick<ChaosSite, keyof ChaosSite>;
  readonly ledger: TextLedger;
  readonly person: Person;
}

export interface Fault {
  readonly name: string;
  /** Relative frequency among all faults. */
  readonly weight: number;
  /** Minimum number of faults between two of this kind. Default: 0. */
  readonly spacing?: number;
  /** Number of responsive tabs that the fault needs. Default: 1. */
  readonly openTabs?: number;
  /** Whether the fault needs an engine that a tab hosts. Default: false. */
  readonly onlyWithoutSharedWorker?: boolean;
  /** Whether the fault needs a model that llama.cpp runs. Default: false. */
  readonly onlyLlamaCpp?: boolean;
  /** Whether requests of other tabs, or of a page itself, do not notice the fault. Default: false. */
  readonly isHarmless?: boolean;
  /** Applies the fault to an open tab, or through it. Does not wait until a lasting fault is over. */
  readonly apply: (context: ChaosContext, tab: Tab, random: SeededRandom) => unknown;
}

/** Resumes a stopped tab later: mostly after seconds, sometimes only after all other tabs have recovered without it. */
export function resumeLater(context: Pick<AskedContext, 'harms' | 'standing'>, tab: Tab, random: SeededRandom): void {
  resumeAfter(context, tab, random.chance(0.3) ? 10 * 60_000 : random.integer(1000, 15_000));
}

/** Resumes a stopped tab after some milliseconds. */
export function resumeAfter(
  { harms, standing }: Pick<AskedContext, 'harms' | 'standing'>,
  tab: Tab,
  duration: number,
): void {
  const stop = { start: performance.now(), end: Number.POSITIVE_INFINITY };
  harms.stops.push(stop);
  standing.add('tab', duration, async () => {
    stop.end = performance.now();
    await tab.resume();
  });
}
