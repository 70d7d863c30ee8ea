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
   * Adds a completion. An earlier one of the site with the same fingerprint is cancelled, because requests can no longer join it.
   */
  add(completion: Completion): void {
    const { site, options } = completion;
    const { fingerprint } = options;
    this.take(site, fingerprint)?.cancel();
    const timer = setTimeout(() => this.take(site, fingerprint)?.cancel(), this.#graceTime);
    this.#orphans.set(keyOf(site, fingerprint), { completion, timer });
  }

  /** Removes and returns the completion of this site with this fingerprint, if there is one. */
  take(site: string, fingerprint: string): Completion | undefined {
    const key = keyOf(site, fingerprint);
    const orphan = this.#orphans.get(key);
    clearTimeout(orphan?.timer);
    this.#orphans.delete(key);
    return orphan?.completion;
  }

  /**
   * Calls `enter`, which adds a request of the site to the queue. If the queue is full, orphans of the site that wait for their
   * turn give up their places, the oldest first: their clients are gone, and lose only their turn if they come back.
   * @throws the error of `enter` if no orphan waits any more.
   */
  makeRoom<Result>(site: string, enter: () => Result): Result {
    for (;;) {
      try {
        return enter();
      } catch (thrown) {
        const waiting = [...this.#orphans.values()].find(
          ({ completion }) => completion.site === site && !completion.generating && !completion.log.ended,
        );
        if (!waiting) throw thrown;
        this.take(site, waiting.completion.options.fingerprint)?.cancel();
      }
    }
  }
}

function keyOf(site: string, fingerprint: string): string {
  return `${fingerprint} ${site}`;
}
