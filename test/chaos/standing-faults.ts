interface StandingFault {
  readonly lift: () => Promise<void>;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Faults of kind `tab`, which stop a tab, are lifted last, because the other tabs must recover without it. */
export type StandingKind = 'site' | 'tab';

/** Lasting faults. Each ends after its duration, or when all are lifted. */
export class StandingFaults {
  readonly #faults: Record<StandingKind, Set<StandingFault>> = { site: new Set(), tab: new Set() };
  #lifting: Promise<unknown> = Promise.resolve();

  /** @param duration Milliseconds. */
  add(kind: StandingKind, duration: number, lift: () => Promise<void>): void {
    const fault: StandingFault = { lift, timer: setTimeout(() => void this.#lift(kind, fault), duration) };
    this.#faults[kind].add(fault);
  }

  /** Resolves when all faults of this kind are lifted. */
  async liftAll(kind: StandingKind): Promise<void> {
    for (const fault of this.#faults[kind]) void this.#lift(kind, fault);
    await this.#lifting;
  }

  #lift(kind: StandingKind, fault: StandingFault): Promise<unknown> {
    clearTimeout(fault.timer);
    if (!this.#faults[kind].delete(fault)) return this.#lifting;
    // The tab or worker of the fault may no longer exist.
    this.#lifting = Promise.allSettled([this.#lifting, fault.lift()]);
    return this.#lifting;
  }
}
