import type { ChaosContext, Fault } from './fault.ts';
import type { HarmLog } from './judge/harm-log.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Tab } from './tabs/tab.ts';

/** Milliseconds for which a browser stores nothing: mostly short, sometimes so long that a page which asks in vain is noticed. */
const FULL = { shortest: 1000, longest: 10_000, veryLong: 30_000 };

/** Takes away the room in which the site keeps chats, drafts and models, for a while. */
export const STORAGE_FAULTS: readonly Fault[] = [
  {
    name: 'no room on the device',
    weight: 4,
    async apply(context, { session }, random) {
      const { origin } = new URL(context.site.url);
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
      const time = beFull(context, random);
      context.standing.add('site', time, async () => {
        const tab = context.tabs.open[0];
        await (tab?.session ?? session).send('Storage.overrideQuotaForOrigin', { origin });
      });
    },
  },
  {
    name: 'database writes fail',
    weight: 4,
    apply: (context, tab, random) => tab.callBriefly('failWrites', 'database', beFull(context, random)),
  },
  {
    name: 'local storage full',
    weight: 4,
    apply: (context, tab, random) => tab.callBriefly('failWrites', 'local storage', beFull(context, random)),
  },
];

/**
 * Clears the data of a site. That takes seconds while other programs use the processor, and what is written meanwhile may be
 * deleted, too, so its end is recorded as well as its beginning.
 */
export async function clearStorage(harms: HarmLog, session: Tab['session'], url: string): Promise<void> {
  harms.clearings.push(performance.now());
  try {
    await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' });
  } finally {
    harms.clearings.push(performance.now());
  }
}

/** Records that what is written now need not be kept beyond the page. @returns for how many milliseconds. */
function beFull({ harms }: ChaosContext, random: SeededRandom): number {
  const time = random.chance(0.2) ? FULL.veryLong : random.integer(FULL.shortest, FULL.longest);
  const start = performance.now();
  harms.fullStores.push({ start, end: start + time });
  return time;
}
