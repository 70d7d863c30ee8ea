import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { provideEnginePort } from '../../../src/page/engine/provide-engine-port.ts';
import type { ConnectEngineReply } from '../../../src/shared/messaging/messages.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets time pass and delivers messages. */
async function pass(time: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('a page that waits long for its engine tells the service worker so, until it replies', async () => {
  const serviceWorker = Object.assign(new EventTarget(), { startMessages: () => {} });
  vi.stubGlobal('navigator', { serviceWorker });
  const page = new AbortController();
  let find!: () => void;
  provideEnginePort(() => new Promise((resolve) => (find = () => resolve(null))), page.signal);
  const { port1, port2 } = new MessageChannel();
  const replies: ConnectEngineReply['type'][] = [];
  port1.addEventListener('message', ({ data }: MessageEvent<ConnectEngineReply>) => replies.push(data.type));
  port1.start();
  const data = { type: 'tabserve/connect-engine', requestId: '' };
  serviceWorker.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2] }));
  await pass(35_000);
  expect(replies).toEqual(['starting', 'starting', 'starting']);
  find();
  await pass(35_000);
  expect(replies).toEqual(['starting', 'starting', 'starting', 'not-host']);
  page.abort();
  port1.close();
});
