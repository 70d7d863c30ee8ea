import { afterEach, expect, test, vi } from 'vitest';
import { askForHub } from '../../../src/page/engine/ask-for-hub.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([true, false])(
  'a page that ends waits for no answer to the question (the frame has loaded: %s)',
  async (loads) => {
    const ports: MessagePort[] = [];
    let isRemoved = false;
    const frame = Object.assign(new EventTarget(), {
      style: {},
      contentWindow: { postMessage: (_: unknown, __: string, [port]: [MessagePort]) => ports.push(port) },
      remove: () => (isRemoved = true),
    });
    vi.stubGlobal('document', { createElement: () => frame });
    const place = { append: () => loads && queueMicrotask(() => frame.dispatchEvent(new Event('load'))) };
    const end = new AbortController();
    const asked = askForHub(new URL('https://hub.test/'), place as never, end.signal);
    const late = new Promise((resolve) => setTimeout(resolve, 2000, 'waits'));
    setTimeout(() => end.abort(), 20);
    expect([await Promise.race([asked, late]), isRemoved]).toEqual([false, true]);
    for (const port of ports) port.close();
  },
);
