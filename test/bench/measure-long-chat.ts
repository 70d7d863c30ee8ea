import { chromium, type Page } from 'playwright';
import { ChatPage } from '../support/pages/chat-page.ts';
import { scriptAnswers } from '../support/samples/scripted-stream.ts';
import { siteReady } from '../support/pages/site-page.ts';
import { longChatFile, longText } from './long-chat.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import { taskTimes } from './task-times.ts';

const EXCHANGES = 250;

/**
 * Measures the longest task, in CPU time, while a chat of 500 messages is opened, scrolled, typed in, answered
 * and left.
 */
export async function measureLongChat({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  // tsx compiles functions to use the helper `__name`, which the page lacks.
  await page.addInitScript('globalThis.__name = (named) => named');
  await scriptAnswers(page, {
    text: longText(30),
    pieceLength: 8,
    interval: 8,
  });
  await page.goto(url);
  await siteReady(page);
  const chat = new ChatPage(page);
  const longest: Record<string, number[]> = {};
  const measure = async (what: string, act: () => Promise<void>): Promise<void> => {
    const [first = 0] = await taskTimes(browser, page, act);
    (longest[what] ??= []).push(first);
  };
  for (let round = 0; round < rounds; round++) {
    const title = `A long chat ${round}`;
    const file = longChatFile(`long-${round}`, title, EXCHANGES);
    await page.locator('conversation-list input[type=file]').setInputFiles(file);
    // Resolve the locator before measuring: its search takes long on the page's main thread.
    const link = await chat.chatInList(title).elementHandle();
    await measure('opened', async () => {
      await link!.evaluate((element) => (element as HTMLElement).click());
      await drawn(page);
    });
    const scroller = await page.getByRole('region', { name: 'Conversation' }).elementHandle();
    await measure('scrolled from its end to its beginning and back', () => scroller!.evaluate(scrollThrough));
    await chat.field.focus();
    await measure('written in', () => page.keyboard.type('A question that takes a while to type.', { delay: 30 }));
    await measure('answered, a piece each 8 ms', async () => {
      await page.keyboard.press('Enter');
      await answered(page);
    });
    // Excludes work left over from the end of the answer.
    await page.waitForTimeout(3000);
    await measure('left for another screen', () => page.evaluate(leave));
    await page.evaluate(() => (location.hash = '#/'));
  }
  await browser.close();
  return Object.entries(longest).map(([what, times]) =>
    measurement(`longest task while a chat of ${2 * EXCHANGES} messages is ${what}, CPU`, 'ms', times, { atMost: 50 }),
  );
}

/** Waits until every answer is rendered. Rendering runs in idle time; the first answer comes last. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(isFirstDrawn, null, { polling: 500, timeout: 90_000 });
}

async function answered(page: Page): Promise<void> {
  for (const expected of [true, false])
    await page.waitForFunction(isAnswering, expected, { polling: 500, timeout: 90_000 });
}

/** Runs in the page. */
function isFirstDrawn(): boolean {
  const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
  const first = view?.querySelector('question-message')?.shadowRoot?.querySelector('.text')?.textContent;
  const text = view?.querySelector('answer-message')?.shadowRoot?.querySelector('markdown-text')?.shadowRoot;
  const isDrawn =
    text?.querySelector('.plain')?.textContent === '' && text.querySelector('.blocks')?.firstChild != null;
  return first === 'Question 0' && isDrawn;
}

/** Runs in the page. */
function isAnswering(expected: boolean): boolean {
  const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
  return view?.querySelector('message-composer')?.hasAttribute('answering') === expected;
}

/** Runs in the page. Removing the conversation may take a while. */
async function leave(): Promise<void> {
  location.hash = '#/privacy';
  await new Promise((resolve) => setTimeout(resolve, 4000));
}

/** Runs in the page. */
async function scrollThrough(scroller: Node): Promise<void> {
  const element = scroller as HTMLElement;
  for (const step of [-400, 400]) {
    let last = -1;
    while (element.scrollTop !== last) {
      last = element.scrollTop;
      element.scrollBy({ top: step });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }
}
