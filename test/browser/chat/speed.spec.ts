import { expect, type Page } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { openSite } from '../../support/pages/site-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { longChatFile } from '../../bench/long-chat.ts';

/** About 5,000 tokens with every Markdown construct, in blocks of usual sizes. */
const LONG_ANSWER = Array.from({ length: 60 }, (_, index) =>
  [
    `## Part ${index + 1}`,
    'A paragraph with **bold** words, `code` and a [link](https://example.org), long enough to wrap over a few lines of the page.',
    '- first\n- second\n  - nested\n- third',
    `| n | square |\n|---|---|\n| ${index} | ${index * index} |`,
    `\`\`\`js\nconst part = ${index};\nconsole.log(part);\n\`\`\``,
  ].join('\n\n'),
).join('\n\n');

interface Drawn {
  readonly redrawn: number;
}

test('in a long scripted stream each finished block is rendered once and keeps its element', async ({ page }) => {
  await scriptAnswers(page, { text: LONG_ANSWER, pieceLength: 40, interval: 5 });
  const chat = await ChatPage.open(page);
  await chat.send('Tell me everything');
  const firstBlock = chat.answers.last().locator('markdown-text .blocks > div').first();
  await firstBlock.waitFor();
  await firstBlock.evaluate((block) => {
    const drawn = { redrawn: 0 };
    Object.defineProperty(globalThis, 'drawn', { value: drawn });
    // Finished blocks may be coloured and joined by others, never replaced.
    new MutationObserver((changes) => {
      for (const { removedNodes, target } of changes)
        if (target === block.parentElement) drawn.redrawn += removedNodes.length;
    }).observe(block.parentElement!, { childList: true });
  });
  await chat.answered();
  expect(await page.evaluate(() => (globalThis as unknown as { drawn: Drawn }).drawn.redrawn)).toBe(0);
  await expect(chat.answers.last().locator('markdown-text .blocks > div')).toHaveCount(300);
  await expect(chat.answers.last().getByRole('heading', { name: 'Part 60' })).toBeVisible();
});

