import { expect, type Page } from '@playwright/test';
import { FILE_DATABASE } from '../../../src/chat/storage/drafts/unsent-file-database.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const NOTES = { name: 'notes.md', parts: ['The dog is called Rex.'] };
const PLAN = { name: 'plan.txt', parts: ['The cat is called Max.'] };

const chips = (page: Page) => page.locator('attachment-tray').getByRole('listitem');
const chip = (page: Page, name: string) => chips(page).filter({ hasText: name });

test('files of unsent questions survive a reload, separately for each chat, until they are sent or removed', async ({
  page,
}) => {
  const chat = await openWithChat(page);
  await dropFiles(page, [NOTES, PLAN, { name: 'empty.txt', parts: [] }]);
  await expect(chip(page, 'notes.md')).toContainText('tokens');
  await expect(chip(page, 'empty.txt')).toContainText('This file is empty.');
  await chat.field.fill('Who is Rex?');
  // Files are stored a moment after the tray shows them.
  for (const part of ['Rex', 'Max', 'This file is empty.']) await expect.poll(() => stored(page)).toContain(part);
  await page.reload();
  await expect(chips(page)).toHaveText([/notes\.md/, /plan\.txt/, /empty\.txt.*This file is empty\./s]);
  await expect(chip(page, 'plan.txt')).toContainText('tokens');
  await expect(chat.field).toHaveValue('Who is Rex?');
  for (const name of ['plan.txt', 'empty.txt']) await page.getByRole('button', { name: `Remove ${name}` }).click();
  await chat.chatInList('An older chat').click();
  await expect(chips(page)).toHaveCount(0);
  await dropFiles(page, [PLAN]);
  await expect(chip(page, 'plan.txt')).toContainText('tokens');
  await expect.poll(() => stored(page)).toContain('Max');
  await page.reload();
  await expect(chips(page)).toHaveText([/plan\.txt/]);
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chips(page)).toHaveText([/notes\.md/]);

  await chat.field.press('Enter');
  await chat.answered();
  await expect(chat.questions.getByText('notes.md')).toBeVisible();
  await page.reload();
  await expect(chat.questions.getByText('notes.md')).toBeVisible();
  await expect(chips(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.chatInList('An older chat').click();
  await expect(chips(page)).toHaveText([/plan\.txt/]);
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText('Files that wait for the next question of a chat')).toBeVisible();
});

test('a file that one of two tabs sends disappears from the other, and one added meanwhile stays', async ({
  page,
  context,
}) => {
  const chat = await openWithChat(page, '/#/chat/c');
  await dropFiles(page, [NOTES]);
  await expect.poll(() => stored(page)).toContain('Rex');
  const other = await openWithChat(await context.newPage(), '/#/chat/c');
  await expect(chips(other.page)).toHaveText([/notes\.md/]);
  await dropFiles(other.page, [PLAN]);
  await expect(chip(other.page, 'plan.txt')).toContainText('tokens');
  await expect.poll(() => stored(other.page)).toContain('Max');
  await page.bringToFront();
  await chat.send('Who is Rex?');
  await chat.answered();
  await expect(chat.questions.last().getByText('notes.md')).toBeVisible();
  await expect(chips(other.page)).toHaveText([/plan\.txt/]);
  await other.page.reload();
  await expect(chips(other.page)).toHaveText([/plan\.txt/]);
  await page.reload();
  await expect(chips(page)).toHaveText([/plan\.txt/]);
});

test('a file that was still being read when the page was left is read by the next page @firefox', async ({ page }) => {
  const chat = await openWithChat(page);
  await page.evaluate(() => (Blob.prototype.arrayBuffer = () => new Promise(() => {})));
  await dropFiles(page, [NOTES]);
  await expect(chip(page, 'notes.md')).toContainText('reading');
  await expect.poll(() => stored(page)).toContain('notes.md');
  await page.reload();
  await expect(chip(page, 'notes.md')).toContainText('tokens');
  await expect.poll(() => stored(page)).toContain('Rex');
  await chat.send('Who is Rex?');
  await chat.answered();
  await expect(chat.questions.getByText('notes.md')).toBeVisible();
});

