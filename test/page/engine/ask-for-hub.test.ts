import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askForHub } from '../../../src/page/engine/ask-for-hub.ts';

const HUB = new URL('https://hub.test/');

let ports: MessagePort[];
let isRemoved: boolean;
/** What the frame does with a hello. */
let answer: (port: MessagePort) => void;
let loads: boolean;

const frame = Object.assign(new EventTarget(), {
  style: {},
  contentWindow: {
    postMessage: (_: unknown, __: string, [port]: [MessagePort]) => {
      ports.push(port);
      answer(port);
    },
  },
  remove: () => (isRemoved = true),
});
const place = { append: () => loads && queueMicrotask(() => frame.dispatchEvent(new Event('load'))) } as never;

beforeEach(() => {
  ports = [];
  isRemoved = false;
  loads = true;
  answer = (port) => port.postMessage({ type: 'starting' });
  vi.stubGlobal('document', { createElement: () => frame });
});

afterEach(() => {
  for (const port of ports) port.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([true, false])(
  'a page that ends waits for no answer to the question (the frame has loaded: %s)',
  async (isLoading) => {
    loads = isLoading;
    const end = new AbortController();
    const asked = askForHub(HUB, place, end.signal);
    const late = new Promise((resolve) => setTimeout(resolve, 2000, 'waits'));
    setTimeout(() => end.abort(), 20);
    expect([await Promise.race([asked, late]), isRemoved]).toEqual([false, true]);
  },
);

test('a page that has ended asks nothing', async () => {
  expect(await askForHub(HUB, place, AbortSignal.abort())).toBe(false);
  expect(ports).toEqual([]);
});

test.each([
  ['does not load', false, 8000],
  ['says nothing, such as a page that the browser shows in its place', true, 5000],
])('a frame that %s is removed, and the question is over', async (_, isLoading, time) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  loads = isLoading;
  answer = () => {};
  const asked = askForHub(HUB, place, new AbortController().signal);
  for (let step = 0; step < 5; step++) await vi.advanceTimersByTimeAsync(time);
  expect([await asked, isRemoved]).toEqual([false, true]);
});

test('a frame that the page removes while the person is asked ends the question', async () => {
  const asked = askForHub(HUB, place, new AbortController().signal);
  await vi.waitFor(() => expect(ports).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  // As the browser does with the ports of a document that is gone.
  ports[0]!.close();
  const late = new Promise((resolve) => setTimeout(resolve, 2000, 'waits'));
  expect(await Promise.race([asked, late])).toBe(false);
});

test('the person may take any time, and a hostile reply allows nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const settled = vi.fn<(isAllowed: boolean) => void>();
  const asked = askForHub(HUB, place, new AbortController().signal);
  void asked.then(settled);
  for (let step = 0; step < 10; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect([settled.mock.calls, isRemoved]).toEqual([[], false]);
  ports[0]!.postMessage(null);
  expect([await asked, isRemoved]).toEqual([false, false]);
});
