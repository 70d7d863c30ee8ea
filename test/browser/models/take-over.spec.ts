import { expect, test } from '@playwright/test';
import { localModels } from '../../../src/command-line/local-models.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { openControlled } from '../../support/pages/site-page.ts';
import { serveDist } from '../../support/sites/test-site.ts';

/** SmolLM2, which `npm run model -- smollm2` fetches. It runs on the CPU here. */
const gguf = localModels().filter(({ id }) => id === 'smollm2');

test.use(WITHOUT_GPU);
test.skip(gguf.length === 0, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');

test('an answer whose tab ran the engine and is reloaded goes on in another tab with the same chat', async ({
  context,
}) => {
  test.setTimeout(300_000);
  const site = await serveDist({ gguf });
  try {
    const page = await context.newPage();
    await openControlled(page, site.url);
    const chat = new ChatPage(page);
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'smollm2' });
    await chat.settings({ 'Maximum length': '64' });
    await chat.send('Write a long story about the sea.');
    await chat.growing();
    const second = await context.newPage();
    await openControlled(second, page.url());
    const other = new ChatPage(second);
    await other.growing();
    await page.reload();
    await other.answered();
    for (const tab of [page, second]) await expect(tab.getByText('was interrupted')).toHaveCount(0);
    await expect(other.answers).toHaveCount(1);
    expect((await other.text()).split(/\s+/).length).toBeGreaterThan(25);
    // The reloaded page shows what was stored first, and the rest a moment later.
    await expect.poll(() => chat.answered()).toBe(await other.text());
  } finally {
    await site.close();
  }
});