test('a file that does not fit into storage says so, and is still sent and kept with its question', async ({
  page,
}) => {
  const chat = await openWithChat(page);
  await dropFiles(page, [PLAN]);
  await expect(chip(page, 'plan.txt')).toContainText('tokens');
  await expect.poll(() => stored(page)).toContain('Max');
  await page.evaluate((name) => {
    const real = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...entry) {
      if (this.transaction.db.name === name) throw new DOMException('No room left.', 'QuotaExceededError');
      return real.apply(this, entry);
    };
  }, FILE_DATABASE);
  await dropFiles(page, [NOTES]);
  const words = page.getByText('This browser cannot keep this file');
  await expect(words).toBeVisible();
  await expect(chip(page, 'notes.md').filter({ has: words })).toContainText('tokens');
  await chat.send('Who is Rex?');
  await chat.answered();
  await expect(chat.questions.getByText('notes.md')).toBeVisible();
  await expect(words).toHaveCount(0);
  await page.reload();
  await expect(chat.questions.getByText('notes.md')).toBeVisible();
  await expect(chips(page)).toHaveCount(0);
});

test('stored files that cannot be read are reported, do not block sending, and return once they are readable', async ({
  page,
}) => {
  const chat = await openWithChat(page);
  await dropFiles(page, [NOTES]);
  await expect.poll(() => stored(page)).toContain('Rex');
  await page.addInitScript((name) => {
    const real = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...database) {
      if (database[0] === name && sessionStorage.getItem('fails') !== null)
        throw new DOMException('Broken.', 'DataError');
      return real.apply(this, database);
    };
  }, FILE_DATABASE);
  await page.evaluate(() => sessionStorage.setItem('fails', ''));
  await page.reload();
  await expect(page.getByText('The files attached here cannot be read right now.')).toBeVisible();
  await page.evaluate(() => sessionStorage.removeItem('fails'));
  await page.reload();
  await expect(chips(page)).toHaveText([/notes\.md/]);
  await page.evaluate(() => sessionStorage.setItem('fails', ''));
  await page.reload();
  await expect(page.getByText('The files attached here cannot be read right now.')).toBeVisible();
  await chat.send('Who is Max?');
  await chat.answered();
  await expect(chat.questions).toHaveCount(1);
});

test('deleting a chat removes its unsent files, and undoing restores them', async ({ page }) => {
  const chat = await openWithChat(page, '/#/chat/c');
  await dropFiles(page, [NOTES]);
  await expect.poll(() => stored(page)).toContain('Rex');
  // The files must be found even if the chat was not opened since the page was loaded.
  await page.goto('/#/models');
  await page.reload();
  await chat.fromMenu('An older chat', 'Delete');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.poll(() => stored(page)).toBe('[]{}');
  await page.getByRole('button', { name: 'Undo' }).click();
  await chat.chatInList('An older chat').click();
  await expect(chip(page, 'notes.md')).toContainText('tokens');
  await page.reload();
  await expect(chips(page)).toHaveText([/notes\.md/]);
});

/** Opens a page with one chat, whose answers are short. */
async function openWithChat(page: Page, path = '/'): Promise<ChatPage> {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  const file = conversationFile([
    {
      conversation: sampleConversation({ id: 'c', title: 'An older chat', leaf: 'a' }),
      messages: [
        sampleQuestion({ id: 'q', conversation: 'c' }),
        sampleAnswer({ id: 'a', conversation: 'c', parent: 'q' }),
      ],
    },
  ]);
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(chat.chatInList('An older chat')).toBeVisible();
  await page.goto(path);
  return chat;
}

/** Returns all stored files as one text; empty if the database does not exist, because opening would create it. */
function stored(page: Page): Promise<string> {
  return page.evaluate(async (name) => {
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return '';
    return new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('error', () => reject(opening.error!));
      opening.addEventListener('success', () => {
        const { result } = opening;
        const all = result.transaction('files').objectStore('files').getAll();
        all.addEventListener('success', () => {
          result.close();
          const marks = Object.entries(localStorage).filter(([key]) => key.startsWith('tabserve-files'));
          resolve(JSON.stringify(all.result) + JSON.stringify(Object.fromEntries(marks)));
        });
      });
    });
  }, FILE_DATABASE);
}
