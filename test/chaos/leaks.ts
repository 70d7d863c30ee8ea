import { sleep } from '../../src/shared/timeout.ts';
import type { ChaosBrowser } from './chaos-browser.ts';
import { workersByLock } from './find-workers.ts';
import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import type { Tabs } from './tabs/tabs.ts';
import { ENGINE_HOST_LOCK, ENGINE_LOCK_PREFIX, engineBuild } from '../../src/shared/locks/site-locks.ts';

/** Milliseconds for ended workers to release their resources, and for an engine that no tab uses to end: up to 45 s. */
const PATIENCE = 60_000;

/** The targets and locks that exist when nothing runs. */
export interface Remainder {
  /** The leaks, one sentence each. */
  readonly leaks: readonly string[];
  readonly targets: readonly Target[];
  readonly locks: { readonly held: readonly LockInfo[]; readonly pending: readonly LockInfo[] };
}

/**
 * Finds workers, locks and connections beyond those that this number of idle tabs needs. Ports cannot be counted from
 * outside, but both ends of each connection wait for the lock of the other end.
 */
export async function findLeaks(browser: ChaosBrowser, tabs: Tabs): Promise<Remainder> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const remainder = await takeStock(browser, tabs);
    if (remainder.leaks.length === 0 || performance.now() > end) return remainder;
    await sleep(1000);
  }
}

async function takeStock(browser: ChaosBrowser, tabs: Tabs): Promise<Remainder> {
  const targets = [...browser.targets('page'), ...browser.targets('service_worker'), ...browser.workers];
  const locks = await tabs.open[0]?.callBriefly('locks');
  if (!locks) return { leaks: ['No tab tells of the locks.'], targets, locks: { held: [], pending: [] } };
  const { engines, llamaCpp } = workersByLock(browser.workers, locks.held);
  const isOfPage = ({ parentId }: Target) => !browser.workers.some(({ targetId }) => targetId === parentId);
  const pages = browser.targets('page').length;
  const serviceWorkers = browser.targets('service_worker').length;
  // A newer build may be waiting beside the active service worker.
  const clients = tabs.count + Math.min(2, serviceWorkers);
  // Until the tabs of an earlier build are reloaded, they keep its engine beside the one of the newer build.
  const used = locks.pending.flatMap(({ name }) => (name?.startsWith(ENGINE_LOCK_PREFIX) ? [engineBuild(name)] : []));
  // After the site's data were cleared, the locks of workers from before are invisible.
  const known = used.length > 0 ? used : engines.map(({ url }) => url);
  const builds = Math.max(1, new Set(known).size);
  const twice = locks.pending.length - new Set(locks.pending.map(({ clientId, name }) => `${clientId} ${name}`)).size;
  // Also counts the tab that the browser opened at its start.
  const rows: readonly (readonly [what: string, found: number, most: number])[] = [
    ['pages', pages, tabs.count + 1],
    ['service workers', serviceWorkers, 2],
    // An engine and llama.cpp. Counted as well, because the locks are invisible after the site's data were cleared.
    ['workers without their thread workers', browser.workers.filter(isOfPage).length, 2 * builds],
    ['engine workers', engines.length, builds],
    ['workers of llama.cpp', llamaCpp.length, builds],
    ['locks of engines', named(locks.held, ENGINE_LOCK_PREFIX), builds],
    ['locks of tabs that host an engine', named(locks.held, ENGINE_HOST_LOCK), 1],
    ['tabs that wait to host an engine', named(locks.pending, ENGINE_HOST_LOCK), tabs.count - 1],
    ['locks of pages', named(locks.held, 'tabserve-page-'), tabs.count],
    ['locks of service workers', named(locks.held, 'tabserve-service-worker-'), serviceWorkers],
    ['locks of answers', named(locks.held, 'tabserve-answer'), 0],
    ['locks of starting engines', named(locks.held, 'tabserve-engine-start'), 0],
    ['connections waiting for an engine to end', named(locks.pending, 'tabserve-engine '), clients],
    ['connections of an engine to pages', named(locks.pending, 'tabserve-page-'), tabs.count],
    ['connections of an engine to service workers', named(locks.pending, 'tabserve-service-worker-'), 2],
    ['connections made twice', twice, 0],
  ];
  const leaks = rows.flatMap(([what, found, most]) => (found > most ? [`${found} ${what} instead of ${most}.`] : []));
  return { leaks, targets, locks };
}

function named(locks: readonly LockInfo[], start: string): number {
  return locks.filter(({ name }) => name?.startsWith(start)).length;
}
