import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firefox, test as base, expect, type Page } from '@playwright/test';
import { ChatPage } from '../support/pages/chat-page.ts';
import { scriptAnswers } from '../support/samples/scripted-stream.ts';
import { serveForeignSite } from '../support/sites/foreign-site.ts';
import { TESTED_SITE } from '../support/sites/start-command.ts';

/** Milliseconds after which Firefox has looked up the host of a link: it does so within 200 ms. */
const TIME_FOR_LOOKUP = 2000;

/** A page of a Firefox that logs the host names that it looks up, and a function that returns this log. */
const test = base.extend<{ logged: { readonly page: Page; readonly lookups: () => string } }>({
  logged: async ({ launchOptions, channel, baseURL }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tabserve-lookups-'));
    const env = { ...launchOptions.env, MOZ_LOG: 'sync,nsHostResolver:5', MOZ_LOG_FILE: join(folder, 'log') };
    const browser = await firefox.launch({ ...launchOptions, ...(channel && { channel }), env });
    const page = await browser.newPage({ baseURL: baseURL! });
    const lookups = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n');
    await use({ page, lookups });
    await browser.close();
    rmSync(folder, { recursive: true });
  },
});

test('Firefox looks up the host of a link on a page that does not forbid it', async ({ logged: { page, lookups } }) => {
  const foreign = await serveForeignSite('localhost');
  await page.goto(foreign.origin);
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('a'), { href: 'https://secret.example/', text: 'link' }));
  });
  await expect.poll(lookups).toContain('secret.example');
  foreign.close();
});

for (const [name, hasHeaders] of [
  ['with our headers', true],
  ['of a host that sends no headers', false],
] as const) {
  test(`no link of an answer is looked up in the chat page ${name}`, async ({ logged: { page, lookups }, baseURL }) => {
    const careless = hasHeaders ? null : await serveForeignSite('localhost', TESTED_SITE);
    await scriptAnswers(page, { text: 'See [there](https://secret.example/).', pieceLength: 50, interval: 1 });
    const chat = await ChatPage.open(page, `${careless?.origin ?? new URL(baseURL!).origin}/`);
    await chat.send('Where?');
    await expect(page.getByRole('link', { name: 'there' })).toBeVisible();
    await page.waitForTimeout(TIME_FOR_LOOKUP);
    expect(lookups()).not.toContain('secret.example');
    careless?.close();
  });
}
