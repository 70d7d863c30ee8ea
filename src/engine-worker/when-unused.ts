import { engineBuild, siteLocks } from '../shared/locks/site-locks.ts';
import { sleep } from '../shared/timeout.ts';

/** Milliseconds between two polls. */
const POLL_INTERVAL = 15_000;

/**
 * Resolves when this engine was unused at two consecutive polls while another engine of the same build was alive.
 *
 * A page that freezes while starting an engine is replaced by another page with a second engine. The first engine must
 * then end: browsers keep a SharedWorker while its page is open, and each engine holds GPU memory. The only engine is
 * kept for the next page.
 * @param lockName This engine's lock. Never resolves if its name contains no build.
 */
export async function whenUnused(lockName: string, isUsed: () => boolean): Promise<void> {
  const build = engineBuild(lockName);
  if (build === undefined) return new Promise(() => {});
  for (let unusedPolls = 0; unusedPolls < 2;) {
    await sleep(POLL_INTERVAL);
    unusedPolls = !isUsed() && (await hasSibling(lockName, build)) ? unusedPolls + 1 : 0;
  }
}

async function hasSibling(lockName: string, build: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return held.some(({ name = '', mode }) => mode === 'exclusive' && name !== lockName && engineBuild(name) === build);
}
