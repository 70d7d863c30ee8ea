import { expect, test, type Page } from '@playwright/test';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import type { Tabserve } from '../../../src/page/index.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';

// No model is needed: the tokenizer is scripted.
test.use({ ...WITHOUT_GPU, serviceWorkers: 'block' });

interface ScriptedTokenizer {
  /** Whether the model is loaded before the first count, not by it. */
  readonly isLoaded: boolean;
  /** Whether it never answers. */
  readonly hangs: boolean;
}

/** Opens the page with a tokenizer that takes some time and counts each character as a token. */
async function openPage(page: Page, script: ScriptedTokenizer): Promise<ChatPage> {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(({ isLoaded, hangs }) => {
    const { tabserve } = document.querySelector<HTMLElement & { tabserve: Tabserve & EventTarget }>('chat-app')!;
    const load = () => {
      Object.defineProperty(tabserve, 'status', { value: { state: 'ready', model: 'pocket' } });
      tabserve.dispatchEvent(new Event('statuschange'));
    };
    let loading: (() => void) | null = load;
    const count = async (_name: string, { input }: { readonly input: { readonly text: string } }) => {
      await new Promise((resolve) => (hangs ? undefined : setTimeout(resolve, 300)));
      loading?.();
      loading = null;
      return { tokens: { length: input.text.length } };
    };
    Object.defineProperty(tabserve, 'call', { value: count });
    if (!isLoaded) return;
    loading = null;
    load();
  }, script);
  return new ChatPage(page);
}

const SHORT = { name: 'short.txt', parts: ['A short one. '], times: 77 };
const LONG = { name: 'long.txt', parts: ['A long file. '], times: 4000 };

test('short files are counted before a long one is cut to the room that they leave', async ({ page }) => {
  const chat = await openPage(page, { isLoaded: false, hangs: false });
  await dropFiles(page, [LONG, SHORT]);
  await page.getByRole('combobox', { name: 'What is given of long.txt' }).selectOption('its beginning');
  await chat.send('Why?');
  const sent = chat.questions.locator('pre');
  await expect(sent).toHaveCount(2);
  const [long = 0, short = 0] = await sent.evaluateAll((texts) => texts.map(({ textContent }) => textContent.length));
  // Half of the usual context window of 4,096 tokens is for files.
  expect(short).toBe(1001);
  expect(long).toBeLessThanOrEqual(2048 - short);
  expect(long).toBeGreaterThan(900);
});

for (const { what, file, isLoaded } of [
  { what: 'a long file, with a model that does not load', file: LONG, isLoaded: false },
  { what: 'a long file, with a model that hangs', file: LONG, isLoaded: true },
  { what: 'a short file, with a model that hangs', file: SHORT, isLoaded: true },
])
  test(`a question waits only some seconds for the count of ${what}`, async ({ page }) => {
    const chat = await openPage(page, { isLoaded, hangs: true });
    await dropFiles(page, [file]);
    await expect(page.locator('attachment-tray li')).toHaveCount(1);
    await chat.send('Why?');
    await expect(chat.questions).toHaveText([new RegExp(`${file.name}[^]*Why\\?`)]);
    // Half of the usual context window is for files, and a token is estimated as three characters.
    const sent = (await chat.questions.locator('pre').textContent()) ?? '';
    expect(sent.length).toBeGreaterThan(900);
    expect(sent.length).toBeLessThanOrEqual(2048 * 3);
  });
