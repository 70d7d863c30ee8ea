import type { Completion } from './completion.ts';

/**
 * Completions whose subscriber disconnected without cancelling. A repeated request can join one during a grace time.
 */
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

  /**
   * Adds a completion. An earlier one with the same fingerprint is cancelled, because requests can no longer join it.
   */
  add(completion: Completion): void {
    const { fingerprint } = completion.options;
    this.take(fingerprint)?.cancel();
    const timer = setTimeout(() => this.take(fingerprint)?.cancel(), this.#graceTime);
    this.#orphans.set(fingerprint, { completion, timer });
  }

  /** Removes and returns the completion with this fingerprint, if there is one. */
  take(fingerprint: string): Completion | undefined {
    const orphan = this.#orphans.get(fingerprint);
    clearTimeout(orphan?.timer);
    this.#orphans.delete(fingerprint);
    return orphan?.completion;
  }
}
