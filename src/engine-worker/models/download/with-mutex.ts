import { withAbort } from '../../../shared/timeout.ts';

/** Resource → a promise that settles after the last work that waits for it. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs work that needs a resource, one after the other in the order of the calls, within this worker. For example, a
 * load and a download may need the same file.
 * @param name Name of the resource.
 * @throws any error of `work`; the signal's reason if it aborts before `work` has begun.
 */
export async function withMutex<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const before = turns.get(name) ?? Promise.resolve();
  const mine = withAbort(before, signal).then(work);
  // If this work is aborted while it waits, the next one must still wait for those before it.
  const both = Promise.allSettled([before, mine]);
  turns.set(name, both);
  void forget(name, both);
  return mine;
}

async function forget(name: string, turn: Promise<unknown>): Promise<void> {
  await turn;
  if (turns.get(name) === turn) turns.delete(name);
}
