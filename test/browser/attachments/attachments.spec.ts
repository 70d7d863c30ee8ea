import { expect, type Page } from '@playwright/test';
import type { ChatApp } from '../../../src/chat/app/chat-app.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { unloadModels } from '../../support/pages/site-page.ts';
import { pdfFile, pdfText } from '../../support/samples/pdf-file.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

const tray = (page: Page) => page.locator('attachment-tray');
const chip = (page: Page, name: string) => tray(page).getByRole('listitem').filter({ hasText: name });

test('a dropped text file is sent with the question, shown with it, and used in the answer @firefox @core', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await dropFiles(page, [{ name: 'notes.md', parts: ['The dog is called Rex.'] }]);
  await expect(chip(page, 'notes.md')).toContainText(/22\sB · \d+ tokens/);
  await chat.field.fill('What is the dog called?');
  await chat.field.press('Enter');
  await chat.answered();
  expect(await chat.text()).not.toBe('');
  await expect(tray(page).getByRole('listitem')).toHaveCount(0);
  const question = chat.questions.first();
  await question.getByText('notes.md').click();
  await expect(question.getByText('The dog is called Rex.')).toBeVisible();
  await page.reload();
  await expect(question.getByText('notes.md')).toBeVisible();
});

test('files of the next question load no model, and their tokens are counted once it is loaded', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await dropFiles(page, [{ name: 'notes.md', parts: ['The dog is called Rex.'] }]);
  await expect(chip(page, 'notes.md')).toContainText(/\d tokens/);
  await unloadModels(page);
  await dropFiles(page, [{ name: 'more.md', parts: ['The cat is called Tom.'] }]);
  await expect(chip(page, 'more.md')).toContainText('about 8 tokens');
  await expect(chip(page, 'notes.md')).not.toContainText('about');
  expect(await page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.status.state)).toBe('idle');
  await chat.send('What is the dog called?');
  await chat.answered();
  await dropFiles(page, [{ name: 'last.md', parts: ['The cow is called Ann.'] }]);
  await expect(chip(page, 'last.md')).toContainText(/B · \d+ tokens/);
});

test('files are added by button, drop and paste; of a file that is too long the relevant passages are sent', async ({
  page,
}) => {
  const asked = await scriptAndListen(page);
  const chat = await ChatPage.open(page);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const pdf = pdfFile([pdfText('The harbour is in Oslo.'), pdfText('It has two lighthouses.')]);
  await (
    await choosing
  ).setFiles([
    file('harbour.pdf', 'application/pdf', pdf),
    file('latin.csv', 'text/csv', Buffer.from('Größe;1', 'latin1')),
  ]);
  await expect(chip(page, 'harbour.pdf')).toContainText('tokens');
  await expect(chip(page, 'latin.csv')).toContainText('tokens');
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['{"pasted": true}'], 'pasted.json'));
    const event = new ClipboardEvent('paste', { bubbles: true, composed: true, cancelable: true });
    // In Firefox the clipboard of a scripted event has no files.
    Object.defineProperty(event, 'clipboardData', { value: clipboardData });
    const composer = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
    composer?.querySelector('message-composer')?.shadowRoot?.querySelector('textarea')?.dispatchEvent(event);
  });
  await expect(chip(page, 'pasted.json')).toContainText('tokens');
  await chip(page, 'latin.csv').getByRole('button', { name: 'Remove latin.csv' }).click();
  await expect(chip(page, 'latin.csv')).toHaveCount(0);

  const filler = Array.from({ length: 3000 }, (_, index) => `Ship ${index} carries wood and coal to the north. `);
  filler.splice(2000, 0, 'The password of the harbour gate is swordfish. ');
  await dropFiles(page, [{ name: 'ships.txt', parts: filler }]);
  const given = chip(page, 'ships.txt').getByLabel('What is given of ships.txt');
  await expect(given.locator('option:checked')).toHaveText('the passages that fit the question');
  await chat.send('What is the password of the harbour gate?');
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveCount(1, { timeout: 60_000 });
  await chat.answered();

  const [content] = await asked();
  expect(content).toContain(
    'Attached file "harbour.pdf":\n```pdf\nThe harbour is in Oslo.\n\nIt has two lighthouses.\n```',
  );
  expect(content).toContain('Attached file "pasted.json":\n```json\n{"pasted": true}\n```');
  expect(content).toContain('Passages that fit the question, of the attached file "ships.txt":');
  expect(content).toContain('The password of the harbour gate is swordfish.');
  expect(content).toContain('[…]');
  expect(content!.length).toBeLessThan(6000);
  expect(content).not.toContain('Größe');

  // Sends only a file, without a question.
  await dropFiles(page, [{ name: 'alone.txt', parts: ['Only this.'] }]);
  await expect(chip(page, 'alone.txt')).toContainText('tokens');
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveCount(2);
  await chat.answered();
  expect((await asked()).at(-1)).toBe('Attached file "alone.txt":\n```txt\nOnly this.\n```');
});

