import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { dropFiles } from '../support/drop-files.ts';
import { scriptCalls } from '../support/scripted-calls.ts';
import { siteReady } from '../support/site-page.ts';
import { test } from '../support/shared-context.ts';

test('a temporary chat answers, says what it is, leaves every storage as it was, and is gone after a reload @firefox', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  // What is loaded once for all is no part of the chat.
  await chat.ask('What is 2 + 3?');
  await page.keyboard.press('Control+Alt+KeyP');
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toContainText('Nothing of it is written');
  await expect(page.getByRole('link', { name: 'Temporary chat' })).toHaveAttribute('aria-current', 'page');
  const before = await everythingStored(page);
  expect(before).toContain('What is 2 + 3?');

  await chat.field.fill('A word that is only typed');
  await chat.ask('What is the capital of France?');
  await expect(chat.answers).toHaveCount(1);
  expect(await chat.text()).not.toBe('');
  expect(await page.title()).toBe('Temporary chat · Tabserve');
  expect(new URL(page.url()).hash).toBe('#/temporary');
  await expect(chat.chatInList(/France/)).toHaveCount(0);
  await chat.field.fill('A draft');
  await dropFiles(page, [{ name: 'secret.txt', parts: ['Nobody is to read this.'] }]);
  const chip = page.locator('attachment-tray').getByText('secret.txt');
  await expect(chip).toBeVisible();
  // Another chat would be kept.
  await page.getByRole('button', { name: /Continue in a new chat/ }).click();
  await expect(page.getByText('A temporary chat cannot go on in another one')).toBeVisible();
  expect(await everythingStored(page)).toBe(before);

  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText(/^The same [\d,. ]+ entries as when it began/)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'tabserve-chat · messages' })).toContainText('2');

  // Another screen was looked at: it is still there.
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.questions).toHaveText(/What is the capital of France\?/);
  await expect(chat.field).toHaveValue('A draft');
  await expect(chip).toBeVisible();
  // That screen has opened the database of stored answers, which is empty.
  expect(await everythingStored(page)).not.toContain('France');

  await page.reload();
  await siteReady(page);
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toBeVisible();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
});

test('a temporary chat is ended by its button, and answers without a network @firefox', async ({ page, context }) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await context.setOffline(true);
  await chat.ask('What is 2 + 3?');
  await context.setOffline(false);
  await expect(chat.answers).toHaveCount(1);
  await chat.field.fill('A draft');
  await page.getByRole('button', { name: 'End it now' }).click();
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
});

test('in a temporary chat the search finds what is said in the stored chats @firefox', async ({ page }) => {
  const asked = await scriptCalls(page, { name: 'search_chats', argument: 'words' });
  const chat = await ChatPage.open(page);
  await chat.ask('Which harbour is the largest?');
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await chat.useTool('Search in my chats');
  await chat.send('harbour');
  await chat.calls.getByRole('button', { name: 'Allow once' }).click();
  await chat.answered();
  expect((await asked()).at(-1)?.last).toContain('Which harbour is the largest?');
});

/** Everything that this origin stores, as one text: databases, caches and both small storages. */
function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const stored: Record<string, unknown> = { local: { ...localStorage }, session: { ...sessionStorage } };
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error!));
      });
      for (const table of database.objectStoreNames) {
        stored[`${name} ${table}`] = await new Promise((resolve, reject) => {
          const request = database.transaction(table).objectStore(table).getAll();
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(request.error!));
        });
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      stored[`cache ${name}`] = await Promise.all(
        (await cache.keys()).map(async ({ url }) => [url, (await cache.match(url))?.headers.get('content-length')]),
      );
    }
    return JSON.stringify(stored, (_key, value: unknown) => (value instanceof CryptoKey ? 'key' : value));
  });
}
