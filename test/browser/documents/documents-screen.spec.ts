import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { listAnotherModel } from '../../support/pages/chat-with-two-models.ts';
import { everythingStored } from '../../support/pages/everything-stored.ts';
import { test } from '../../support/pages/shared-context.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';

const RULES = `# House rules

## Parking

Guests may park in front of the house until ten in the evening.

## Kitchen

${'The kitchen is cleaned by whoever has used it last. '.repeat(40)}
`;
const WHALES = 'The blue whale is the largest animal. It lives in all oceans and eats krill.';

/** Drops files on a collection; `notes.bin` cannot be read. */
async function dropOn(page: Page, name: string): Promise<void> {
  const card = page.locator('collection-card').filter({ hasText: name });
  await card.evaluate(
    (element, texts) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of Object.entries(texts)) dataTransfer.items.add(new File([text], name));
      const event = { dataTransfer, bubbles: true, cancelable: true, composed: true };
      element.dispatchEvent(new DragEvent('dragover', event));
      element.dispatchEvent(new DragEvent('drop', event));
    },
    { 'rules.md': RULES, 'whales.txt': WHALES, 'notes.bin': '\0\u0001\0\u0002'.repeat(50) },
  );
}

/** Runs a command of the palette by the keyboard. */
async function run(page: Page, command: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Actions and chats' });
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
}

for (const width of [1200, 390]) {
  test(`by keyboard at ${width} pixels: files are added to a collection, a chat asks it, a citation opens, all survives a reload and is deleted @firefox${width === 390 ? ' @core' : ''}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 760 });
    await listAnotherModel(page);
    await scriptAnswers(page, { text: 'Until ten [1]. See `[1]` and [7].', pieceLength: 4, interval: 0 });
    const chat = await ChatPage.open(page);

    await run(page, 'Documents');
    const name = page.getByRole('textbox', { name: 'Name of a new collection' });
    await name.focus();
    await page.keyboard.type('House');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Add files to House' })).toBeFocused();
    await dropOn(page, 'House');
    await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
    await page.getByText('1 file not added').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('notes.bin')).toBeVisible();

    // Pocket shows what was found.
    await page.getByRole('link', { name: 'Ask about House' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Documents of this chat: House' })).toBeVisible();
    await chat.field.focus();
    await page.keyboard.type('Until when may guests park in front of the house?');
    await page.keyboard.press('Enter');
    const passages = page.getByRole('list', { name: 'Passages that fit the question' });
    await expect(passages).toContainText('until ten in the evening', { timeout: 60_000 });

    // Another model answers, and cites them.
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('other');
    await chat.ask('Where may guests park?');
    const answer = chat.answers.nth(1);
    await expect(answer).toContainText('Until ten [1]. See [1] and [7].');
    const citations = answer.getByRole('button', { name: 'Source 1 rules.md' });
    await expect(citations).toHaveCount(2);
    await citations.first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'rules.md' });
    const passage = page.getByRole('region', { name: 'The passage' });
    await expect(passage.locator('mark')).toContainText('Guests may park in front of the house until ten');
    await expect(passage).toContainText('The kitchen is cleaned');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(citations.first()).toBeFocused();

    await chat.ask('xylophone quartz zeppelin');
    await expect(chat.answers.last()).toContainText('Nothing in House fits this question');

    await page.reload();
    await siteReady(page);
    await expect(citations).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Documents of this chat: House' })).toBeVisible();

    await run(page, 'Documents');
    await page.getByRole('button', { name: 'Delete the collection House' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('There is no collection yet.')).toBeVisible();
    const left = await page.evaluate(async () => {
      const headers = { authorization: 'Bearer local' };
      const lists = ['/v1/files', '/v1/vector_stores'].map(async (path) => (await fetch(path, { headers })).json());
      return (await Promise.all(lists)).flatMap(({ data }: { data: readonly object[] }) => data);
    });
    expect(left).toEqual([]);

    await page.goBack();
    await citations.first().click();
    await expect(page.getByText('The file is no longer in the collection.')).toBeVisible();
    await expect(passage).toContainText('until ten in the evening');
  });
}

test('a temporary chat asks a collection and leaves nothing', async ({ page }) => {
  const chat = await ChatPage.open(page, '/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Sea');
  await page.keyboard.press('Enter');
  await dropOn(page, 'Sea');
  await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
  // Loads what the first search loads and caches, before the storage is compared.
  await page.getByRole('link', { name: 'Ask about Sea' }).click();
  const passages = page.getByRole('list', { name: 'Passages that fit the question' }).last();
  await chat.send('What is the largest animal?');
  await expect(passages).toContainText('blue whale', { timeout: 60_000 });
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await page.getByRole('button', { name: 'Documents', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sea' }).click();
  const before = await everythingStored(page);
  await chat.send('What does the blue whale eat?');
  await expect(passages).toContainText('eats krill', { timeout: 60_000 });
  expect(await everythingStored(page)).toBe(before);
  // Other tests share this browser.
  await run(page, 'Documents');
  await page.getByRole('button', { name: 'Delete the collection Sea' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('There is no collection yet.')).toBeVisible();
});

test('at the first visit a collection is created although the service worker is not there yet', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await page.goto('/#/documents');
  await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('House');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add files to House' })).toBeVisible();
  await context.close();
});
