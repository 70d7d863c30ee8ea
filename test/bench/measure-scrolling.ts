import { chromium } from '@playwright/test';
import { conversationFile } from '../../src/chat/transfer/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../src/chat/gallery/samples/conversation.ts';
import { ChatPage } from '../support/chat-page.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';

const EXCHANGES = 100;
const ANSWER = [
  '## A heading',
  'A paragraph with **bold** words, `code` and a [link](https://example.org), long enough to wrap over a few lines.',
  '- first\n- second\n- third',
  '```js\nconst answer = 42;\nconsole.log(answer);\n```',
].join('\n\n');

/** Scrolling through a chat of 200 messages from its end to its beginning. */
export async function measureScrolling({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  await page.goto(url);
  const chat = new ChatPage(page);
  await page.locator('input[type=file]').setInputFiles({
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(longConversation()),
  });
  await chat.chatInList('A long chat').click();
  await chat.questions.last().waitFor();
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
      // The first is the jump to the end.
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

function longConversation(): string {
  const messages = Array.from({ length: EXCHANGES }, (_, index) => [
    sampleQuestion({
      id: `q${index}`,
      parent: index ? `a${index - 1}` : null,
      created: index * 2,
      text: `Question ${index}`,
    }),
    sampleAnswer({ id: `a${index}`, parent: `q${index}`, created: index * 2 + 1, text: ANSWER }),
  ]).flat();
  const conversation = sampleConversation({ id: 'long', title: 'A long chat', leaf: `a${EXCHANGES - 1}` });
  return conversationFile([{ conversation, messages }]);
}
