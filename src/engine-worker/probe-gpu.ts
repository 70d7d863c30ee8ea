import type { GraphicsDevice } from './models/device-fit.ts';

/** A graphics device that this worker can get. */
export interface ProbedGpu extends GraphicsDevice {
  /** The adapter in a few words. */
  readonly description: string;
}

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

/**
 * Asks for a graphics device, of the adapter that WebLLM would choose, and lets go of it again. That a context
 * knows `navigator.gpu` proves nothing: drivers, block lists and the kind of worker decide.
 * @returns features and limits of the adapter, or null where there is no device.
 */
async function probeGpu(): Promise<ProbedGpu | null> {
  try {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return null;
    const device = await adapter.requestDevice();
    device.destroy();
    const { features, limits, info } = adapter;
    return {
      description: info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'graphics adapter',
      features: new Set(features),
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    };
  } catch {
    return null;
  }
}
