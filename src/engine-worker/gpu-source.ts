import { probeGpu, type ProbedGpu } from './probe-gpu.ts';

/** What a worker knows of its graphics device. */
export interface GpuSource {
  /** The device that this worker gets, or has once got; asks anew until there was one. */
  find(): Promise<{ readonly description: string } | null>;
  /** Whether this worker has once got a device and gets none at present. */
  isGone(): Promise<boolean>;
}

/** Asks the browser. */
export class GpuProbe implements GpuSource {
  readonly #probe: () => Promise<ProbedGpu | null>;
  #found: Promise<ProbedGpu | null> | null = null;
  #had = false;

  /** @param probe Asks for a graphics device and lets go of it again. Default: {@link probeGpu}. */
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
