import { chromium, type Browser, type Page } from 'playwright';
import { ChatPage } from '../support/pages/chat-page.ts';
import { siteReady } from '../support/pages/site-page.ts';
import { longChatFile } from './long-chat.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';

/** Questions, each with its answer, in the two compared chats. */
const SHORT = 2;
const LONG = 750;

const DRAFT = 'A question that takes a while to type.';

/** Milliseconds without work after which a chat counts as drawn to its end. */
const SETTLING = 5000;

/**
 * Measures the processor time that a letter costs the page, typed in a chat of 4 messages and in one of 1,500, in turns.
 */
export async function measureTyping({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  await page.goto(url);
  await siteReady(page);
  const times = { short: [] as number[], long: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.short.push(await timeTyping(browser, page, SHORT, `short-${round}`));
    times.long.push(await timeTyping(browser, page, LONG, `long-${round}`));
  }
  await browser.close();
  return [
    measurement(`a letter typed in a chat of ${2 * SHORT} messages, CPU`, 'ms', times.short),
    measurement(`a letter typed in a chat of ${2 * LONG} messages, CPU`, 'ms', times.long),
    measurement(
      `a letter, chat of ${2 * LONG} messages : ${2 * SHORT}, CPU`,
      '×',
      times.long.map((time, index) => time / times.short[index]!),
      { atMost: 2 },
    ),
  ];
}

/** Returns the milliseconds of processor time that each letter costs the page's process. */
async function timeTyping(browser: Browser, page: Page, exchanges: number, id: string): Promise<number> {
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(longChatFile(id, id, exchanges));
  await chat.chatInList(id).click();
  await page.waitForFunction(areDrawn, exchanges, { polling: 1000, timeout: 300_000 });
  await page.waitForTimeout(SETTLING);
  await chat.field.focus();
  const before = await rendererTime(browser);
  await page.keyboard.type(DRAFT, { delay: 60 });
  const time = (await rendererTime(browser)) - before;
  await chat.field.fill('');
  return time / DRAFT.length;
}

/** Returns the milliseconds of processor time that the processes of all pages have used. */
async function rendererTime(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return renderers.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** Runs in the page. */
function areDrawn(answers: number): boolean {
  const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
  const drawn = [...(view?.querySelectorAll('answer-message') ?? [])].filter((message) => {
    const text = message.shadowRoot?.querySelector('markdown-text')?.shadowRoot;
    return text?.querySelector('.blocks')?.firstChild != null;
  });
  return drawn.length === answers;
}