test('a file that cannot be read blocks sending, its error scrolls into view, and it can be removed', async ({
  page,
}) => {
  const asked = await scriptAndListen(page);
  const chat = await ChatPage.open(page);
  await page.setViewportSize({ width: 390, height: 700 });
  const notes = Array.from({ length: 8 }, (_, index) => ({ name: `notes-${index}.md`, parts: [`Note ${index}.`] }));
  await dropFiles(page, [{ name: 'broken.bin', parts: ['\0\0\u0001\0'.repeat(50)] }, ...notes]);
  await expect(chip(page, 'notes-7.md')).toContainText('token');
  await chip(page, 'notes-7.md').scrollIntoViewIfNeeded();
  await chat.send('What do the notes say?');
  const refusal = tray(page).getByRole('alert').filter({ hasText: 'Not sent: broken.bin cannot go with it.' });
  await expect(refusal).toBeInViewport();
  await expect(chip(page, 'broken.bin')).toBeInViewport({ ratio: 0.5 });
  await expect(chat.field).toHaveValue('What do the notes say?');
  await expect(chat.questions).toHaveCount(0);
  await refusal.getByRole('button', { name: 'Send without it' }).click();
  await expect(chat.questions).toHaveCount(1);
  await chat.answered();
  expect((await asked())[0]).toContain('Note 7.');
  await expect(tray(page).getByRole('listitem')).toHaveCount(0);

  // A file that cannot be read is the only content, so there is nothing to send.
  await dropFiles(page, [{ name: 'broken.bin', parts: ['\0\0\u0001\0'.repeat(50)] }]);
  await expect(chip(page, 'broken.bin').getByRole('alert')).toBeVisible();
  await chat.field.press('Enter');
  await expect(refusal).toBeVisible();
  await expect(refusal.getByRole('button')).toHaveCount(0);
  await chip(page, 'broken.bin').getByRole('button', { name: 'Remove broken.bin' }).click();
  await expect(refusal).toHaveCount(0);
});

test('while a file is being read, its question is sent only once, with files dropped meanwhile, and newly typed text stays in the field', async ({
  page,
}) => {
  const asked = await scriptAndListen(page);
  const chat = await ChatPage.open(page);
  const read = await page.evaluateHandle(() => {
    const reading = { goOn: () => {} };
    const held = new Promise<void>((resolve) => (reading.goOn = resolve));
    const real = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await held;
      return real.call(this);
    };
    return reading;
  });
  await dropFiles(page, [{ name: 'slow.txt', parts: ['The dog is called Rex.'] }]);
  await expect(chip(page, 'slow.txt')).toContainText('reading…');
  await chat.send('Who is Rex?');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('Drop files here')).toBeVisible();
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
  await expect(page.getByText('Drop files here')).toHaveCount(0);
  await dropFiles(page, [{ name: 'more.txt', parts: ['The cat is called Max.'] }]);
  await chat.field.pressSequentially(' And who is Max?');
  await chat.field.press('Enter');
  await read.evaluate(({ goOn }) => goOn());
  await chat.answered();
  await expect(chat.questions).toHaveText(/Who is Rex\?/);
  await expect(chat.field).toHaveValue('And who is Max?');
  const [content, ...more] = await asked();
  expect(content).toContain('The cat is called Max.');
  expect(more).toEqual([]);
});

/** A PDF page that expands to more bytes than `limit-allocations.ts` allows. */
const BOMB = Buffer.alloc(100_000_000, 0x20);

test('a question whose screen is left while passages are chosen is unsent, and is sent once when it is asked again', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.ask('How is the cat?');
  const lines = Array.from({ length: 40_000 }, (_, index) => `Line ${index} is about things of number ${index * 7}.`);
  await dropFiles(page, [{ name: 'long.txt', parts: [lines.join('\n')] }]);
  await expect(tray(page)).toContainText('tokens');
  await chat.send('Which line is about fish?');
  await expect(page.getByText('Choosing the passages that fit')).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(chat.questions).toHaveCount(0);
  await chat.chatInList('How is the cat?').click();
  await expect(chat.field).toHaveValue('Which line is about fish?');
  await chat.field.press('Enter');
  await expect(chat.field).toHaveValue('');
  await expect(page.getByText('Choosing the passages that fit')).toHaveCount(0);
  await chat.answered();
  await expect(chat.questions).toHaveText([/How is the cat\?/, /long\.txt[^]*Which line is about fish\?/]);
  await expect(page.getByRole('list', { name: 'Queued questions' })).toHaveCount(0);
});

