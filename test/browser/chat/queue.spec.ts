import { expect, type Locator, type Page } from '@playwright/test';
import { DRAFT_DATABASE } from '../../../src/chat/storage/drafts/draft-database.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const waitingIn = (page: Page): Locator => page.getByRole('list', { name: 'Queued questions' }).getByRole('listitem');

/** Opens a chat whose first answer grows until it is stopped, while a second question waits. */
async function openWithQueue(page: Page): Promise<ChatPage> {
  await scriptAnswers(page, { text: 'word '.repeat(4000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  await chat.send('Second');
  await expect(waitingIn(page)).toContainText(['Second']);
  return chat;
}

/** Lets the page read no queue until the returned function is called. */
async function holdQueues(page: Page): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error!));
    });
    const lock = { release: () => {} };
    let isHeld = true;
    lock.release = () => (isHeld = false);
    const store = database.transaction('questions', 'readwrite').objectStore('questions');
    const hold = (): void => {
      if (isHeld) store.count().addEventListener('success', hold);
      else database.close();
    };
    hold();
    return lock;
  }, DRAFT_DATABASE);
  return () => held.evaluate((lock) => lock.release());
}

test('a question that is asked in the moment when the next one of the queue is read does not displace it @firefox', async ({
  page,
}) => {
  const chat = await openWithQueue(page);
  const release = await holdQueues(page);
  await chat.stop();
  await chat.send('Third');
  await expect(chat.questions).toHaveText(['First', 'Third']);
  await release();
  await expect(waitingIn(page)).toContainText(['Second']);
  await chat.growing();
  await page.keyboard.press('Escape');
  await expect(chat.questions).toHaveText(['First', 'Third', 'Second']);
  await expect(waitingIn(page)).toHaveCount(0);
});

for (const [where, action] of [
  ['a new chat', (page: Page) => page.getByRole('link', { name: 'New chat' }).click()],
  ['another screen', (page: Page) => page.getByRole('link', { name: 'Models', exact: true }).click()],
] as const) {
  test(`a queued question is not asked in ${where}, opened in the moment when the queue is read @firefox`, async ({
    page,
  }) => {
    const chat = await openWithQueue(page);
    const release = await holdQueues(page);
    await chat.stop();
    await action(page);
    await expect(chat.questions).toHaveCount(0);
    await release();
    await chat.chatInList('First').click();
    await expect(chat.questions).toHaveText(['First', 'Second']);
    await expect(chat.chatInList(/^Second/)).toHaveCount(0);
  });
}

test('a queued question that is sent by itself leaves the focus where the person writes', async ({ page }) => {
  await scriptAnswers(page, { text: 'word '.repeat(100), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  await chat.send('Second');
  await expect(waitingIn(page)).toContainText(['Second']);
  const search = page.getByRole('searchbox');
  await search.pressSequentially('Rex');
  await expect(chat.questions).toHaveText(['First', 'Second']);
  await expect(search).toBeFocused();
});

test('Stop that is pressed in the moment when the answer ends does not send what is half written @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'word '.repeat(400), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  await chat.field.fill('Half a quest');
  await page.getByRole('button', { name: 'Stop', exact: true }).evaluate(
    (button: HTMLButtonElement) =>
      new Promise<void>((resolve) => {
        const press = (): void => {
          button.click();
          resolve();
        };
        new MutationObserver(press).observe(button, { attributeFilter: ['aria-label'] });
      }),
  );
  await chat.answered();
  await expect(chat.field).toHaveValue('Half a quest');
  await expect(chat.questions).toHaveText(['First']);
  // A moment later the button sends.
  await expect(async () => {
    // The click of the round before may have sent it, after that round was over.
    if ((await chat.questions.count()) < 2 && (await chat.field.inputValue()) !== '')
      await page.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 500 });
    await expect(chat.questions).toHaveText(['First', 'Half a quest'], { timeout: 500 });
  }).toPass();
});

test('many queued questions do not push the field out of a small window', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 420 });
  const chat = await openWithQueue(page);
  for (const count of [2, 3, 4, 5, 6, 7, 8]) {
    await chat.send(`Question ${count}`);
    await expect(waitingIn(page)).toHaveCount(count);
  }
  await expect(chat.field).toBeInViewport({ ratio: 1 });
  await waitingIn(page).last().getByRole('button', { name: 'Edit' }).click();
  await expect(chat.field).toHaveValue('Question 8');
});

test('the button that queues a question disappears and leaves the focus in the field', async ({ page }) => {
  const chat = await openWithQueue(page);
  await chat.field.fill('Third');
  await page.getByRole('button', { name: 'Send after this answer' }).press('Enter');
  await expect(waitingIn(page)).toHaveCount(2);
  await expect(chat.field).toBeFocused();
});

