import { engineBuild, siteLocks } from '../shared/locks/site-locks.ts';
import { sleep } from '../shared/timeout.ts';

/** Milliseconds between two looks. */
const LOOK_PAUSE = 15_000;

/**
 * Resolves when nobody has used this engine at two looks in a row while another engine of its build lived.
 *
 * A page that is frozen while it starts an engine loses its turn, and another page starts another one. The browser keeps a
 * SharedWorker for as long as the page that made it is open, used or not, and each engine holds graphics memory. An engine
 * by itself stays: the next page finds it with its model.
 * @param lockName The lock that this engine holds. One that is named after no build has no others, and the promise stays
 * pending.
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
