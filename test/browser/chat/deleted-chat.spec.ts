import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { storedText } from '../../support/pages/stored-drafts.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Deletes all chats without telling the page, as when the site's data are cleared while it is open. */
async function deleteChats(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('tabserve-chat');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const { result } = opening;
          const deletion = result.transaction(['conversations', 'messages'], 'readwrite');
          for (const name of ['conversations', 'messages']) deletion.objectStore(name).clear();
          deletion.addEventListener('complete', () => {
            result.close();
            resolve();
          });
        });
      }),
  );
}

for (const { what, ask } of [
  { what: 'A question', ask: (chat: ChatPage) => chat.send('And the dog?') },
  {
    what: 'An edited question',
    ask: async (chat: ChatPage) => {
      await chat.questions.hover();
      await chat.page.getByRole('button', { name: 'Edit the question' }).click();
      const editor = chat.page.getByRole('textbox', { name: 'Edit your question' });
      await editor.fill('And the dog?');
      await editor.press('Enter');
    },
  },
]) {
  test(`${what} in a chat that was deleted meanwhile is in the field, and is asked in a new chat @firefox`, async ({
    page,
  }) => {
    await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
    const chat = await ChatPage.open(page);
    await chat.send('How is the cat?');
    await chat.answered();
    await deleteChats(page);
    await ask(chat);
    await expect(page.getByText('This chat was deleted meanwhile, so the question was not sent.')).toBeVisible();
    await expect(chat.field).toHaveValue('And the dog?');
    await chat.field.press('Enter');
    await chat.answered();
    await expect(chat.questions).toHaveText([/And the dog\?/]);
  });
}

/** Opens the page, and asks the first question of a chat. */
async function askedChat(page: Page): Promise<ChatPage> {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.send('How is the cat?');
  await chat.answered();
  return chat;
}

test('the text of a chat that another tab deletes stays in the field, is that of a new chat, and not left @firefox', async ({
  page,
  context,
}) => {
  test.setTimeout(90_000);
  const chat = await askedChat(page);
  const id = new URL(page.url()).hash.split('/').at(-1)!;
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.questions).toHaveCount(1);
  await other.field.fill('Typed before');
  await expect.poll(() => storedText(page)).toContain('Typed before');

  await page.bringToFront();
  await chat.fromMenu('How is the cat?', 'Delete');
  await expect(chat.questions).toHaveCount(0);
  await other.page.bringToFront();
  await expect(other.page.getByText('It may have been deleted')).toBeVisible();
  await expect(other.field).toHaveValue('Typed before');
  await other.field.pressSequentially(', and later');
  await dropFiles(other.page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await expect(other.page.locator('attachment-tray')).toContainText('tokens');
  await expect.poll(() => storedText(page)).toContain('Typed before, and later');
  expect(await storedText(page)).not.toContain(`"owner":"${id}"`);
  await other.page.reload();
  await expect(other.field).toHaveValue('Typed before, and later');
  await expect(other.page.locator('attachment-tray')).toContainText('notes.txt');
  await other.field.press('Enter');
  await expect(other.questions).toHaveText([/Typed before, and later/]);
});

test('what a killed deletion left is gone after the next start, and not shown where the chat was @firefox', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const chat = await askedChat(page);
  const address = page.url();
  const id = new URL(address).hash.split('/').at(-1)!;
  await chat.field.fill('Secret');
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await expect(page.locator('attachment-tray')).toContainText('tokens');
  await expect.poll(() => storedText(page)).toContain('Secret');
  await page.goto('about:blank');
  await page.goto(new URL('#/', address).href);
  await expect(chat.field).toHaveValue('');
  // Such a deletion has put itself on record, and deleted the chat.
  await deleteChats(page);
  await recordDeletion(page, id);
  await page.reload();
  await expect.poll(() => storedText(page), { timeout: 30_000 }).not.toContain('Secret');
  await expect.poll(() => storedFiles(page)).toBe(0);
  await expect(chat.field).toHaveValue('');
});

test('what was written in a chat that is gone without a deletion is in the field of a new chat @firefox', async ({
  page,
}) => {
  const chat = await askedChat(page);
  await deleteChats(page);
  await chat.field.fill('Typed later');
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await expect(page.locator('attachment-tray')).toContainText('tokens');
  await expect.poll(() => storedText(page)).toContain('Typed later');
  await page.reload();
  await expect(page.getByText('It may have been deleted')).toBeVisible();
  await expect(chat.field).toHaveValue('Typed later');
  await expect(page.locator('attachment-tray')).toContainText('notes.txt');
  await page.goto(new URL('#/', page.url()).href);
  await expect(chat.field).toHaveValue('Typed later');
  await expect(page.locator('attachment-tray')).toContainText('notes.txt');
});

/** Records a deletion that has taken place some minutes ago. */
function recordDeletion(page: Page, id: string): Promise<void> {
  return page.evaluate(
    (id) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('tabserve-drafts');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const { result } = opening;
          const writing = result.transaction('texts', 'readwrite');
          writing.objectStore('texts').put({ owner: 'deleted', tab: id, text: id, changed: Date.now() - 300_000 });
          writing.addEventListener('complete', () => {
            result.close();
            resolve();
          });
        });
      }),
    id,
  );
}

/** Returns the number of stored files that have not been sent. */
function storedFiles(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('tabserve-files');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const { result } = opening;
          const counting = result.transaction('files').objectStore('files').count();
          counting.addEventListener('success', () => {
            result.close();
            resolve(counting.result);
          });
        });
      }),
  );
}
