import { withAbort } from '../../../shared/timeout.ts';

/** Settles when the last one that asked for a turn has had it, by what the turns are about. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Does work that only one in this worker may do at a time, after those who asked for it earlier: a load and a download
 * of one model want the same files.
 * @param name What the work is about.
 * @throws whatever `work` throws; the signal's reason when aborted before its turn has come.
 */
export async function withMutex<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const before = turns.get(name) ?? Promise.resolve();
  const mine = withAbort(before, signal).then(work);
  // Whoever leaves while it waits must not let the next one overtake those before it.
  const both = Promise.allSettled([before, mine]);
  turns.set(name, both);
  void forget(name, both);
  return mine;
}

async function forget(name: string, turn: Promise<unknown>): Promise<void> {
  await turn;
  if (turns.get(name) === turn) turns.delete(name);
}
