import { expect, test, type Page, type Route } from '@playwright/test';
import { FILE_DATABASE } from '../../../src/chat/storage/drafts/unsent-file-database.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';

// Service workers are blocked, because they would serve from the cache the file that is to be late.
test.use({ serviceWorkers: 'block' });

const NOTES = { name: 'notes.txt', parts: ['The dog is called Rex.'] };

/** Holds the code of the tray back until the returned function is called, as on a slow first visit. */
async function holdTray(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isHeld = true;
  await page.route('**/attachment-tray*', (route) => (isHeld ? void held.push(route) : route.continue()));
  return async () => {
    isHeld = false;
    expect(held).not.toEqual([]);
    for (const route of held) await route.continue();
  };
}

/** Opens the page with one chat in the list, and a new chat on the screen. */
async function openWithChat(page: Page): Promise<ChatPage> {
  const chat = new ChatPage(page);
  const conversation = sampleConversation({ id: 'c', title: 'An older chat', leaf: 'a' });
  const question = sampleQuestion({ id: 'q', conversation: 'c' });
  const answer = sampleAnswer({ id: 'a', conversation: 'c', parent: 'q' });
  const file = conversationFile([{ conversation, messages: [question, answer] }]);
  await page.goto('/');
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(chat.chatInList('An older chat')).toBeVisible();
  return chat;
}

const link = (name: string) => (chat: ChatPage) => chat.page.getByRole('link', { name, exact: true }).click();

const QUESTION = 'Who is it about?';

for (const [where, leave] of [
  ['another chat', (chat: ChatPage) => chat.chatInList('An older chat').click()],
  ['another screen', link('For developers')],
  ['the temporary chat', link('Temporary chat')],
] as const) {
  for (const keys of ['', 'Enter']) {
    test(`a text and its file stay unsent if ${where} is opened while the file is added${keys && ', also after Enter'}`, async ({
      page,
    }) => {
      const chat = await openWithChat(page);
      const release = await holdTray(page);
      await chat.field.fill(QUESTION);
      await dropFiles(page, [NOTES]);
      if (keys !== '') await chat.field.press(keys);
      const before = page.url();
      await leave(chat);
      await expect.poll(() => page.url()).not.toBe(before);
      const address = page.url();
      await release();
      await expect.poll(() => storedFiles(page)).toEqual(['notes.txt']);
      await expect(page.locator('attachment-tray li')).toHaveCount(0);
      expect(page.url()).toBe(address);
      await link('New chat')(chat);
      await expect(chat.field).toHaveValue(QUESTION);
      await expect(page.locator('attachment-tray')).toContainText('notes.txt');
      await chat.field.press('Enter');
      await expect(chat.questions).toHaveText([/notes\.txt[^]*Who is it about\?/]);
    });
  }
}

test('a question with a file is sent while that of another chat waits for its file, which stays unsent', async ({
  page,
}) => {
  const chat = await openWithChat(page);
  const release = await holdTray(page);
  await chat.field.fill(QUESTION);
  await dropFiles(page, [NOTES]);
  await chat.field.press('Enter');
  await chat.chatInList('An older chat').click();
  await expect(chat.questions).toHaveText(['Why?']);
  await chat.field.fill('And this?');
  await dropFiles(page, [{ name: 'other.txt', parts: ['The cat is called Max.'] }]);
  // The second time is a double press.
  for (let press = 0; press < 2; press += 1) await chat.field.press('Enter');
  await release();
  await expect(chat.questions).toHaveText(['Why?', /other\.txt[^]*And this\?/]);
  await expect(page.getByRole('list', { name: 'Queued questions' })).toHaveCount(0);
  await link('New chat')(chat);
  await expect(chat.field).toHaveValue(QUESTION);
  await expect(page.locator('attachment-tray li')).toHaveText([/notes\.txt/]);
});

/** Returns the names of the stored files; none if their database does not exist, because opening would create it. */
function storedFiles(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (name) => {
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return [];
    return new Promise<readonly string[]>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('error', () => reject(opening.error!));
      opening.addEventListener('success', () => {
        const all = opening.result.transaction('files').objectStore('files').getAll();
        all.addEventListener('success', () => {
          opening.result.close();
          resolve((all.result as { name: string }[]).map(({ name }) => name));
        });
      });
    });
  }, FILE_DATABASE);
}
