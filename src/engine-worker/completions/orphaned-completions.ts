import type { Completion } from './completion.ts';

/**
 * Completions whose subscriber died without a word. Each goes on for a short time, in which the repetition of
 * its request may join it.
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

  /** Takes one in. Of two that are alike only the later can be joined, so the earlier is ended. */
  add(completion: Completion): void {
    const { fingerprint } = completion.options;
    this.take(fingerprint)?.cancel();
    const timer = setTimeout(() => this.take(fingerprint)?.cancel(), this.#graceTime);
    this.#orphans.set(fingerprint, { completion, timer });
  }

  /** The orphan that such a request left behind, if there is one; it is one no longer. */
  take(fingerprint: string): Completion | undefined {
    const orphan = this.#orphans.get(fingerprint);
    clearTimeout(orphan?.timer);
    this.#orphans.delete(fingerprint);
    return orphan?.completion;
  }
}
