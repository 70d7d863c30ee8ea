import { sleep } from '../../src/shared/timeout.ts';
import { resumeAfter, type ChaosContext, type Fault } from './fault.ts';
import { findWorkers } from './find-workers.ts';
import { freezeTab } from './tab-faults.ts';
import type { Tab } from './tabs/tab.ts';

/** Number of streams that a tab reads when it is frozen. */
const STREAMS = 3;

/** Freezes tabs, as browsers do with tabs that were hidden for minutes, and resumes them later. */
export const FREEZING_FAULTS: readonly Fault[] = [
  { name: 'tab frozen', weight: 5, openTabs: 2, apply: freezeTab },
  {
    name: 'leader frozen',
    weight: 6,
    openTabs: 2,
    onlyWithoutSharedWorker: true,
    apply: async (context, tab, random) => freezeTab(context, (await leader(context)) ?? tab, random),
  },
  {
    name: 'two tabs frozen',
    weight: 4,
    openTabs: 3,
    async apply(context, tab, random) {
      const first = (await leader(context)) ?? tab;
      const second = random.pick(context.tabs.open.filter((other) => other !== first));
      await Promise.all([freezeTab(context, first, random), freezeTab(context, second, random)]);
    },
  },
  {
    // This is often the only responsive tab, which then keeps the engine that it hosts.
    name: 'tab frozen while it streams',
    weight: 6,
    async apply(context, tab, random) {
      for (let count = 0; count < STREAMS; count++) {
        void context.traffic.question(tab, random, { readPause: random.integer(0, 100) }, true);
      }
      await sleep(random.integer(200, 2500));
      await tab.freeze();
      resumeAfter(context, tab, random.integer(300, 6000));
    },
  },
  {
    name: 'tab frozen while the engine loads',
    weight: 5,
    openTabs: 2,
    async apply(context, tab, random) {
      for (const engine of (await findWorkers(context)).engines) await context.browser.endEngine(engine);
      await sleep(random.integer(0, 4000));
      await freezeTab(context, (await leader(context)) ?? tab, random);
    },
  },
];

/** Returns the tab that hosts the engine, if it is responsive. */
async function leader(context: ChaosContext): Promise<Tab | undefined> {
  const { engines } = await findWorkers(context);
  return context.tabs.open.find(({ targetId }) => engines.some(({ parentId }) => parentId === targetId));
}
