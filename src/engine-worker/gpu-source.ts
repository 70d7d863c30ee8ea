import { withTimeoutAfterThaw } from '../shared/timeout.ts';
import { probeGpu, type ProbedGpu } from './probe-gpu.ts';

/**
 * Milliseconds for the browser to provide a device or say that there is none. Pages wait twice as long for the welcome of
 * an engine, which needs the answer; an engine without a device may still be of use.
 */
const ANSWER_TIME = 10_000;

/** Reports whether this worker can get a GPU device. */
export interface GpuSource {
  /** Returns the first device that was found. If none was found yet, requests one; null if there is none. */
  find(): Promise<{ readonly description: string } | null>;
  /** Whether a device was found earlier but none is available at present. */
  isGone(): Promise<boolean>;
}

/** Requests a GPU device, and remembers the first one found. A browser that does not answer in time has none. */
export class GpuProbe implements GpuSource {
  readonly #probe: () => Promise<ProbedGpu | null>;
  #found: Promise<ProbedGpu | null> | null = null;
  #had = false;
  /** Whether the browser has not answered the last request in time, and has not answered it since. */
  #isSilent = false;

  /** @param probe Requests a device and destroys it. Default: {@link probeGpu}. */
  constructor(probe: () => Promise<ProbedGpu | null> = probeGpu) {
    this.#probe = probe;
  }

  find(): Promise<ProbedGpu | null> {
    this.#found ??= this.#request().then((found) => {
      if (found === null) this.#found = null;
      else this.#had = true;
      return found;
    });
    return this.#found;
  }

  async isGone(): Promise<boolean> {
    return this.#had && (await this.#request()) === null;
  }

  async #request(): Promise<ProbedGpu | null> {
    // It would wait for the same answer again.
    if (this.#isSilent) return null;
    let isAnswered = false;
    const answer = this.#probe().finally(() => {
      isAnswered = true;
      this.#isSilent = false;
    });
    const found = await withTimeoutAfterThaw(ANSWER_TIME, answer);
    this.#isSilent = !isAnswered;
    return found;
  }
}
