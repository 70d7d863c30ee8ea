import {
  ENGINE_ABANDONED_PREFIX,
  ENGINE_LOCK_PREFIX,
  HUB_ENGINE_PREFIX,
  engineBuild,
  siteLocks,
} from '../shared/locks/site-locks.ts';
import { sleep } from '../shared/timeout.ts';

/** Milliseconds between two polls. */
const POLL_INTERVAL = 15_000;

/** Consecutive polls at which an engine was superfluous before it ends: more if pages must look for the other one then. */
const POLLS = { unused: 2, idle: 5 };

/**
 * Resolves when this engine is superfluous. It is so after two polls without work, page and service worker if another
 * engine of the site is alive or a page of the site reaches that of a hub, and after five polls without work if another
 * engine of the same build is alive whose name comes first.
 *
 * A page that freezes or is reloaded while it starts an engine is replaced by another page with a second engine, and
 * after an update the pages use an engine of the newer build. Browsers keep a SharedWorker while its page is open and
 * for minutes after, and each engine holds GPU memory. Pages that were connected to a superfluous engine join the other
 * one. The only engine is kept for the next page.
 * @param lockName This engine's lock. Never resolves if its name contains no build.
 * @param isUsed Whether any page or service worker is connected.
 * @param isIdle Whether ending the engine would interrupt nothing.
 */
export async function whenUnused(lockName: string, isUsed: () => boolean, isIdle: () => boolean): Promise<void> {
  const build = engineBuild(lockName);
  if (build === undefined) return new Promise(() => {});
  for (let unused = 0, idle = 0; unused < POLLS.unused && idle < POLLS.idle;) {
    await sleep(POLL_INTERVAL);
    const { held = [] } = await siteLocks().query();
    const others = otherEngines(held, lockName).filter((name) => engineBuild(name) !== undefined);
    const usesHub = held.some(({ name }) => name?.startsWith(HUB_ENGINE_PREFIX));
    const isSuperfluous = others.some((other) => engineBuild(other) === build && other < lockName);
    unused = isIdle() && !isUsed() && (usesHub || others.length > 0) ? unused + 1 : 0;
    idle = isIdle() && isSuperfluous ? idle + 1 : 0;
  }
}

/** Whether another engine of the site is alive, in a SharedWorker or in the worker of a tab. */
export async function isReplaced(lockName: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return otherEngines(held, lockName).length > 0;
}

/** Names of the locks of the other engines, without those that a page has marked as unresponsive. */
function otherEngines(held: readonly LockInfo[], lockName: string): readonly string[] {
  const names = new Set(held.map(({ name }) => name));
  return held.flatMap(({ name = '', mode }) => {
    const isOther = mode === 'exclusive' && name !== lockName && name.startsWith(ENGINE_LOCK_PREFIX);
    return isOther && !names.has(name.replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX)) ? [name] : [];
  });
}
