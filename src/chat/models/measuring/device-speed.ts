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
  /** Set once two measurements have agreed. Default: false. */
  readonly isSettled?: boolean;
}

/** By what share of the faster one two measurements that agree may differ. */
const TOLERANCE = 0.2;

/** A measurement in memory only: while the temporary chat is shown, or because there was no room. */
let unkept: Measured | null = null;

/**
 * The speed of this device as measured so far; null if it has not been measured.
 * @param gpu Name of the measured GPU; null for any.
 */
export function knownSpeed(gpu: string | null): DeviceSpeed | null {
  const measured = known();
  return measured !== null && (gpu === null || measured.gpu === gpu) ? measured.speed : null;
}

/** Whether two measurements have agreed, so that no further one is needed. */
export function isSettled(): boolean {
  return known()?.isSettled === true;
}

/**
 * Stores a measurement. Of several on one GPU the fastest counts, because other programs only ever slow one down.
 * @param isKept Whether it may be written to the device, where the temporary chat writes nothing. Default: true.
 */
export function rememberSpeed(gpu: string, speed: DeviceSpeed, isKept = true): void {
  const before = knownSpeed(gpu);
  const measured: Measured = {
    gpu,
    speed: before === null ? speed : fasterOf(before, speed),
    isSettled: before !== null && agree(before, speed),
  };
  unkept = isKept && storeLocally(KEY, JSON.stringify(measured)) ? null : measured;
}

function known(): Measured | null {
  try {
    const measured = unkept ?? (JSON.parse(localStorage.getItem(KEY) ?? 'null') as Measured | null);
    return measured?.speed === undefined ? null : measured;
  } catch {
    return null;
  }
}

function fasterOf(one: DeviceSpeed, other: DeviceSpeed): DeviceSpeed {
  const graphics = [one, other]
    .flatMap((speed) => speed.graphics ?? [])
    .toSorted((a, b) => b.bytesPerSecond - a.bytesPerSecond);
  return {
    weightsPerSecond: Math.max(one.weightsPerSecond, other.weightsPerSecond),
    graphics: graphics[0] ?? null,
  };
}

/** Whether two measurements differ by so little that neither was disturbed. */
function agree(one: DeviceSpeed, other: DeviceSpeed): boolean {
  const pairs = [
    [one.weightsPerSecond, other.weightsPerSecond],
    [one.graphics?.bytesPerSecond ?? 0, other.graphics?.bytesPerSecond ?? 0],
  ] as const;
  return pairs.every((pair) => Math.min(...pair) >= Math.max(...pair) * (1 - TOLERANCE));
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
