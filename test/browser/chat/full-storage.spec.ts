import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { storedText } from '../../support/pages/stored-drafts.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Makes writes of the page fail as on a full disk, where {@link fill} says so. */
async function prepareFullStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const full = Object.assign(globalThis, { fullStorages: [] as string[] }).fullStorages;
    for (const name of ['put', 'add'] as const) {
      const write = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function (...values) {
        const [{ role, text }] = values as [{ readonly role?: string; readonly text?: string }];
        const isAnswer = role === 'assistant' && text !== '';
        const isFull = full.includes('IndexedDB') || (isAnswer && full.includes('answers'));
        const { name: database } = this.transaction.db;
        const isChat = isFull && database === 'tabserve-chat';
        if (isChat || (database === 'tabserve-drafts' && full.includes('drafts')))
          throw new DOMException('No room left.', 'QuotaExceededError');
        return write.apply(this, values);
      };
    }
    Storage.prototype.setItem = () => {
      throw new DOMException('No room left.', 'QuotaExceededError');
    };
  });
}

/** @param storages Parts of IndexedDB that have no room left: chats, only the text of their answers, or drafts. */
function fill(page: Page, ...storages: readonly ('IndexedDB' | 'answers' | 'drafts')[]): Promise<void> {
  return page.evaluate((names) => {
    const { fullStorages } = globalThis as unknown as { readonly fullStorages: string[] };
    fullStorages.splice(0, fullStorages.length, ...names);
  }, storages);
}

/** Opens a chat whose first answer grows until it is stopped, with a storage that can be full. */
async function openGrowing(page: Page): Promise<ChatPage> {
  await prepareFullStorage(page);
  await scriptAnswers(page, { text: 'word '.repeat(4000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  return chat;
}

const NOT_STORED = 'This answer could not be stored.';

test('an answer that cannot be stored at its end is shown, told once, asked for once, and stored when there is room @firefox', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/chat/completions')) asked.push(request.url());
  });
  await prepareFullStorage(page);
  const chat = await ChatPage.open(page);
  await fill(page, 'answers');
  await chat.send('Tell me a story about a dog.');
  const text = await chat.answered();
  const notice = page.getByRole('alert').filter({ hasText: NOT_STORED });
  await expect(notice).toBeVisible();
  await expect(chat.notice('The answer was interrupted.')).toHaveCount(0);

  await fill(page, 'IndexedDB');
  // The next question is given back, because it cannot be stored either.
  await chat.send('And then?');
  await expect(page.getByText('so the question was not sent')).toBeVisible();
  await expect(chat.field).toHaveValue('And then?');
  expect(await chat.text()).toBe(text);
  expect(asked).toHaveLength(1);

  await fill(page);
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(chat.answers).toHaveCount(1);
  await expect.poll(() => chat.text()).toBe(text);
  await expect(chat.field).toHaveValue('And then?');
});

test('a question that finds no room in the queue is back in the field, which says that it is not kept @firefox', async ({
  page,
}) => {
  const chat = await openGrowing(page);
  await fill(page, 'drafts');
  await chat.send('And then?');
  await expect(page.getByText('There is no room to keep this question')).toBeVisible();
  await expect(chat.field).toHaveValue('And then?');
  await expect(page.getByText('The browser has no room to keep this text')).toBeVisible();

  // The draft outlives a visit to another screen.
  await page.goto('#/models');
  // Firefox reports no load to `goBack` when only the hash changes.
  await page.evaluate(() => history.back());
  await expect(chat.field).toHaveValue('And then?');

  await fill(page);
  await chat.field.press('End');
  await chat.field.pressSequentially('!');
  await expect(page.getByText('The browser has no room to keep this text')).toBeHidden();
});

test('a queued question whose text finds no room in the field is stored in the queue until it does @firefox', async ({
  page,
}) => {
  const chat = await openGrowing(page);
  await chat.send('And then?');
  const waiting = page.getByRole('list', { name: 'Queued questions' }).getByRole('listitem');
  await expect(waiting).toContainText(['And then?']);
  await fill(page, 'drafts');
  await waiting.getByRole('button', { name: 'Edit' }).click();
  await expect(chat.field).toHaveValue('And then?');
  await expect(page.getByText('The browser has no room to keep this text')).toBeVisible();
  expect(await storedText(page, 'questions')).toContain('And then?');
  await fill(page);
  await expect.poll(() => storedText(page)).toContain('And then?');
  await expect.poll(() => storedText(page, 'questions')).not.toContain('And then?');
});

