import { POCKET } from './chaos-model.ts';
import type { ChaosContext } from './fault.ts';
import type { Answer } from './judge/apis/api.ts';
import { HarmLog } from './judge/harm-log.ts';
import type { Question } from './judge/questions.ts';
import { Person } from './person/person.ts';
import { TextLedger } from './person/text-ledger.ts';
import { StandingFaults } from './standing-faults.ts';
import { Tabs } from './tabs/tabs.ts';
import { Traffic, type TrafficOptions } from './tabs/traffic.ts';

export interface PlainContextOptions {
  /** How many tabs the site has. */
  readonly tabs: number;
  /** What {@link Traffic} asks, once it is started. Default: nothing. */
  readonly questions?: readonly Question[];
  /** The right answers to the questions, by their names. */
  readonly right?: ReadonlyMap<string, Answer>;
  /** In how many tabs a person asks, once started. Default: in none. */
  readonly persons?: number;
}

/** Returns the objects that faults act on, without a run that records what is asked. No tab is open yet. */
export function plainContext(
  {
    browser,
    site,
  }: { readonly browser: ChaosContext['browser'] & TrafficOptions['browser'] } & Pick<ChaosContext, 'site'>,
  { tabs: count, questions = [], right = new Map(), persons = 0 }: PlainContextOptions,
): ChaosContext {
  const tabs = new Tabs(browser, site, count);
  const [harms, ledger] = [new HarmLog(), new TextLedger()];
  const [began, record] = [performance.now(), () => {}];
  const traffic = new Traffic({ browser, site, tabs, questions, right, harms, began, record, lastFault: () => 'none' });
  const person = new Person({ tabs, ledger, harms }, persons, () => {});
  const standing = new StandingFaults();
  return { browser, site, model: POCKET, tabs, traffic, harms, ledger, person, standing, report() {} };
}
