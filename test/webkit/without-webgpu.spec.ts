import { expect, test } from '@playwright/test';
import type { PageStatus } from '../../src/page/index.ts';
import { askPocket, POCKETS_ANSWER } from '../support/pages/ask-pocket.ts';
import { WebKitBrowser } from '../support/browsers/webkit-browser.ts';

/** Milliseconds. llama.cpp loads slowly while another browser's tests run. */
const LOADING_TIME = 240_000;

let browser: WebKitBrowser;
test.beforeEach(async ({ baseURL }) => {
  browser = await WebKitBrowser.launch();
  await browser.goto(baseURL!);
});
test.afterEach(() => browser.close());

test('without WebGPU, JSPI and 64-bit memories Pocket answers on the CPU', async () => {
  test.setTimeout(LOADING_TIME + 60_000);
  await expect
    .poll(() => browser.evaluate(shownStatus), { timeout: LOADING_TIME })
    .toMatchObject({
      state: 'ready',
      model: 'pocket',
      engine: 'llama.cpp; cpu; threads=1',
      message: 'pocket is ready. It runs on the CPU.',
    });
  expect(await browser.evaluate(askPocket)).toEqual(POCKETS_ANSWER);
});

for (const { screen, shows } of [
  { screen: 'models', shows: 'More models' },
  { screen: 'developers', shows: 'You have no keys of your own yet.' },
  { screen: 'privacy', shows: "default-src 'none'" },
]) {
  test(`without WebGPU the ${screen} screen works`, async ({ baseURL }) => {
    await browser.goto(`${baseURL}#/${screen}`);
    await expect.poll(() => browser.evaluate(shownText)).toContain(shows);
  });
}

/** Runs in the page. Returns the page's status of the endpoint. */
function shownStatus(): PageStatus | null {
  const app = document.querySelector<HTMLElement & { tabserve?: { status: PageStatus } }>('chat-app');
  return app?.tabserve?.status ?? null;
}

/** Runs in the page. Returns its text, including shadow roots. */
function shownText(): string {
  const textOf = (node: Node): string => {
    if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return '';
    const shadow = node instanceof Element && node.shadowRoot ? textOf(node.shadowRoot) : '';
    return (
      (node.nodeType === Node.TEXT_NODE ? node.nodeValue : '') + shadow + [...node.childNodes].map(textOf).join('')
    );
  };
  return textOf(document.body);
}
