import { expect, test } from '@playwright/test';
import type { PageStatus } from '../../src/page/index.ts';
import { ANSWER_WITHOUT_GPU, askWithoutGpu } from '../support/pages/ask-without-gpu.ts';
import { WebKitBrowser } from '../support/browsers/webkit-browser.ts';

let browser: WebKitBrowser;
test.beforeEach(async ({ baseURL }) => {
  browser = await WebKitBrowser.launch();
  await browser.goto(baseURL!);
});
test.afterEach(() => browser.close());

test('without WebGPU the page registers its service worker, says what is missing, and so does the endpoint', async () => {
  await expect
    .poll(() =>
      browser.evaluate(() => {
        const app = document.querySelector<HTMLElement & { tabserve?: { status: PageStatus } }>('chat-app');
        return [app?.tabserve?.status, navigator.serviceWorker.controller !== null];
      }),
    )
    .toEqual([expect.objectContaining({ state: 'unsupported', reason: 'no-webgpu' }), true]);
  expect(await browser.evaluate(shownText)).toContain('does not offer WebGPU');
  expect(await browser.evaluate(askWithoutGpu)).toMatchObject(ANSWER_WITHOUT_GPU);
});

for (const { screen, shows } of [
  { screen: 'models', shows: 'Which models can run here shows as soon as' },
  { screen: 'developers', shows: 'No keys of your own yet.' },
  { screen: 'privacy', shows: "default-src 'none'" },
]) {
  test(`without WebGPU the ${screen} screen works`, async ({ baseURL }) => {
    await browser.goto(`${baseURL}#/${screen}`);
    await expect.poll(() => browser.evaluate(shownText)).toContain(shows);
  });
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
