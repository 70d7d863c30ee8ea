import { expect, test as withModel, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { openSite, pageStatus } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';

const DATABASES = ['tabserve', 'tabserve-chat'];

/** Lists the models with a key. @returns the status, and the models or the error message. */
function listModels(page: Page, key: string): Promise<{ status: number; models?: string[]; message?: string }> {
  return page.evaluate(async (key) => {
    const response = await fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } });
    const { data, error } = await response.json();
    return { status: response.status, models: data?.map(({ id }: { id: string }) => id), message: error?.message };
  }, key);
}

/** Begins to delete databases to which this page keeps connections open, so that the deletion stays pending. */
function holdUpDeletion(page: Page, databases: readonly string[]): Promise<void> {
  return page.evaluate(async (names) => {
    for (const name of names) await new Promise((resolve) => (indexedDB.open(name).onsuccess = resolve));
    for (const name of names) await new Promise((resolve) => (indexedDB.deleteDatabase(name).onblocked = resolve));
  }, databases);
}

async function expectAnswersWithoutDatabase(page: Page): Promise<void> {
  expect(await listModels(page, 'local')).toMatchObject({ status: 200, models: ['pocket', 'pocket-embed'] });
  expect(await listModels(page, 'ts-made-here')).toMatchObject({
    status: 401,
    message: expect.stringContaining('cannot be read'),
  });
  const chat = new ChatPage(page);
  expect(await chat.ask('How many days has a week?')).toMatch(/\w{3}/);
}

test('a database whose deletion is blocked by another tab prevents no answer, is reported, and is used afterwards', async ({
  page,
  context,
}) => {
  await openSite(page);
  const blocking = await context.newPage();
  await blocking.goto('/test-clients/blank.html');
  await holdUpDeletion(blocking, DATABASES);
  const late = await context.newPage();
  await openSite(late);
  await expectAnswersWithoutDatabase(late);
  const notice = late.getByRole('status').getByText('keeps nothing');
  await expect(notice).toBeVisible();
  await expect.poll(() => pageStatus(late)).toMatchObject({ state: 'ready', keepsNothing: true });
  await blocking.close();
  await expect.poll(async () => Object.keys((await pageStatus(late))!)).not.toContain('keepsNothing');
  await expect.poll(async () => (await listModels(late, 'ts-made-here')).message).not.toContain('cannot be read');
});

test('chats whose database does not open are kept in memory, the page says so, and they are stored once it opens', async ({
  page,
  context,
}) => {
  await openSite(page);
  const blocking = await context.newPage();
  await blocking.goto('/test-clients/blank.html');
  await holdUpDeletion(blocking, ['tabserve-chat']);
  await page.reload();
  const chat = new ChatPage(page);
  expect(await chat.ask('How many days has a week?')).toMatch(/\w{3}/);
  await expect(page.getByRole('status').getByText('keeps nothing')).toBeVisible();
  expect(await pageStatus(page)).not.toHaveProperty('keepsNothing');
  const listed = page.getByRole('navigation').getByText('How many days');
  await expect(listed).toBeVisible();
  await blocking.close();
  await expect(page.getByRole('status').getByText('keeps nothing')).toBeHidden();
  await page.reload();
  await expect(listed).toBeVisible();
  await expect(chat.answers).toHaveCount(1);
});

test('a browser that denies the page its small storages shows the page, which answers', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
        configurable: true,
      });
    }
  });
  await openSite(page);
  const chat = new ChatPage(page);
  expect(await chat.ask('How many days has a week?')).toMatch(/\w{3}/);
  expect(errors).toEqual([]);
});

withModel('a site with a storage quota of zero answers', async ({ page, context }) => {
  await openSite(page);
  const session = await context.newCDPSession(page);
  const origin = new URL(page.url()).origin;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 0 });
  expect(await listModels(page, 'local')).toMatchObject({ status: 200, models: ['pocket', 'pocket-embed'] });
  const chat = new ChatPage(page);
  expect(await chat.ask('How many days has a week?')).toMatch(/\w{3}/);
  await page.reload();
  expect(await new ChatPage(page).ask('How many days has a week?')).toMatch(/\w{3}/);
});
