import { expect, type Page } from '@playwright/test';
import { longChatFile } from '../../bench/long-chat.ts';
import { storedText } from '../../support/pages/stored-drafts.ts';
import { CHAT_DATABASE } from '../../../src/chat/storage/chat-database.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

test('double clicks and quick changes of the chat lose no question, send none twice, and stop no answer', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await chat.field.fill(LONG_QUESTION);
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await chat.growing();
  await expect(chat.notice('You stopped this answer.')).toHaveCount(0);
  await page.getByRole('link', { name: 'New chat' }).click();
  await holdDatabase(page, 2000);
  const [first] = await page.getByRole('button', { name: /\?$/ }).all();
  await first!.dispatchEvent('click');
  await first!.dispatchEvent('click');
  await chat.chatInList(LONG_QUESTION).click();
  await expect(chat.questions).toHaveText([LONG_QUESTION]);
  await expect(page.getByRole('navigation', { name: 'Chats' }).getByRole('link')).toHaveCount(2);
  // The question that was stored in the meantime does not replace the chat on the screen.
  await expect(chat.questions).toHaveText([LONG_QUESTION]);
  await page.reload();
  await expect(chat.questions).toHaveText([LONG_QUESTION]);
  await chat.answered();
  await page.goBack();
  await page.goForward();
  await expect(chat.questions).toHaveText([LONG_QUESTION]);
});

test('files and drafts stay with their chat, and a title is cut only between whole characters', async ({ page }) => {
  // Scripted, because the built-in model would answer this question at length.
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  const chip = page.locator('attachment-tray').getByText('notes.txt');
  await expect(chip).toBeVisible();
  const picker = page.locator('conversation-list input[type=file]');
  await picker.setInputFiles(exported([`a${'👩‍🚀'.repeat(40)}`, '', 'שלום '.repeat(2000)]));
  await expect(page.getByText('3 chats imported.')).toBeVisible();
  const links = page.getByRole('navigation', { name: 'Chats' }).getByRole('link');
  await expect(links).toHaveCount(3);
  for (const link of await links.all()) expect((await link.innerText()).trim()).not.toBe('');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await links.first().click();
  await expect(chat.questions).toHaveCount(1);
  await expect(chip).toHaveCount(0);
  // Local storage is nearly full: about 100,000 of its five million characters are free.
  await page.evaluate(() => localStorage.setItem('full', 'x'.repeat(5 * 2 ** 20 - 100_000)));
  const lines = Array.from({ length: 500 }, (_, index) => `Line ${index} ${'x'.repeat(600)}`).join('\n');
  // In parts, because a text of 5,000 characters at once would become a file.
  await chat.field.evaluate((field, text) => {
    for (const part of text.match(/.{1,4000}/gs) ?? []) {
      (field as HTMLTextAreaElement).value += part;
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    }
  }, lines);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'More models' })).toBeVisible();
  // This screen accepts no files. The browser must not open the dropped file in place of the page.
  expect(await dropFiles(page, [{ name: 'lost.txt', parts: ['x'] }])).toBe(false);
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chip).toBeVisible();
  await chat.field.fill(`${'x'.repeat(119)}😀 and on`);
  await chat.field.press('Enter');
  await chat.answered();
  await expect(chip).toHaveCount(0);
  await expect(chat.chatInList(new RegExp(`^x{119}…$`))).toBeVisible();
});

test('two tabs that delete the same chat both keep working, and a question in a deleted chat starts a new one', async ({
  page,
  context,
}) => {
  const chat = await ChatPage.open(page);
  await chat.ask('What is the capital of France?');
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.questions).toHaveCount(1);
  await chat.fromMenu('What is the capital', 'Delete');
  await expect(other.page.getByRole('heading', { name: 'This chat isn’t on this device' })).toBeVisible();
  expect(await other.ask('What is the capital of Italy?')).not.toBe('');
  await expect(other.questions).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.questions).toHaveText(['What is the capital of France?']);
  await expect(other.chatInList('What is the capital')).toHaveCount(2);
  await expect(other.questions).toHaveText(['What is the capital of Italy?']);
});

