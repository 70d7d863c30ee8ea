import { expect, type Page } from '@playwright/test';
import { sleep } from '../../../src/shared/timeout.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/sites/word-site.ts';
import type * as chatPerson from '../in-page/chat-person.ts';

/** Milliseconds from the end of the clearing to what a person does. */
const MOMENTS = [0, 300, 1000, 2000, 4000, 7000];

/** Milliseconds that a page has for keeping what was written. */
const KEEPING_TIME = 1000;

/** Clears the site's data, as a person can. */
async function clearData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
  await session.detach();
}

/** Ends the process of a page. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => {});
  await crashed;
}

/** Opens the page in a tab, with a chat. */
async function openChat(page: Page): Promise<Page> {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.send('How is the cat?');
  await chat.answered();
  return page;
}

/** Does everything with texts that a person can. Returns the marks of these texts. */
async function writeEverything(page: Page, name: string): Promise<readonly string[]> {
  const person = inPage<typeof chatPerson>(page, 'chat-person');
  const done: readonly (readonly [mark: string, isDone: boolean])[] = [
    [`[edited ${name}]`, await person.editQuestion(`[edited ${name}]`)],
    [`[sent ${name}]`, await person.writeQuestion(`Sent. [sent ${name}]`, true)],
    [`[file ${name}]`, await person.attachText(`${name}.txt`, `A file. [file ${name}]`)],
    [`[typed ${name}]`, await person.writeQuestion(`Typed. [typed ${name}]`, false)],
  ];
  return done.flatMap(([mark, isDone]) => (isDone ? [mark] : []));
}

async function lost(pages: readonly Page[], marks: readonly string[]): Promise<readonly string[]> {
  let missing = marks;
  for (const page of pages) missing = await inPage<typeof chatPerson>(page, 'chat-person').marksNotHere(missing);
  return missing;
}

for (const { where, count } of [
  { where: 'a page', count: 1 },
  { where: 'two pages', count: 2 },
])
  test(`nothing is lost that is written in ${where} after the site's data were cleared`, async ({ page, context }) => {
    test.setTimeout(300_000);
    const pages = [await openChat(page)];
    while (pages.length < count) pages.push(await openChat(await context.newPage()));
    await clearData(page);
    const cleared = performance.now();
    const marks: string[] = [];
    for (const [index, moment] of MOMENTS.entries()) {
      await sleep(Math.max(0, cleared + moment - performance.now()));
      marks.push(...(await writeEverything(pages[index % count]!, `${moment} ms`)));
    }
    expect(marks.length).toBeGreaterThanOrEqual(3 * MOMENTS.length);
    await sleep(KEEPING_TIME);
    expect(await lost(pages, marks)).toEqual([]);
    // One tab is closed, the other crashes.
    const last = await context.newPage();
    await page.close();
    if (pages[1] !== undefined) await crash(pages[1]);
    // After a clearing, Chromium does not begin every load.
    await expect(async () => void (await last.goto('/test-clients/blank.html', { timeout: 30_000 }))).toPass();
    expect(await lost([last], marks)).toEqual([]);
  });
