import { resumeLater, type AskedContext } from '../fault.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from '../tabs/tab.ts';
import { clearStorage } from '../storage-faults.ts';
import { askAtOnce, closeTab, crashTab, freezeTab, stopServiceWorkers } from '../tab-faults.ts';
import type { HubWorld } from './hub-world.ts';

/** Something that happens to a hub, or to a site that uses it. */
export interface HubFault {
  readonly name: string;
  /** Relative frequency among all faults. */
  readonly weight: number;
  /** @param context The site of `tab`, an open tab. */
  readonly apply: (world: HubWorld, context: AskedContext, tab: Tab, random: SeededRandom) => unknown;
}

export const HUB_FAULTS: readonly HubFault[] = [
  {
    name: 'hub tab closed',
    weight: 4,
    async apply({ hub, standing }, _context, _tab, random) {
      await hub.close();
      standing.add('site', random.integer(500, 5000), async () => void (await hub.open()));
    },
  },
  {
    name: 'hub tab frozen',
    weight: 4,
    async apply({ hub, harms, standing }, _context, _tab, random) {
      const tab = await hub.open();
      await tab.freeze();
      resumeLater({ harms, standing }, tab, random);
    },
  },
  {
    name: "hub's engine killed",
    weight: 6,
    async apply({ browser, sites }) {
      for (const worker of browser.workers)
        if (worker.type === 'shared_worker' && worker.url.startsWith(sites.url('hub'))) await browser.endEngine(worker);
    },
  },
  {
    name: 'hub updated',
    weight: 4,
    apply({ harms, hub, sites, standing }, _context, _tab, random) {
      harms.builds.push(performance.now());
      sites.publishHub();
      // The person has its page open in some cases, and loads it again.
      if (random.chance(0.5)) standing.add('site', random.integer(0, 2000), () => hub.reload());
    },
  },
  {
    name: 'hub away',
    weight: 4,
    apply({ harms, sites, standing }, _context, _tab, random) {
      const outage = { start: performance.now(), end: Number.POSITIVE_INFINITY };
      harms.outages.push(outage);
      sites.setHubOnline(false);
      standing.add('site', random.integer(500, 8000), async () => {
        sites.setHubOnline(true);
        outage.end = performance.now();
      });
    },
  },
  {
    name: 'site revoked',
    weight: 5,
    async apply({ harms, hub, standing }, { site }, _tab, random) {
      const { origin } = new URL(site.url);
      harms.revocations.push(performance.now());
      if (!(await hub.allow(origin, false))) throw new Error('The page of the hub did not revoke the site.');
      harms.revocations.push(performance.now());
      standing.add('site', random.integer(500, 8000), async () => void (await hub.allow(origin, true)));
    },
  },
  {
    name: "hub's storage cleared",
    weight: 2,
    async apply({ harms, sites }, _context, { session }) {
      await clearStorage(harms, session, sites.url('hub'));
    },
  },
  {
    name: "site's storage cleared",
    weight: 2,
    async apply({ harms }, { site }, { session }) {
      harms.serviceWorkerFaults.push(performance.now());
      await clearStorage(harms, session, site.url);
    },
  },
  { name: 'tab frozen', weight: 6, apply: (_world, context, tab, random) => freezeTab(context, tab, random) },
  { name: 'tab crashed', weight: 4, apply: (_world, context, tab, random) => crashTab(context, tab, random) },
  { name: 'tab closed', weight: 5, apply: (_world, context, tab, random) => closeTab(context, tab, random) },
  { name: 'tab reloaded', weight: 6, apply: (_world, _context, tab) => tab.reload(false) },
  { name: 'service workers stopped', weight: 6, apply: (world, _context, tab) => stopServiceWorkers(world, tab) },
  { name: 'burst of requests', weight: 4, apply: (_world, context, tab, random) => askAtOnce(context, tab, random) },
];
