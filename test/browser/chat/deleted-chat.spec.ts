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

test('what one tab writes in a chat that another deletes stays while it is shown, and is gone after the last tab is closed @firefox', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.send('How is the cat?');
  await chat.answered();
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.questions).toHaveCount(1);
  await other.field.fill('Typed before');
  await expect.poll(() => storedText(page)).toContain('Typed before');

  await page.bringToFront();
  await chat.fromMenu('How is the cat?', 'Delete');
  await expect(chat.questions).toHaveCount(0);
  expect(await storedText(page)).not.toContain('Typed');
  await other.page.bringToFront();
  await expect(other.field).toHaveValue('Typed before');
  await other.field.fill('Typed later');
  await dropFiles(other.page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await expect(other.page.locator('attachment-tray')).toContainText('tokens');
  await expect.poll(() => storedText(page)).toContain('Typed later');

  // Both pages sweep some time after they are loaded.
  await page.reload();
  await page.waitForTimeout(18_000);
  expect(await storedText(page)).toContain('Typed later');
  await other.page.reload();
  await expect(other.field).toHaveValue('Typed later');
  await expect(other.page.locator('attachment-tray')).toContainText('notes.txt');

  await other.page.close();
  await page.reload();
  await expect.poll(() => storedText(page), { timeout: 40_000 }).not.toContain('Typed');
  await expect.poll(() => storedFiles(page)).toBe(0);
});

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
