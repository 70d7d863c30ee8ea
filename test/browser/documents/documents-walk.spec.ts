import { chromium, expect, test, type Page } from '@playwright/test';
import { NetLog } from '../../support/browsers/net-log.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { listAnotherModel } from '../../support/pages/chat-with-two-models.ts';
import { dropFolder, HOUSE, runCommand } from '../../support/pages/documents-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { copySite } from '../../support/sites/copied-site.ts';

/** Asks by the keyboard. */
async function ask(page: Page, question: string): Promise<void> {
  await new ChatPage(page).field.focus();
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
}

async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

/** What is left of the collection and its files. */
async function leftovers(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const headers = { authorization: 'Bearer local' };
    const lists = ['/v1/files', '/v1/vector_stores'].map(async (path) => (await fetch(path, { headers })).json());
    const listed = (await Promise.all(lists)).flatMap(({ data }: { data: readonly { id: string }[] }) => data);
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('tabserve-documents').catch(() => null);
    const names: string[] = [];
    if (folder !== null) for await (const name of folder.keys()) names.push(name);
    return [...listed.map(({ id }) => id), ...names];
  });
}

for (const width of [1280, 390]) {
  test(`by keyboard at ${width} pixels: a folder is dropped, three questions are asked, a citation opens, the network goes, the page is reloaded, the collection is deleted @firefox${width === 390 ? ' @core' : ''}`, async ({
    browser,
    browserName,
    launchOptions,
  }) => {
    test.setTimeout(240_000);
    const site = await copySite();
    // Only Chromium keeps a log of its network, which has the requests of all workers.
    const netLog = browserName === 'chromium' ? new NetLog() : null;
    const logging =
      netLog && (await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), netLog.flag] }));
    const context = await (logging ?? browser).newContext({ viewport: { width, height: 800 } });
    const requested: string[] = [];
    context.on('request', (request) => requested.push(request.url()));
    const page = await context.newPage();
    await listAnotherModel(page);
    await scriptAnswers(page, { text: 'Until ten [1]. See `[1]` and [7].', pieceLength: 4, interval: 0 });
    await page.goto(site.url);
    await siteReady(page);

    await runCommand(page, 'Documents');
    await page.getByRole('textbox', { name: 'Name of a new collection' }).focus();
    await page.keyboard.type('House');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Add files to House' })).toBeFocused();
    await dropFolder(page, 'House', HOUSE);
    await expect(page.getByText('All 2 files can be asked about.')).toBeVisible({ timeout: 90_000 });
    await page.getByText('1 file not added').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('house/notes.bin')).toBeVisible();
    // What the collection has is not added again. Of a folder that a script drops, the browser does not tell that it is the same.
    await dropFolder(page, 'House', HOUSE);
    await press(page, 'button', 'The same: replace what has changed');
    await expect(page.getByText('2 files had not changed.')).toBeVisible();

    // Pocket shows what was found, as Markdown.
    await press(page, 'link', 'Ask about House');
    await expect(page.getByRole('button', { name: 'Documents of this chat: House' })).toBeVisible();
    await ask(page, 'Until when may guests park in front of the house?');
    const passages = page.getByRole('list', { name: 'Passages that fit the question' });
    await expect(passages.first()).toContainText('until ten in the evening', { timeout: 60_000 });
    await expect(passages.locator('strong').first()).toHaveText('ten');

    // Another model answers, and cites them.
    const chat = new ChatPage(page);
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('other');
    await ask(page, 'Where may guests park?');
    await expect(chat.answers.nth(1)).toContainText('Until ten [1]. See [1] and [7].');
    await ask(page, 'xylophone quartz zeppelin');
    await expect(chat.answers.nth(2)).toContainText('Nothing in House fits this question');

    const citations = chat.answers.nth(1).getByRole('button', { name: 'Source 1 house/rules.md' });
    const passage = page.getByRole('region', { name: 'The passage' });
    const openCitation = async () => {
      await citations.first().focus();
      await page.keyboard.press('Enter');
      await expect(passage.locator('mark')).toContainText('Guests may park in front of the house until **ten**');
      await expect(passage.locator('mark')).toBeInViewport();
      await expect(passage).toContainText('The kitchen is cleaned');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name: 'house/rules.md' })).toBeHidden();
      await expect(citations.first()).toBeFocused();
    };
    await expect(citations).toHaveCount(2);
    await openCitation();

    // Without the server all of it goes on, also after a reload.
    await site.close();
    await ask(page, 'What does the blue whale eat?');
    const other = chat.answers.nth(3).getByRole('button', { name: /^Source \d house\/sea\/whales.txt$/ });
    await expect(other.first()).toBeVisible();
    // Firefox ends the engine with the page, and this chat asks another model, so that none is loaded before a question.
    await page.reload();
    await expect(citations).toHaveCount(2, { timeout: 60_000 });
    await openCitation();
    await ask(page, 'Where do guests park in the evening?');
    await expect(chat.answers.nth(4)).toContainText('Until ten [1].', { timeout: 60_000 });

    await runCommand(page, 'Documents');
    await press(page, 'button', 'Delete the collection House');
    await press(page, 'button', 'Delete');
    await expect(page.getByText('There is no collection yet.')).toBeVisible();
    expect(await leftovers(page)).toEqual([]);
    await page.goBack();
    await expect(citations).toHaveCount(2);
    await citations.first().focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('The file is no longer in the collection.')).toBeVisible();
    await expect(passage).toContainText('until **ten** in the evening');

    await context.close();
    await logging?.close();
    const logged = netLog?.requests().map(({ address }) => address.href) ?? [];
    netLog?.delete();
    const { origin } = new URL(site.url);
    const left = [...requested, ...logged].filter(
      (address) => /^(?:https?|wss?):/.test(address) && !address.startsWith(origin),
    );
    expect(left).toEqual([]);
    expect(requested.length).toBeGreaterThan(0);
  });
}