test('a question that cannot be stored stays in its chat with its files, and so does the text of an edited question', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(exported(['An older chat']));
  // Waits until the chat is imported; otherwise the failure below would also hold up the import.
  await expect(chat.chatInList('An older chat')).toBeVisible();
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  const chip = page.locator('attachment-tray').getByText('notes.txt');
  await expect(chip).toBeVisible();
  await chat.field.fill('Who is Rex?');
  // The write fails only when `now` is called; another chat is shown by then.
  const fail = await page.evaluateHandle(() => {
    const failing = { now: () => {} };
    const late = new Promise<void>((resolve) => (failing.now = resolve));
    const real = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function (...entry) {
      const request = real.apply(this, entry);
      const { transaction } = this;
      const hold = (): void => {
        if (isLate) transaction.abort();
        else this.count().addEventListener('success', hold);
      };
      let isLate = false;
      void late.then(() => (isLate = true));
      request.addEventListener('success', hold);
      return request;
    };
    return failing;
  });
  await chat.field.press('Enter');
  await expect(chip).toHaveCount(0);
  await chat.field.fill('And who is Max?');
  await chat.chatInList('An older chat').click();
  await expect(page).toHaveURL(/chat/);
  await fail.evaluate(({ now }) => now());
  await expect(page.getByText('The chat could not be stored')).toBeVisible();
  await expect(chip).toHaveCount(0);
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.field).toHaveValue('Who is Rex?\n\nAnd who is Max?');
  await expect(chip).toBeVisible();

  await chat.chatInList('An older chat').click();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('No room left.', 'QuotaExceededError');
    };
  });
  const question = chat.questions.first();
  await question.hover();
  await question.getByRole('button', { name: 'Edit the question' }).click();
  const edited = page.getByRole('textbox', { name: 'Edit your question' });
  await edited.fill('Words that took a while');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The chat could not be stored')).toBeVisible();
  await question.hover();
  await question.getByRole('button', { name: 'Edit the question' }).click();
  await expect(edited).toHaveValue('Words that took a while');
});

test('no undo is offered for a chat that another tab has already deleted', async ({ page, context }) => {
  const chat = await ChatPage.open(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(exported(['Not for long']));
  await expect(chat.chatInList('Not for long')).toBeVisible();
  const other = new ChatPage(await context.newPage());
  await other.page.goto('/');
  // This tab does not tell the other one about the deletion.
  await other.page.evaluate(() => (BroadcastChannel.prototype.postMessage = () => {}));
  await other.fromMenu('Not for long', 'Delete');
  await expect(other.page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await chat.fromMenu('Not for long', 'Delete');
  await expect(page.getByText('“Not for long” was deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await other.page.getByRole('button', { name: 'Undo' }).click();
  await expect(other.chatInList('Not for long')).toBeVisible();
});

test('deleting a chat removes its draft and unfinished edits, and undoing restores them', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(longChatFile('c', 'Not for long', 2));
  await chat.chatInList('Not for long').click();
  const kept = () => storedText(page);
  const edited = page.getByRole('textbox', { name: 'Edit your question' });
  await chat.field.fill('A draft of mine');
  await chat.questions.last().hover();
  await chat.questions.last().getByRole('button', { name: 'Edit the question' }).click();
  await edited.fill('Edited words of mine');
  await expect.poll(async () => (await kept()).split('of mine')).toHaveLength(3);
  await chat.fromMenu('Not for long', 'Delete');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.poll(kept).not.toContain('of mine');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.field).toHaveValue('A draft of mine');
  await expect(edited).toHaveValue('Edited words of mine');

  await chat.deleteFrom(chat.questions.first());
  await chat.dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect.poll(async () => (await kept()).split('of mine')).toHaveLength(2);
});

/** Returns an export file of chats with these titles. */
function exported(titles: readonly string[]): { name: string; mimeType: string; buffer: Buffer } {
  const conversations = titles.map((title, index) => ({
    conversation: sampleConversation({ id: `c${index}`, title, updated: 10 - index, leaf: `a${index}` }),
    messages: [
      sampleQuestion({ id: `q${index}`, conversation: `c${index}` }),
      sampleAnswer({ id: `a${index}`, conversation: `c${index}`, parent: `q${index}` }),
    ],
  }));
  return { name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(conversationFile(conversations)) };
}

/** Blocks all other writes to the database of chats for so many milliseconds. */
async function holdDatabase(page: Page, time: number): Promise<void> {
  await page.evaluate(
    ({ name, time }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const store = opening.result
            .transaction(['conversations', 'messages'], 'readwrite')
            .objectStore('conversations');
          const end = performance.now() + time;
          const goOn = () => {
            if (performance.now() < end) store.count().addEventListener('success', goOn);
          };
          goOn();
          resolve();
        });
      }),
    { name: CHAT_DATABASE, time },
  );
}
