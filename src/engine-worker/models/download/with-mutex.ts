import { withAbort } from '../../../shared/timeout.ts';

/** For each resource, a promise that settles after the last work in its queue. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs work on a named resource, one call after the other, within this worker. For example, a load and a download of
 * the same model must not write the same file.
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
  // If this work is aborted while it waits, the next work must still wait for the work before this one.
  const both = Promise.allSettled([before, mine]);
  turns.set(name, both);
  void forget(name, both);
  return mine;
}

async function forget(name: string, turn: Promise<unknown>): Promise<void> {
  await turn;
  if (turns.get(name) === turn) turns.delete(name);
}
