import type { Completion } from './completion.ts';

/** Completions whose subscriber disconnected without cancelling. A retry can join one during a grace time. */
export class OrphanedCompletions {
  readonly #graceTime: number;
  readonly #orphans = new Map<
    string,
    { readonly completion: Completion; readonly timer: ReturnType<typeof setTimeout> }
  >();

  /** @param graceTime Milliseconds. */
  constructor(graceTime: number) {
    this.#graceTime = graceTime;
  }

  /** Cancels an earlier orphan with the same fingerprint, since none could join it. */
  add(completion: Completion): void {
    const { fingerprint } = completion.options;
    this.take(fingerprint)?.cancel();
    const timer = setTimeout(() => this.take(fingerprint)?.cancel(), this.#graceTime);
    this.#orphans.set(fingerprint, { completion, timer });
  }

  /** Removes and returns the orphan with this fingerprint, if any. */
  take(fingerprint: string): Completion | undefined {
    const orphan = this.#orphans.get(fingerprint);
    clearTimeout(orphan?.timer);
    this.#orphans.delete(fingerprint);
    return orphan?.completion;
  }
}
