import { vi } from 'vitest';
import type { EngineHost } from '../../../src/page/engine/engine-host.ts';
import { EngineClientIdentity, EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';

/** Connects a page of its own with the engine of a host. */
export function joinHost(host: EngineHost): Promise<EngineConnection> {
  return host.join((port) =>
    EngineConnection.open(port, new EngineClientIdentity('page'), { site: 'https://site.test/' }, () => {}),
  );
}

/** What becomes of a promise in `time` milliseconds of a clock that stands still otherwise. Messages arrive meanwhile. */
export async function outcome<Value>(promise: Promise<Value>, time: number): Promise<Value | 'pending' | Error> {
  const settled = promise.catch((thrown: Error) => thrown);
  for (let passed = 0; passed < time; passed += 100) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.race([settled, Promise.resolve('pending' as const)]);
}
