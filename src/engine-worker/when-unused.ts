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
 * Resolves when this engine is superfluous, because another engine of the same build is alive, or a page of the site
 * reaches that of a hub: after two polls without a page or service worker. It is superfluous, too, after five polls
 * without work if another engine's name comes first.
 *
 * A page that freezes or is reloaded while it starts an engine is replaced by another page with a second engine. One of
 * them must then end: browsers keep a SharedWorker while its page is open and for minutes after, and each engine holds
 * GPU memory. Pages
 * that were connected to it join the other one. The only engine is kept for the next page.
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
    const siblings = siblingsOf(held, lockName, build);
    const usesHub = held.some(({ name }) => name?.startsWith(HUB_ENGINE_PREFIX));
    unused = !isUsed() && (usesHub || siblings.length > 0) ? unused + 1 : 0;
    idle = isIdle() && siblings.some((sibling) => sibling < lockName) ? idle + 1 : 0;
  }
}

/** Names of the locks of the other engines of a build, without those that a page has marked as unresponsive. */
function siblingsOf(held: readonly LockInfo[], lockName: string, build: string): readonly string[] {
  const names = new Set(held.map(({ name }) => name));
  return held.flatMap(({ name = '', mode }) => {
    const isSibling = mode === 'exclusive' && name !== lockName && engineBuild(name) === build;
    return isSibling && !names.has(name.replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX)) ? [name] : [];
  });
}
