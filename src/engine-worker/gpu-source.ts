import { probeGpu, type ProbedGpu } from './probe-gpu.ts';

/** Reports whether this worker can get a GPU device. */
export interface GpuSource {
  /** Returns the first device that was found. If none was found yet, requests one; null if there is none. */
  find(): Promise<{ readonly description: string } | null>;
  /** Whether a device was found earlier but none is available at present. */
  isGone(): Promise<boolean>;
}

/** Requests a GPU device, and remembers the first one found. */
export class GpuProbe implements GpuSource {
  readonly #probe: () => Promise<ProbedGpu | null>;
  #found: Promise<ProbedGpu | null> | null = null;
  #had = false;

  /** @param probe Requests a device and destroys it. Default: {@link probeGpu}. */
  constructor(probe: () => Promise<ProbedGpu | null> = probeGpu) {
    this.#probe = probe;
  }

  find(): Promise<ProbedGpu | null> {
    this.#found ??= this.#probe().then((found) => {
      if (found === null) this.#found = null;
      else this.#had = true;
      return found;
    });
    return this.#found;
  }

  async isGone(): Promise<boolean> {
    return this.#had && (await this.#probe()) === null;
  }
}
