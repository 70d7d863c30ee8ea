import { afterEach, expect, test, vi } from 'vitest';
import { isPersisted, persist } from '../../../src/chat/storage/persistence.ts';

afterEach(() => vi.unstubAllGlobals());

const rejecting = () => Promise.reject(new DOMException('Denied.', 'SecurityError'));
const throwing = () => {
  throw new TypeError('Insecure.');
};

test.each([
  ['agrees', { storage: { persisted: async () => true, persist: async () => true } }, [true, true]],
  ['refuses', { storage: { persisted: async () => false, persist: async () => false } }, [false, false]],
  ['rejects', { storage: { persisted: rejecting, persist: rejecting } }, [undefined, false]],
  ['throws', { storage: { persisted: throwing, persist: throwing } }, [undefined, false]],
  ['has neither method', { storage: {} }, [undefined, false]],
  ['has no storage manager', {}, [undefined, false]],
])('a browser that %s is asked without an error whether it keeps the data', async (_, navigator, expected) => {
  vi.stubGlobal('navigator', navigator);
  expect([await isPersisted(), await persist()]).toEqual(expected);
});
