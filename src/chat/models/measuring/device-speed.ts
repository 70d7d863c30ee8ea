import { withAbort, withTimeout } from '../../../shared/timeout.ts';
import { storeLocally } from '../../storage/store-locally.ts';
import type { DeviceSpeed, MeasureRequest } from './speed-worker.ts';

/**
 * Maximum milliseconds including worker startup and shader compilation. The measurement itself takes less than a
 * second.
 */
const TIME_LIMIT = 4000;

const KEY = 'tabserve-device-speed';

interface Measured {
  readonly gpu: string;
  readonly speed: DeviceSpeed;
}

/** A measurement in memory only: while the temporary chat is shown, or because there was no room. */
let unkept: Measured | null = null;

/**
 * The last measurement on this device; null if there is none.
 * @param gpu Name of the measured GPU; null for any.
 */
export function knownSpeed(gpu: string | null): DeviceSpeed | null {
  try {
    const measured = unkept ?? (JSON.parse(localStorage.getItem(KEY) ?? 'null') as Measured | null);
    return measured?.speed !== undefined && (gpu === null || measured.gpu === gpu) ? measured.speed : null;
  } catch {
    return null;
  }
}

/**
 * Stores a measurement, which replaces the last one.
 * @param isKept Whether it may be written to the device, where the temporary chat writes nothing. Default: true.
 */
export function rememberSpeed(gpu: string, speed: DeviceSpeed, isKept = true): void {
  const measured: Measured = { gpu, speed };
  unkept = isKept && storeLocally(KEY, JSON.stringify(measured)) ? null : measured;
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
