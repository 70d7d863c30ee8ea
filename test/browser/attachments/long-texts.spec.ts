import { expect, type Page } from '@playwright/test';
import { FILE_DATABASE } from '../../../src/chat/storage/drafts/unsent-file-database.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const chip = (page: Page) => page.locator('attachment-tray').getByRole('listitem');

/** How a text gets into the question field. */
type Way = 'paste' | 'drop' | 'script' | 'execCommand';

/** Puts a text into the question field. */
function put(page: Page, way: Way, text: string): Promise<void> {
  return page.evaluate(
    ({ way, text }) => {
      const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
      const field = view!.querySelector('message-composer')!.shadowRoot!.querySelector('textarea')!;
      field.focus();
      if (way === 'execCommand') return void document.execCommand('insertText', false, text);
      if (way === 'script') {
        field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
        return void field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      }
      const data = new DataTransfer();
      data.setData('text/plain', text);
      const init = { bubbles: true, composed: true, cancelable: true };
      const event = way === 'paste' ? new ClipboardEvent('paste', init) : new DragEvent('drop', init);
      // In Firefox the data of a scripted event are empty.
      Object.defineProperty(event, way === 'paste' ? 'clipboardData' : 'dataTransfer', { value: data });
      field.dispatchEvent(event);
    },
    { way, text },
  );
}

for (const way of ['paste', 'drop', 'script', 'execCommand'] satisfies Way[]) {
  test(`a long text that gets into the field by ${way} becomes a file beside what was typed @firefox`, async ({
    page,
  }) => {
    const chat = await ChatPage.open(page);
    await chat.field.pressSequentially('Sum this up: ');
    const text = `<h1>Markup stays</h1> ${'lorem ipsum '.repeat(600)}`;
    await put(page, way, text);
    await expect(chip(page)).toContainText('Pasted text.txt');
    await expect(chat.field).toHaveValue('Sum this up: ');
    await page.getByRole('button', { name: 'Insert it as text' }).click();
    await expect(chat.field).toHaveValue(`Sum this up: ${text}`);
    await expect(chip(page)).toHaveCount(0);
    // The text is the user's choice now: typing does not attach it again.
    await chat.field.press('x');
    await expect(chat.field).toHaveValue(`Sum this up: ${text}x`);
  });
}

test('a pasted text whose question cannot be stored is whole and still stored, also where only passages fit @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 10, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.field.fill('Where is the key?');
  const text = Array.from({ length: 1500 }, (_, line) => `Line ${line} is about something else.`).join('\n');
  await put(page, 'paste', text);
  await expect(chip(page)).toContainText('Too long');
  await page.evaluate(() => {
    const add = IDBObjectStore.prototype.add;
    const failing = Object.assign(globalThis, { isFull: true });
    IDBObjectStore.prototype.add = function (...values) {
      if (failing.isFull) throw new DOMException('No room left.', 'QuotaExceededError');
      return add.apply(this, values);
    };
  });
  await chat.field.press('Enter');
  await expect(page.getByText('so the question was not sent')).toBeVisible();
  await expect(chip(page)).toContainText('Too long');
  await page.reload();
  await expect(chat.field).toHaveValue('Where is the key?');
  await expect(chip(page)).toContainText('Too long');
  const kept = await page.evaluate(
    (name) =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('files').objectStore('files').getAll();
          all.addEventListener('success', () => {
            opening.result.close();
            resolve(JSON.stringify(all.result));
          });
        });
      }),
    FILE_DATABASE,
  );
  expect(kept).toContain('Line 1499 is about something else.');
});

test('a long file of a question that waits is whole when the question is edited, also after a reload @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'word '.repeat(4000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  const text = Array.from({ length: 1500 }, (_, line) => `Line ${line} is about something else.`).join('\n');
  for (const isReloaded of [false, true]) {
    if (isReloaded) await chat.field.fill('Where is the door?');
    else {
      await chat.field.fill('Where is the key?');
      await put(page, 'paste', text);
    }
    await expect(chip(page)).toContainText('Too long');
    await chat.field.press('Enter');
    const waiting = page.getByRole('list', { name: 'Queued questions' }).getByRole('listitem');
    await expect(waiting).toHaveCount(1, { timeout: 60_000 });
    if (isReloaded) await page.reload();
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await expect(chip(page)).toContainText('Too long');
    await expect(chat.field).toHaveValue(isReloaded ? 'Where is the door?' : 'Where is the key?');
  }
});

test('a text of six megabytes never enters the field, is cut, and is sent as a file @firefox', async ({ page }) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 10, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.field.evaluate((field: HTMLTextAreaElement) => {
    const seen = { longest: 0 };
    Object.assign(globalThis, { seen });
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!;
    Object.defineProperty(field, 'value', {
      get: Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.get!,
      set(text: string) {
        seen.longest = Math.max(seen.longest, text.length);
        set!.call(this, text);
      },
    });
  });
  await put(page, 'paste', 'word '.repeat(1_200_000));
  await expect(chip(page)).toContainText(/6[.\s,]?0?\s?MB.*only its beginning was read/s);
  await expect(page.getByRole('button', { name: 'Insert it as text' })).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
  expect(await page.evaluate(() => (globalThis as unknown as { seen: { longest: number } }).seen.longest)).toBe(0);
  await chat.field.fill('What is this?');
  await chat.field.press('Enter');
  await expect(chat.questions.getByText('Pasted text.txt')).toBeVisible({ timeout: 60_000 });
  await chat.answered();
});

test('a short text is pasted as text, and a draft of another chat is not taken for a paste', async ({ page }) => {
  const chat = await ChatPage.open(page);
  const text = 'lorem ipsum '.repeat(600);
  await put(page, 'execCommand', 'short '.repeat(100));
  await expect(chat.field).toHaveValue('short '.repeat(100));
  await chat.field.fill('');
  await put(page, 'paste', text);
  await page.getByRole('button', { name: 'Insert it as text' }).click();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.field).toHaveValue(text);
  await put(page, 'script', 'x');
  await expect(chat.field).toHaveValue(/lorem ipsum/);
  await expect(chip(page)).toHaveCount(0);
});

test('a small file is sent without a word about passages @firefox', async ({ page }) => {
  await scriptAnswers(page, { text: 'Rex.', pieceLength: 10, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.field.fill('Who is it?');
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
    const root = view!.querySelector('message-composer')!.shadowRoot!;
    new MutationObserver(() => said.push(root.querySelector('#hint')?.textContent ?? '')).observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex. '.repeat(5)] }]);
  await chat.field.press('Enter');
  await expect(chat.questions.getByText('notes.txt')).toBeVisible();
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((words) => words.includes('passages'))).toEqual([]);
});
