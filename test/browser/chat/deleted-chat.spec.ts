import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
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
