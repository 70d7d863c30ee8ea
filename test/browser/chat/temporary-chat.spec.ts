import { expect, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { listAnotherModel } from '../../support/pages/chat-with-two-models.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { everythingStored } from '../../support/pages/everything-stored.ts';
import { scriptCalls } from '../../support/samples/scripted-calls.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/pages/shared-context.ts';

test('a temporary chat answers, says that it is temporary, leaves every storage unchanged, and is gone after a reload @firefox @core', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  // The place is there before the entries are counted: any other page of the site may measure the speed and store it later.
  await page.evaluate(() => localStorage.setItem('tabserve-device-speed', '{}'));
  // Loads the files that the first chat of any kind loads and caches, before the storage is compared.
  await chat.ask('What is 2 + 3?');
  await page.keyboard.press('Control+Alt+KeyP');
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toContainText(
    'This page stores nothing of it',
  );
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
  // A new chat would be stored, so it is not offered.
  await page.getByRole('button', { name: /Make room/ }).click();
  await expect(chat.dialog.getByRole('button', { name: 'without the first messages' })).toBeVisible();
  await expect(chat.dialog.getByRole('button', { name: 'In a new chat' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await everythingStored(page)).toBe(before);

  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText(/^Each place has as many entries as when it began/)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'tabserve-chat · messages' })).toContainText('2');

  // The temporary chat survives a visit to another screen.
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.questions).toHaveText(/What is the capital of France\?/);
  await expect(chat.field).toHaveValue('A draft');
  await expect(chip).toBeVisible();
  // The Privacy screen has created the database of stored answers, which is empty.
  expect(await everythingStored(page)).not.toContain('France');

  await page.reload();
  await siteReady(page);
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toBeVisible();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
});

test('a temporary chat is ended by its button, and answers without network @firefox', async ({ page, context }) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await context.setOffline(true);
  await chat.ask('What is 2 + 3?');
  await context.setOffline(false);
  await expect(chat.answers).toHaveCount(1);
  await chat.field.fill('A draft');
  // It asks before anything is lost.
  await page.getByRole('button', { name: 'End now' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(chat.field).toHaveValue('A draft');
  await chat.endTemporary();
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
});

test('the button that reloads after a screen could not be loaded asks before it ends a temporary chat @firefox', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await chat.ask('What is 2 + 3?');
  await damageScript(page, 'developers-view');
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(chat.dialog).toContainText('End the temporary chat?');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.questions).toHaveText(/What is 2 \+ 3\?/);
});

/** Replaces a script of the site in the service worker's caches by one that fails. */
function damageScript(page: Page, name: string): Promise<void> {
  return page.evaluate(async (name) => {
    for (const key of await caches.keys()) {
      const cache = await caches.open(key);
      for (const request of await cache.keys()) {
        if (!request.url.includes(name)) continue;
        const headers = { 'content-type': 'text/javascript' };
        await cache.put(request, new Response('throw new Error();', { headers }));
      }
    }
  }, name);
}

test('tools, presets and comparisons of a temporary chat leave every storage unchanged', async ({ page }) => {
  const asked = await scriptCalls(
    page,
    { name: 'calculate', argument: 'expression', value: '6 * 7' },
    { name: 'current_time' },
    { name: 'search_chats', argument: 'words', value: 'harbour' },
    { name: 'run_javascript', argument: 'program', value: '6 * 8' },
  );
  await listAnotherModel(page);
  const chat = await ChatPage.open(page);
  await chat.ask('Which harbour is the largest?');
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toBeVisible();
  const before = await everythingStored(page);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await chat.dialog.getByRole('combobox', { name: 'Preset' }).selectOption('Helps with code');
  await chat.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  for (const tool of ['Calculator', 'Date and time', 'Search in my chats', 'JavaScript']) await chat.useTool(tool);
  await chat.send('A question that nobody keeps');
  for (const tool of ['Calculator', 'Date and time', 'Search in my chats', 'JavaScript']) {
    const call = chat.calls.getByRole('listitem').filter({ hasText: tool });
    await call.getByRole('button', { name: 'Always in this chat' }).click();
    await expect(call).toContainText('done');
  }
  // The tool searches only stored chats.
  await expect(chat.calls).toContainText('Which harbour is the largest?');
  await chat.answered();
  expect(await chat.text()).toContain('48');
  await chat.answers.first().getByRole('combobox', { name: 'Ask another model too' }).selectOption('other');
  await expect(chat.answers).toHaveCount(2);
  await chat.answered();
  await expect(chat.calls.nth(1).getByText('done')).toHaveCount(4);
  await chat.answers.nth(1).getByRole('button', { name: 'Go on with this answer' }).click();
  await chat.field.fill('A draft');
  expect((await asked()).at(-1)?.tools).toHaveLength(4);
  expect(await everythingStored(page)).toBe(before);

  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await expect(chat.answers).toHaveCount(2);
  await chat.endTemporary();
  expect(await everythingStored(page)).toBe(before);
});

test('an unfinished edit of a question of a temporary chat survives a visit to another screen, and ends with the chat', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await chat.ask('Why?');
  const before = await everythingStored(page);
  await chat.questions.hover();
  await chat.questions.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('textbox', { name: 'Edit your question' });
  await edit.fill('A longer question');
  for (const isSent of [false, true]) {
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await expect(edit).toHaveCount(0);
    await page.getByRole('link', { name: 'Temporary chat' }).click();
    if (isSent) break;
    await expect(edit).toHaveValue('A longer question');
    expect(await everythingStored(page)).toBe(before);
    await edit.press('Enter');
    await chat.answered();
  }
  // What was sent is no unfinished edit, neither here nor in the former version.
  await expect(chat.questions).toContainText('A longer question');
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.questions).toContainText('Why?');
  await expect(edit).toHaveCount(0);
  await chat.endTemporary();
});

test('before a reload for another language or a newer build, the page asks about ending the temporary chat', async ({
  page,
}) => {
  await scriptCalls(page);
  const chat = await ChatPage.open(page);
  // Makes the next page find a newer build waiting.
  await page.addInitScript(() => {
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'waiting', {
      get(this: ServiceWorkerRegistration) {
        return this.active;
      },
    });
  });
  await page.reload();
  await siteReady(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await chat.ask('Only here?');
  const question = page.getByRole('dialog', { name: 'End the temporary chat?' });
  await chat.fromSettings('Language: Deutsch');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await page.evaluate(() => {
    const { tabserve } = document.querySelector<HTMLElement & { readonly tabserve: Tabserve & EventTarget }>(
      'chat-app',
    )!;
    tabserve.applyUpdate = async () => location.reload();
  });
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(question).toBeVisible();
  await expect(chat.questions).toHaveText('Only here?');
  await chat.dialog.getByRole('button', { name: 'End it and reload' }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect(page.getByRole('complementary', { name: 'Temporary chat' })).toBeVisible();
});
