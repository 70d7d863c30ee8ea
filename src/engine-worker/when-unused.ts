import { engineBuild, siteLocks } from '../shared/locks/site-locks.ts';
import { sleep } from '../shared/timeout.ts';

/** Poll interval in milliseconds. */
const LOOK_PAUSE = 15_000;

/**
 * Resolves when this engine was unused at two consecutive polls while another engine of the same build was alive.
 *
 * A page that freezes while starting an engine is replaced by another page with a second engine. Browsers keep a
 * SharedWorker while its page is open, and each engine holds GPU memory. A sole engine stays for the next page.
 * @param lockName This engine's lock. Never resolves if its name contains no build.
 */
export async function whenUnused(lockName: string, isUsed: () => boolean): Promise<void> {
  const build = engineBuild(lockName);
  if (build === undefined) return new Promise(() => {});
  for (let looks = 0; looks < 2;) {
    await sleep(LOOK_PAUSE);
    looks = !isUsed() && (await hasSibling(lockName, build)) ? looks + 1 : 0;
  }
}

async function hasSibling(lockName: string, build: string): Promise<boolean> {
  const { held = [] } = await siteLocks().query();
  return held.some(({ name = '', mode }) => mode === 'exclusive' && name !== lockName && engineBuild(name) === build);
}
