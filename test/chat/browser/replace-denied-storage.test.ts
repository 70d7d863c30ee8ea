import { afterEach, expect, test, vi } from 'vitest';
import { replaceDeniedStorage } from '../../../src/chat/browser/replace-denied-storage.ts';

afterEach(() => vi.unstubAllGlobals());

/** Defines both storages by a getter, as browsers do. */
function stubStorages(get: () => unknown): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    vi.stubGlobal(name, undefined);
    Object.defineProperty(globalThis, name, { get, configurable: true });
  }
}

test.each([
  [
    'throw',
    () => {
      throw new DOMException('Denied.', 'SecurityError');
    },
  ],
  ['are null', () => null],
  ['are missing', () => undefined],
])('storages that %s are replaced by ones in memory', (_, get) => {
  stubStorages(get);
  replaceDeniedStorage();
  for (const storage of [localStorage, sessionStorage]) {
    expect(storage.getItem('a')).toBeNull();
    storage.setItem('a', '1');
    storage.setItem('b', '2');
    expect([storage.length, storage.key(1), storage.key(2), storage.getItem('a')]).toEqual([2, 'b', null, '1']);
    storage.removeItem('a');
    expect(storage.getItem('a')).toBeNull();
    storage.clear();
    expect(storage.length).toBe(0);
  }
});

test('storages that work stay', () => {
  const storage = { length: 0 };
  stubStorages(() => storage);
  replaceDeniedStorage();
  expect([localStorage, sessionStorage]).toEqual([storage, storage]);
  expect(localStorage).toBe(storage);
});

/** Called as a constructor, like the browser's `BroadcastChannel`. */
function DeniedChannel() {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}

test('a channel to other tabs that is denied is replaced by a silent one, and one that works stays', () => {
  stubStorages(() => ({ length: 0 }));
  const { BroadcastChannel: real } = globalThis;
  replaceDeniedStorage();
  expect(BroadcastChannel).toBe(real);
  vi.stubGlobal('BroadcastChannel', DeniedChannel);
  replaceDeniedStorage();
  const channel = new BroadcastChannel('chats');
  channel.addEventListener('message', () => {});
  expect(() => channel.postMessage('changed')).not.toThrow();
  channel.close();
});
