import { vi } from 'vitest';
import type { EngineHost } from '../../../src/page/engine/engine-host.ts';
import { EngineClientIdentity, EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';

/** Connects a new page to the engine of a host. */
export function joinHost(host: EngineHost): Promise<EngineConnection> {
  return host.join((port) =>
    EngineConnection.open(port, new EngineClientIdentity('page'), { site: 'https://site.test/' }, () => {}),
  );
}

/**
 * Advances the fake clock by `time` milliseconds, and delivers messages. @returns how the promise has settled, or
 * `pending`.
 */
export async function outcome<Value>(promise: Promise<Value>, time: number): Promise<Value | 'pending' | Error> {
  const settled = promise.catch((thrown: Error) => thrown);
  for (let passed = 0; passed < time; passed += 100) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.race([settled, Promise.resolve('pending' as const)]);
}