test('a text of a closed tab that finds no room in the field stays stored until it does @firefox', async ({
  page,
  context,
}) => {
  // Both are open when they type, so that neither takes over the text of the other.
  const closed = [await context.newPage(), await context.newPage()];
  for (const tab of closed) await tab.goto('/');
  for (const [index, text] of ['Text of one tab', 'Text of the other'].entries()) {
    await new ChatPage(closed[index]!).field.fill(text);
    await expect.poll(() => storedText(closed[index]!)).toContain(text);
  }
  for (const tab of closed) await tab.close();
  await prepareFullStorage(page);
  await page.goto('/');
  const chat = new ChatPage(page);
  await expect(chat.field).toHaveValue('Text of the other');
  const offered = page.getByRole('list', { name: 'Not sent, from closed tabs' }).getByRole('listitem');
  await expect(offered).toHaveText(['Text of one tab']);
  await fill(page, 'drafts');
  await offered.getByRole('button', { name: 'Edit' }).click();
  await expect(chat.field).toHaveValue('Text of one tab\n\nText of the other');
  await expect(page.getByText('The browser has no room to keep this text')).toBeVisible();
  expect(await storedText(page)).toContain('"Text of one tab"');
  await fill(page);
  await expect.poll(() => storedText(page)).not.toContain('"Text of one tab"');
  await page.reload();
  await expect(chat.field).toHaveValue('Text of one tab\n\nText of the other');
});

test('text that is typed while the database is full is kept in memory, and stored when there is room @firefox', async ({
  page,
}) => {
  await prepareFullStorage(page);
  await page.goto('/');
  const chat = new ChatPage(page);
  await chat.field.fill('Kept words');
  await expect.poll(() => storedText(page)).toContain('Kept words');
  await fill(page, 'drafts');
  await chat.field.fill('Kept words and others');
  const notice = page.getByText('The browser has no room to keep this text');
  await expect(notice).toBeVisible();
  await page.goto('#/models');
  // Firefox reports no load to `goBack` when only the hash changes.
  await page.evaluate(() => history.back());
  await expect(chat.field).toHaveValue('Kept words and others');
  await expect(notice).toBeVisible();
  await fill(page);
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(chat.field).toHaveValue('Kept words and others');
});

test('writes that the browser ends midway are told as failures of the page, and are no unhandled errors @firefox', async ({
  page,
}) => {
  const unhandled: string[] = [];
  page.on('pageerror', ({ message }) => unhandled.push(message));
  const chat = await ChatPage.open(page);
  await chat.send('What is 3 + 4?');
  await chat.answered();
  await page.evaluate(() => {
    const write = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...values) {
      const request = write.apply(this, values);
      // Not at once, because a browser does not either. What the page has committed already cannot be ended.
      queueMicrotask(() => {
        try {
          this.transaction.abort();
        } catch {}
      });
      return request;
    };
  });
  await chat.send('And then?');
  await expect(page.getByText('so the question was not sent')).toBeVisible();
  await expect(chat.field).toHaveValue('And then?');
  expect(unhandled).toEqual([]);
});

test('a deleted chat for which there is no room can be brought back as soon as there is some @firefox', async ({
  page,
}) => {
  await prepareFullStorage(page);
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.send('How is the cat?');
  await chat.answered();
  await chat.field.fill('And the dog?');
  await expect.poll(() => storedText(page)).toContain('And the dog?');
  await chat.fromMenu('How is the cat?', 'Delete');
  await fill(page, 'IndexedDB');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(page.getByRole('alert')).toContainText('This could not be stored.');
  await expect(page.getByText('“How is the cat?” was deleted.')).toBeVisible();
  await fill(page);
  await undo.click();
  await expect(chat.questions).toHaveText([/How is the cat\?/]);
  await expect(chat.field).toHaveValue('And the dog?');
  await expect(undo).toBeHidden();
});

for (const kind of ['a chat', 'a new chat'] as const)
  test(`settings of ${kind} for which there is no room stay in their dialog, which says so, until they are stored @firefox`, async ({
    page,
  }) => {
    await prepareFullStorage(page);
    await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
    const chat = await ChatPage.open(page);
    if (kind === 'a chat') {
      await chat.send('How is the cat?');
      await chat.answered();
    }
    await fill(page, kind === 'a chat' ? 'IndexedDB' : 'drafts');
    await page.getByRole('button', { name: 'Settings of this chat' }).click();
    const prompt = chat.dialog.getByLabel('System prompt');
    await prompt.fill('Be brief.');
    const save = chat.dialog.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await expect(chat.dialog.getByRole('alert')).toContainText('This could not be stored.');
    await expect(prompt).toHaveValue('Be brief.');
    await fill(page);
    await save.click();
    await expect(page.getByRole('dialog')).toBeHidden();
    // After a reload this tab would not know its new chat again, because its small storage is full.
    if (kind === 'a new chat') return expect.poll(() => storedText(page)).toContain('Be brief.');
    await page.reload();
    await page.getByRole('button', { name: 'Settings of this chat' }).click();
    await expect(prompt).toHaveValue('Be brief.');
  });
