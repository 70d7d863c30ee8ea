import { withAbort } from '../../../shared/timeout.ts';

/** By name, a promise that settles after the last queued turn. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs work exclusively within this worker, in call order: a load and a download may need the same file.
 * @param name Identifies the resource.
 * @throws Whatever `work` throws; the signal's reason if aborted before its turn.
 */
export async function withMutex<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const before = turns.get(name) ?? Promise.resolve();
  const mine = withAbort(before, signal).then(work);
  // An aborted waiter must not let the next one overtake those before it.
  const both = Promise.allSettled([before, mine]);
  turns.set(name, both);
  void forget(name, both);
  return mine;
}

async function forget(name: string, turn: Promise<unknown>): Promise<void> {
  await turn;
  if (turns.get(name) === turn) turns.delete(name);
}