test('hostile files are refused with an explanation or truncated, and the page keeps working @firefox', async ({
  page,
}) => {
  await scriptAndListen(page);
  const chat = await ChatPage.open(page);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (
    await choosing
  ).setFiles([
    file('bomb.pdf', 'application/pdf', pdfFile([BOMB])),
    file('one-bad-page.pdf', 'application/pdf', pdfFile([pdfText('A good page.'), BOMB])),
    file('broken.pdf', 'application/pdf', Buffer.from(`%PDF-1.7\n${'x'.repeat(1000)}`)),
    { name: 'red.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    { name: '"><img src=x onerror="document.title=1">.txt', mimeType: 'text/plain', buffer: Buffer.from('markup') },
  ]);
  // On a slow machine the time limit ends the reading before the size limit does.
  const refused = /damaged or unsafe|takes too long to read/;
  await expect(chip(page, 'bomb.pdf')).toContainText(refused, { timeout: 60_000 });
  await expect(chip(page, 'one-bad-page.pdf')).toContainText('tokens');
  await expect(chip(page, 'broken.pdf')).toContainText('damaged or unsafe');
  await expect(chip(page, 'red.png')).toContainText('This image cannot be read.');
  await expect(chip(page, '"><img src=x')).toContainText('tokens');
  expect(await page.title()).not.toBe('1');
  await dropFiles(page, [
    { name: 'huge.txt', parts: ['Many words in a row. '.repeat(50_000)], times: 100 },
    { name: 'picture.txt', parts: [[0, 1, 2, 3, 255, 254, 0, 0]], times: 100 },
    { name: 'wide.txt', parts: [[255, 254, 72, 0, 105, 0]] },
    { name: 'empty.txt', parts: [] },
  ]);
  await expect(chip(page, 'huge.txt')).toContainText('only its beginning was read');
  await expect(chip(page, 'huge.txt')).toContainText(/105\sMB · about [\d,]+ tokens/);
  await expect(chip(page, 'picture.txt')).toContainText('neither text, a document nor an image');
  await expect(chip(page, 'wide.txt')).toContainText('tokens');
  await expect(chip(page, 'empty.txt')).toContainText('This file is empty.');

  // Rejected files are not sent.
  await chat.field.fill('Why?');
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('Why?');

  await dropFiles(
    page,
    Array.from({ length: 200 }, (_, index) => ({ name: `many-${index}.txt`, parts: ['x'] })),
  );
  await expect(tray(page)).toContainText('At most 20 files go with one question; 189 were left out.');
  while ((await tray(page).getByRole('button').count()) > 0) await tray(page).getByRole('button').first().click();
  await chat.field.press('Enter');
  await chat.answered();
  await expect(chat.questions).toHaveCount(1);
});

test('a file that has more tokens than characters is counted by its model, which was not loaded, before it is sent', async ({
  page,
}) => {
  const asked = await scriptAndListen(page);
  const chat = await ChatPage.open(page);
  const window = await page.evaluate(async () => {
    const response = await fetch('v1/models', { headers: { authorization: 'Bearer local' } });
    const { data } = (await response.json()) as { data: { id: string; context_window: number }[] };
    return data.find(({ id }) => id === 'pocket')!.context_window;
  });
  await unloadModels(page);
  const sentence = '灯塔看守人数着夜里经过的船只。\n';
  await dropFiles(page, [{ name: 'lamp.txt', parts: [sentence.repeat((0.45 * window) / sentence.length)] }]);
  await chat.send('灯塔看守人做什么？');
  await expect(chat.questions).toHaveCount(1, { timeout: 60_000 });
  await expect.poll(async () => (await asked())[0]).toContain('file "lamp.txt"');
  expect((await asked())[0]).not.toContain('Attached file "lamp.txt"');
});

/** Gives every request the same short answer. The returned function returns the last message of each request. */
async function scriptAndListen(page: Page): Promise<() => Promise<readonly string[]>> {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  await page.addInitScript(() => {
    const scripted = window.fetch;
    const asked: string[] = [];
    Object.assign(window, { asked });
    window.fetch = (input, init) => {
      if (String(input).endsWith('v1/chat/completions')) {
        const { messages } = JSON.parse(new TextDecoder().decode(init?.body as ArrayBuffer)) as {
          messages: { content: string }[];
        };
        asked.push(messages.at(-1)!.content);
      }
      return scripted(input, init);
    };
  });
  return () => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
}

function file(name: string, mimeType: string, buffer: Buffer) {
  return { name, mimeType, buffer };
}
