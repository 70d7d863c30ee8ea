import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ChatPage, LONG_QUESTION } from '../support/pages/chat-page.ts';
import { copySite } from '../support/sites/copied-site.ts';
import { siteReady } from '../support/pages/site-page.ts';

const EXACT = { Temperature: '0', Seed: '7', 'Maximum length': '24' };

/** Slows the engine's worker to 200 ms per token. In Firefox no debugger can do that. */
const SLOW_ENGINE = `{
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = async function (...parameters) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return mapAsync.apply(this, parameters);
  };
}
`;

test('a reload during an answer loses nothing, and the answer continues to the same end', async ({ page }) => {
  const site = await copySite();
  try {
    const assets = join(site.folder, 'assets');
    const worker = join(
      assets,
      readdirSync(assets).find((name) => name.startsWith('engine-worker-'))!,
    );
    writeFileSync(worker, SLOW_ENGINE + readFileSync(worker, 'utf8'));
    const chat = await ChatPage.open(page, site.url);
    await chat.settings(EXACT);
    const whole = await chat.ask(LONG_QUESTION);
    await page.getByRole('link', { name: 'New chat' }).click();
    await chat.settings(EXACT);
    await chat.send(LONG_QUESTION);
    await chat.growing();
    const before = await chat.text();
    expect(before.length).toBeLessThan(whole.length);
    await page.reload();
    await siteReady(page);
    const kept = await chat.text();
    expect(kept.length).toBeGreaterThan(0);
    expect(whole.startsWith(kept)).toBe(true);
    // If the engine ended with the page, the button continues the answer; otherwise the answer has continued without
    // it.
    const goOn = page.getByRole('button', { name: 'Continue', exact: true });
    const goesOn = async () => {
      if (await goOn.isVisible()) await goOn.click();
      return chat.text();
    };
    await expect.poll(goesOn, { timeout: 60_000 }).toBe(whole);
  } finally {
    await site.close();
  }
});
