import { afterEach, expect, test, vi } from 'vitest';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('in a frame the page of a hub shows no site and no button, which other sites could hide below a click', async () => {
  const names: string[] = [];
  const makeElement = (name: string): object => {
    names.push(name);
    return { append: () => {}, setAttribute: () => {}, textContent: '' };
  };
  const start = vi.fn<() => void>();
  vi.stubGlobal('navigator', { language: 'en', locks: new MemoryLocks(), gpu: {} });
  vi.stubGlobal('location', { host: 'models.example.org', href: 'https://models.example.org/' });
  vi.stubGlobal('document', {
    querySelector: () => makeElement('main'),
    createElement: makeElement,
    documentElement: {},
  });
  vi.stubGlobal('window', { parent: {} });
  vi.stubGlobal('SharedWorker', start);
  vi.stubGlobal('fetch', start);
  const interval = vi.spyOn(globalThis, 'setInterval').mockReturnValue(0 as never);
  await import('../../../src/page/hub/hub-page.ts');
  expect([names.at(-1), names.includes('button'), start.mock.calls.length, interval.mock.calls.length]).toEqual([
    'a',
    false,
    0,
    0,
  ]);
});
