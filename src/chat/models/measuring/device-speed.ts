import { withAbort, withTimeout } from '../../../shared/timeout.ts';

export interface GraphicsSpeed {
  /** Bytes of weights that it reads in a second. */
  readonly bytesPerSecond: number;
  readonly secondsPerDispatch: number;
  /** Whether llama.cpp can use it: it needs 16-bit numbers there, and JSPI in the browser. */
  readonly runsGguf: boolean;
}

/** What a short measurement on this device has found. */
export interface DeviceSpeed {
  /** Weights that one thread of the processor multiplies in a second. */
  readonly weightsPerSecond: number;
  /** Null if there is no graphics device, or its measurement failed. */
  readonly graphics: GraphicsSpeed | null;
}

export interface MeasureRequest {
  /** Whether the graphics device is measured, too. */
  readonly graphics: boolean;
}

/** Milliseconds with startup and compilation; the measurements themselves take less than a second. */
const TIME_LIMIT = 4000;

const KEY = 'tabserve-device-speed';

interface Measured {
  readonly gpu: string;
  readonly speed: DeviceSpeed;
}

/**
 * The last measurement on this device; null if there is none.
 * @param gpu Name of the graphics device that was measured; null for any.
 */
export function knownSpeed(gpu: string | null): DeviceSpeed | null {
  try {
    const measured = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Measured | null;
    return measured?.speed !== undefined && (gpu === null || measured.gpu === gpu) ? measured.speed : null;
  } catch {
    return null;
  }
}

/** Stores a measurement in place of the last one. */
export function rememberSpeed(gpu: string, speed: DeviceSpeed): void {
  localStorage.setItem(KEY, JSON.stringify({ gpu, speed } satisfies Measured));
}

/**
 * Measures this device in a worker, so that the page stays responsive.
 * @returns Null if the worker fails, takes too long, or `signal` is aborted.
 */
export async function measureSpeed(request: MeasureRequest, signal: AbortSignal): Promise<DeviceSpeed | null> {
  const worker = new Worker(new URL('./speed-worker.ts', import.meta.url), { type: 'module', name: 'speed' });
  const measured = new Promise<DeviceSpeed | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<DeviceSpeed>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
  });
  worker.postMessage(request);
  try {
    return await withTimeout(TIME_LIMIT, withAbort(measured, signal), null);
  } catch {
    return null;
  } finally {
    worker.terminate();
  }
}