test('removing and editing queued questions by keyboard never loses the focus', async ({ page }) => {
  const chat = await openWithQueue(page);
  await chat.send('Third');
  await chat.send('Fourth');
  await expect(waitingIn(page)).toHaveCount(3);
  await waitingIn(page).last().getByRole('button', { name: 'Edit' }).press('Enter');
  await expect(chat.field).toHaveValue('Fourth');
  await expect(chat.field).toBeFocused();
  await waitingIn(page).last().getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(waitingIn(page)).toHaveCount(1);
  await expect(waitingIn(page).getByRole('button', { name: 'Edit' })).toBeFocused();
  await waitingIn(page).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(waitingIn(page)).toHaveCount(0);
  await expect(chat.field).toBeFocused();
});

test('a double click removes one queued question', async ({ page }) => {
  const chat = await openWithQueue(page);
  await chat.send('Third');
  await chat.send('Fourth');
  await expect(waitingIn(page)).toHaveCount(3);
  await waitingIn(page).last().getByRole('button', { name: 'Remove' }).dblclick();
  await expect(waitingIn(page)).toContainText(['Second', 'Third']);
});

test('a double click edits one queued question', async ({ page }) => {
  const chat = await openWithQueue(page);
  await chat.send('Third');
  await expect(waitingIn(page)).toHaveCount(2);
  await waitingIn(page).last().getByRole('button', { name: 'Edit' }).click();
  await expect(chat.field).toHaveValue('Third');
  // Another question is in the place of the first one when the second click comes.
  await waitingIn(page).getByRole('button', { name: 'Edit' }).dispatchEvent('click', { detail: 2 });
  await expect(waitingIn(page)).toContainText(['Second']);
  await expect(chat.field).toHaveValue('Third');
});

test('a queued question is sent while that of another chat waits for its turn', async ({ page }) => {
  const chat = await openWithQueue(page);
  const id = page.url().split('/').at(-1);
  // As another tab does that sends, or deletes the chat.
  const held = await page.evaluateHandle(async (name) => {
    const lock = { release: () => {} };
    await new Promise<void>((resolve) => {
      const hold = () => new Promise<void>((ended) => ((lock.release = ended), resolve()));
      void navigator.locks.request(name, hold);
    });
    return lock;
  }, `tabserve-queue ${id}`);
  await chat.stop();
  await expect(waitingIn(page)).toContainText(['Second']);
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.send('Third');
  await chat.growing();
  await chat.send('Fourth');
  await chat.stop();
  await expect(chat.questions).toHaveText(['Third', 'Fourth']);
  await held.evaluate(({ release }) => release());
  await chat.chatInList('First').click();
  await expect(chat.questions).toHaveText(['First', 'Second']);
});

test('a queue that cannot be read is tried once, told of, and sent when the person asks for it @firefox', async ({
  page,
}) => {
  const unhandled: string[] = [];
  page.on('pageerror', ({ message }) => unhandled.push(message));
  const chat = await openWithQueue(page);
  await page.evaluate(() => {
    const state = Object.assign(globalThis, { queueReads: 0, isBroken: true });
    const read = IDBIndex.prototype.getAll;
    IDBIndex.prototype.getAll = function (...values: unknown[]) {
      if (state.isBroken && this.objectStore.name === 'questions') {
        state.queueReads++;
        throw new DOMException('It cannot be read.', 'UnknownError');
      }
      return read.apply(this, values as []);
    };
  });
  await chat.stop();
  const problem = page.getByRole('alert').filter({ hasText: 'The queued questions could not be read' });
  await expect(problem).toBeVisible();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(await page.evaluate(() => (globalThis as unknown as { queueReads: number }).queueReads)).toBe(1);
  expect(unhandled).toEqual([]);
  await page.evaluate(() => Object.assign(globalThis, { isBroken: false }));
  await waitingIn(page).getByRole('button', { name: 'Send now' }).click();
  await expect(chat.questions).toHaveText(['First', 'Second']);
  await expect(problem).toHaveCount(0);
});

test('what is unsent in a chat appears although its database could not be opened at first @firefox', async ({
  page,
}) => {
  const chat = await openWithQueue(page);
  await chat.field.fill('A draft');
  await expect(page.getByText('will be sent after this answer')).toBeAttached();
  await page.addInitScript((name) => {
    const open = IDBFactory.prototype.open;
    const begun = performance.now();
    IDBFactory.prototype.open = function (...values) {
      if (values[0] === name && performance.now() - begun < 3000)
        throw new DOMException('It cannot be opened.', 'UnknownError');
      return open.apply(this, values);
    };
  }, DRAFT_DATABASE);
  await page.reload();
  await expect(chat.questions).toHaveText(['First']);
  await expect(chat.field).toHaveValue('A draft', { timeout: 20_000 });
  await expect(waitingIn(page)).toContainText(['Second'], { timeout: 20_000 });
});
