import { sleep } from '../../../src/shared/timeout.ts';
import { ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { withinIdleTime } from '../empty-site/idle-clock.ts';
import { stopServiceWorkers } from '../tab-faults.ts';
import type { Tab } from '../tabs/tab.ts';
import type { HubWorld } from './hub-world.ts';

/** Milliseconds of idle processor time within which every site uses the hub again. */
const PATIENCE = 90_000;

/** Milliseconds for the service workers to stop. */
const STOPPING_TIME = 1000;

/** Milliseconds between two looks. */
const INTERVAL = 500;

/**
 * Checks, once all faults have ended and the person allows all sites, that every site uses the hub after its pages were
 * loaded again, and that one engine is left of all.
 * @param tell Called with what the check does and waits for. Default: nothing is told.
 * @returns a sentence for each failure.
 */
export async function checkHub(world: HubWorld, tell: (step: string) => void = () => {}): Promise<readonly string[]> {
  const { contexts, hub } = world;
  await hub.reload();
  tell('the page of the hub is loaded');
  // A service worker that has used its site's own engine asks for another when it starts again, as it does after a pause.
  // Not while a page is loaded, whose requests Chromium might then send past it.
  const [tab] = contexts.flatMap(({ tabs }) => tabs.open);
  if (tab !== undefined) await stopServiceWorkers(world, tab);
  await sleep(STOPPING_TIME);
  for (const { tabs, site } of contexts) {
    // A site is on the hub's list when it has asked, also after the hub has forgotten it.
    for (const tab of tabs.open) await tab.navigate(site.url);
    if (!(await hub.allow(new URL(site.url).origin, true))) return [`The page of the hub does not allow ${site.url}.`];
    for (const tab of tabs.open) await tab.navigate(site.url);
    tell(`${site.url} is allowed and loaded`);
  }
  let sentences: readonly string[] = [];
  let told = '';
  const untilRight = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (sentences = await findFaults(world)).length > 0) {
      const found = sentences.join(' ');
      if (found !== told) tell((told = found));
      await sleep(INTERVAL);
    }
  };
  const late = new AbortController();
  if ((await withinIdleTime(PATIENCE, untilRight(late.signal))) !== 'late') return [];
  late.abort();
  return sentences;
}

async function findFaults({ contexts, hub }: HubWorld): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const { tabs, site } of contexts) {
    for (const tab of tabs.open) {
      const state = await tab.evaluate('tabserve.ready.then(() => JSON.stringify(tabserve.status), String)');
      if (!String(state).includes('"fault":null')) sentences.push(`${site.url} does not use the hub: ${String(state)}`);
    }
    const own = await enginesOf(tabs.open[0]);
    if (own.length > 0) sentences.push(`${site.url} has kept engines of its own: ${own.join(', ')}.`);
  }
  const engines = await enginesOf(hub.tab ?? undefined);
  return engines.length === 1
    ? sentences
    : [...sentences, `The hub has ${engines.length} engines: ${engines.join(', ')}.`];
}

/** The engines that live in the storage of a page's site, each with the number of contexts that wait for its end. */
async function enginesOf(tab: Tab | undefined): Promise<readonly string[]> {
  const { held = [], pending = [] } = (await tab?.callBriefly('locks')) ?? {};
  const names = held.flatMap(({ name = '' }) => (name.startsWith(ENGINE_LOCK_PREFIX) ? [name] : []));
  return names.map((engine) => `${engine} (${pending.filter(({ name }) => name === engine).length})`);
}
