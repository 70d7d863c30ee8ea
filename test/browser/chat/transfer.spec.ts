import { expect } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { chatGptExport, openWebUiExport } from '../../support/samples/foreign-exports.ts';
import { test } from '../../support/pages/shared-context.ts';

function jsonFile(value: unknown): { name: string; mimeType: string; buffer: Buffer } {
  return { name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(value)) };
}

test('exports of ChatGPT and Open WebUI are imported with their branches, and a deleted chat is restored', async ({
  page,
}) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  const picker = page.locator('conversation-list input[type=file]');
  const archive = zipSync({
    'chat.html': strToU8('<html>'),
    'conversations.json': strToU8(JSON.stringify(chatGptExport())),
  });
  await picker.setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) });
  await expect(
    page.getByText(
      'One chat imported. One chat was left out: nothing is said there. Left out: 1 image, 1 citation without an address.',
    ),
  ).toBeVisible();
  await chat.chatInList('Lighthouses').click();
  await expect(chat.questions.last()).toContainText('How tall is this one?');
  await expect(chat.answers.last()).toContainText('Thirty metres.');
  await expect(chat.answers.first()).toContainText('It guides ships.');
  await chat.answers.first().getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.first()).toContainText('A tower with a lamp.');

  await picker.setInputFiles(jsonFile(openWebUiExport()));
  await expect(page.getByText('One chat imported. Left out: 1 file.')).toBeVisible();
  await chat.chatInList('Bread').click();
  await expect.poll(() => chat.text()).toBe('Bake it for forty minutes.');

  await picker.setInputFiles(jsonFile([{ uuid: 1, prompts: [] }]));
  await expect(
    page.getByText('The file could not be imported. It is not an export that this page knows'),
  ).toBeVisible();

  await chat.fromMenu('Lighthouses', 'Delete');
  await expect(chat.chatInList('Lighthouses')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await chat.chatInList('Lighthouses').click();
  await expect(chat.answers.first()).toContainText('A tower with a lamp.');
});

test('several files are imported at once, and those that fail are named', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  const parts = ['000', '001', '002'].map((part) => {
    const [conversation] = chatGptExport();
    const own = { ...conversation, id: `part-${part}`, conversation_id: `part-${part}`, title: `Part ${part}` };
    return { ...jsonFile([own]), name: `conversations-${part}.json` };
  });
  const broken = { name: 'chat.html', mimeType: 'text/html', buffer: Buffer.from('<html></html>') };
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles([...parts.slice(0, 2), broken, ...parts.slice(2)]);
  await expect(
    page.getByText(/^3 chats imported\..*chat\.html could not be imported\. It is not an export/),
  ).toBeVisible();
  for (const title of ['Part 000', 'Part 001', 'Part 002']) await expect(chat.chatInList(title)).toBeVisible();
});

test('the file input for attachments is in the document, as iOS requires', async ({ page }) => {
  const chat = await ChatPage.open(page);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach' }).click();
  const chooser = await choosing;
  expect(await chooser.element().evaluate((field) => field.isConnected)).toBe(true);
  const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') };
  // Choosing the same file again adds it a second time.
  for (let time = 0; time < 2; time += 1) await page.locator('message-composer input[type=file]').setInputFiles(file);
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
  await expect(chat.field).toBeVisible();
});