test('while a long answer grows the page stays scrolled to its end, until the user scrolls away', async ({ page }) => {
  await scriptAnswers(page, { text: LONG_ANSWER, pieceLength: 20, interval: 10 });
  const chat = await ChatPage.open(page);
  await chat.send('Tell me everything');
  const scroller = page.getByRole('region', { name: 'Conversation' });
  await expect.poll(() => scroller.evaluate((element) => element.scrollHeight)).toBeGreaterThan(2000);
  expect(
    await scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight),
  ).toBeLessThan(100);
  await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(page.getByRole('button', { name: 'Go to the end' })).toBeVisible();
  const height = await scroller.evaluate((element) => element.scrollHeight);
  await expect.poll(() => scroller.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height + 500);
  expect(await scroller.evaluate((element) => element.scrollTop)).toBeLessThan(50);
  await page.getByRole('button', { name: 'Go to the end' }).click();
  await expect(page.getByRole('button', { name: 'Go to the end' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(chat.notice('You stopped this answer.')).toBeVisible();
});

test('the page stays at its end when content above the view shrinks while content below grows', async ({ page }) => {
  await openChatOfFive(page);
  const scroller = page.getByRole('region', { name: 'Conversation' });
  await scroller.evaluate(async (element) => {
    const answers = [...element.querySelectorAll<HTMLElement>('answer-message')];
    const [above, below] = [answers[1]!, answers.at(-1)!];
    above.style.minHeight = `${above.clientHeight + 300}px`;
    // The page scrolls to its end in this frame. The event of that scrolling comes in the next one.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    above.style.minHeight = '';
    below.style.paddingBottom = '304px';
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  const distance = () =>
    scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await expect.poll(distance).toBeLessThan(2);
  await expect(page.getByRole('button', { name: 'Go to the end' })).toHaveCount(0);
});

test('a turn of the wheel leaves the end although something grows in every frame', async ({ page }) => {
  const chat = await openChatOfFive(page);
  const scroller = page.getByRole('region', { name: 'Conversation' });
  await chat.answers.last().evaluate((answer: HTMLElement) => {
    let padding = 0;
    const grow = () => {
      answer.style.paddingBottom = `${(padding += 2)}px`;
      // After the frame, so that the next event of scrolling finds another height.
      requestAnimationFrame(() => setTimeout(grow));
    };
    grow();
  });
  await scroller.hover();
  await page.mouse.wheel(0, -300);
  await expect(page.getByRole('button', { name: 'Go to the end' })).toBeVisible();
});

/** Opens a chat that is longer than the page, at its end. */
async function openChatOfFive(page: Page): Promise<ChatPage> {
  await openSite(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(longChatFile('some', 'Some questions', 5));
  const chat = new ChatPage(page);
  await chat.chatInList('Some questions').click();
  await expect(chat.answers.last().getByText('const answer')).toBeInViewport();
  return chat;
}

test('while the user types in a newly opened chat of 400 messages, its older messages are not added', async ({
  page,
}) => {
  const messages = Array.from({ length: 200 }, (_, index) => [
    sampleQuestion({ id: `q${index}`, parent: index === 0 ? null : `a${index - 1}`, created: index * 2, text: 'Why?' }),
    sampleAnswer({ id: `a${index}`, parent: `q${index}`, created: index * 2 + 1, text: LONG_ANSWER.slice(0, 900) }),
  ]).flat();
  const file = conversationFile([
    { conversation: sampleConversation({ id: 'long', title: 'A long chat', leaf: 'a199' }), messages },
  ]);
  await page.goto('/');
  const chat = new ChatPage(page);
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(chat.chatInList('A long chat')).toBeVisible();
  // Types by a script in the page as soon as the chat is shown: Playwright would wait until the page is idle.
  const added = await page.evaluate(async () => {
    const app = document.querySelector('chat-app')!.shadowRoot!;
    const view = () => app.querySelector('conversation-view')?.shadowRoot;
    const count = () => view()?.querySelectorAll('question-message, answer-message').length ?? 0;
    location.hash = '#/chat/long';
    while (count() === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    const field = view()!.querySelector('message-composer')!.shadowRoot!.querySelector('textarea')!;
    const before = count();
    for (const key of 'hello there') {
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
      field.setRangeText(key, field.value.length, field.value.length, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    return count() - before;
  });
  expect(added).toBeLessThanOrEqual(24);
  await expect(chat.field).toHaveValue('hello there');
  await expect(page.locator('question-message, answer-message')).toHaveCount(400, { timeout: 90_000 });
});

test('a chat of 200 messages opens at its end, skips the layout of off-screen messages, and is removed in steps', async ({
  page,
}) => {
  const messages = Array.from({ length: 100 }, (_, index) => [
    sampleQuestion({
      id: `q${index}`,
      parent: index === 0 ? null : `a${index - 1}`,
      created: index * 2,
      text: `Question ${index}`,
    }),
    sampleAnswer({
      id: `a${index}`,
      parent: `q${index}`,
      created: index * 2 + 1,
      text: LONG_ANSWER.slice(0, 600 + index * 7),
    }),
  ]).flat();
  const file = conversationFile([
    { conversation: sampleConversation({ id: 'long', title: 'A long chat', leaf: 'a99' }), messages },
  ]);
  await page.goto('/');
  const chat = new ChatPage(page);
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await chat.chatInList('A long chat').click();
  await expect(chat.questions.last()).toHaveText('Question 99');
  await expect(chat.answers.last().getByRole('button', { name: 'Copy the answer' })).toBeInViewport();
  // Earlier messages are added to the page step by step.
  await expect(page.locator('answer-message')).toHaveCount(100);
  const skipped = await page
    .locator('answer-message')
    .evaluateAll(
      (answers) =>
        answers.filter(
          (answer) =>
            !answer.checkVisibility({ contentVisibilityAuto: true }) || answer.getBoundingClientRect().bottom < -3000,
        ).length,
    );
  expect(skipped).toBeGreaterThan(50);
  await page.getByRole('region', { name: 'Conversation' }).evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(chat.questions.first()).toBeInViewport();
  // The first answer is drawn last. Polling it by its role would keep the page from drawing.
  await page.waitForFunction(
    () => {
      const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
      const text = view?.querySelector('answer-message')?.shadowRoot?.querySelector('markdown-text')?.shadowRoot;
      return text?.querySelector('.plain')?.textContent === '';
    },
    null,
    { polling: 500, timeout: 90_000 },
  );
  await expect(chat.answers.first().getByRole('heading', { name: 'Part 1', exact: true })).toBeInViewport();

  // Messages are removed in steps, because removing all of them at once would block the page.
  for (const [link, heading] of [
    ['New chat', 'A language model'],
    ['Models', 'More models'],
  ] as const) {
    await chat.chatInList('A long chat').click();
    await expect(page.locator('answer-message')).toHaveCount(100);
    const left = await watchLeaving(page);
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect.poll(() => left.evaluate(({ all }) => all)).toBe(200);
    expect(await left.evaluate(({ most }) => most)).toBeLessThanOrEqual(50);
    await expect(page.locator('answer-message')).toHaveCount(0);
  }
  await expect(page.locator('conversation-view')).toHaveCount(0);

  // If the user returns to a chat while its messages are being removed, it is shown once.
  await page.goBack();
  await expect(chat.questions.last()).toHaveText('Question 99');
  await page.evaluate(() => {
    for (const hash of ['#/privacy', '#/chat/long']) setTimeout(() => (location.hash = hash));
  });
  await expect(page.locator('conversation-view')).toHaveCount(1);
  await expect(chat.field).toHaveCount(1);
  await expect(chat.questions.last()).toHaveText('Question 99');
});

/** Counts the messages that are removed from the chat on the screen: the most in one step, and all. */
function watchLeaving(page: Page) {
  return page.evaluateHandle(() => {
    const view = document.querySelector('chat-app')?.shadowRoot?.querySelector('conversation-view')?.shadowRoot;
    const left = { most: 0, all: 0 };
    new MutationObserver((changes) => {
      const gone = changes
        .flatMap(({ removedNodes }) => [...removedNodes])
        .flatMap((node) => (node instanceof Element ? [node, ...node.querySelectorAll('*')] : []))
        .filter(({ localName }) => /^(question|answer)-message$/.test(localName));
      left.most = Math.max(left.most, gone.length);
      left.all += gone.length;
    }).observe(view!, { childList: true, subtree: true });
    return left;
  });
}
