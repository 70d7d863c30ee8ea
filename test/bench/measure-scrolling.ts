import { chromium } from 'playwright';
import { ChatPage } from '../support/pages/chat-page.ts';
import { longChatFile } from './long-chat.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';

const EXCHANGES = 100;

/** Measures scrolling a chat of 200 messages from its end to its beginning. */
export async function measureScrolling({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  await page.goto(url);
  const chat = new ChatPage(page);
  const title = 'A long chat';
  const file = longChatFile('long', title, EXCHANGES);
  await page.locator('conversation-list input[type=file]').setInputFiles(file);
  await chat.chatInList(title).click();
  // The oldest messages are added last.
  await chat.questions.nth(EXCHANGES - 1).waitFor();
  const scroller = page.getByRole('region', { name: 'Conversation' });

  const typical: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const frames = await scroller.evaluate(async (element) => {
      element.scrollTo({ top: element.scrollHeight });
      const times: number[] = [];
      let last = performance.now();
      while (element.scrollTop > 0) {
        element.scrollBy({ top: -Math.max(200, element.scrollHeight / 200) });
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        times.push(now - last);
        last = now;
      }
      // The first frame is the jump to the end.
      return times.slice(1).toSorted((a, b) => a - b);
    });
    typical.push(frames[Math.floor(frames.length / 2)]!);
    longest.push(frames.at(-1)!);
  }
  await browser.close();
  return [
    measurement('scrolling a chat of 200 messages, median frame', 'ms', typical),
    measurement('scrolling a chat of 200 messages, longest frame', 'ms', longest),
  ];
}
