import type { ChaosBrowser } from './chaos-browser.ts';
import type { ChaosSite } from './chaos-site.ts';
import type { ChaosModel } from './chaos-model.ts';
import type { HarmLog } from './judge/harm-log.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { StandingFaults } from './standing-faults.ts';
import type { Tab } from './tabs/tab.ts';
import type { Tabs } from './tabs/tabs.ts';
import type { Traffic } from './tabs/traffic.ts';

/** Everything a fault can be done to. */
export interface ChaosContext {
  readonly browser: Pick<
    ChaosBrowser,
    'endEngine' | 'ended' | 'engines' | 'helpers' | 'openTab' | 'session' | 'targets'
  >;
  readonly site: Pick<ChaosSite, keyof ChaosSite>;
  readonly model: ChaosModel;
  readonly tabs: Tabs;
  readonly traffic: Traffic;
  readonly standing: StandingFaults;
  readonly harms: HarmLog;
  /** Called with sentences that must be reported before the end of the run. */
  readonly report: (sentence: string) => void;
}

export interface Fault {
  readonly name: string;
  /** How often it comes, compared with the others. */
  readonly weight: number;
  /** Faults that lie at least between two of this kind. Default: 0. */
  readonly spacing?: number;
  /** Tabs in which something can run that it needs. Default: 1. */
  readonly openTabs?: number;
  /** Whether it happens only where a tab hosts the engine. Default: false. */
  readonly onlyWithoutSharedWorker?: boolean;
  /** Whether it happens only to a model that llama.cpp runs. Default: false. */
  readonly onlyLlamaCpp?: boolean;
  /** Does it to an open tab, or through one. It does not wait until the fault is over. */
  readonly apply: (context: ChaosContext, tab: Tab, random: SeededRandom) => unknown;
}

/** Some stops last until everything else is well again without that tab. */
export function resumeLater({ standing }: ChaosContext, tab: Tab, random: SeededRandom): void {
  standing.add('tab', random.chance(0.3) ? 10 * 60_000 : random.integer(1000, 15_000), () => tab.resume());
}
