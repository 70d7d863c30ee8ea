import { expect, type BrowserContext, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

test('in a scripted stream thinking is folded, and code is highlighted and copied unchanged @firefox', async ({
  page,
  context,
  browserName,
}) => {
  if (browserName !== 'firefox') await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = 'const less = 1 < 2; // "quoted" & <b>bold</b>';
  await scriptAnswers(page, {
    text: `Look:\n\n\`\`\`js\n${code}\n\`\`\`\n\nDone.`,
    thinking: 'They want **code**.',
    pieceLength: 6,
    interval: 5,
  });
  const chat = await ChatPage.open(page);
  await chat.ask('Show me code');
  await expect(page.getByText('They want code.')).toBeHidden();
  await page.getByText('Thought before answering').click();
  await expect(page.getByText('They want code.')).toBeVisible();

  await expect(page.locator('.hljs-keyword', { hasText: 'const' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy this code' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.getByRole('button', { name: 'Copy the answer' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\n\nDone.`);
});

test('a scripted stream that is stopped keeps its speed figures, which a button shows', async ({ page }) => {
  await scriptAnswers(page, { text: 'word '.repeat(5000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('Talk for long');
  await chat.growing();
  await chat.stop();
  const button = chat.answers.last().getByRole('button', { name: 'Details of this answer' });
  const figures = chat.answers.last().getByRole('group', { name: 'Details of this answer' });
  await expect(figures).toHaveCount(0);
  await button.click();
  await expect(figures).toContainText(/\d tokens\s+[\d.,]+ tokens\/s/);
  const words = () => chat.text().then((text) => String(text.trim().split(/\s+/).length));
  const tokens = /(\d+) tokens/.exec(await figures.innerText())?.[1];
  await expect.poll(words).toBe(tokens);
  await page.reload();
  await button.click();
  await expect(figures).toContainText(`${tokens} tokens`);
  await button.click();
  await expect(figures).toHaveCount(0);
});

test('questions sent during an answer are queued and can be edited and removed; they survive a reload and are sent one by one', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'word '.repeat(4000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('First');
  await chat.growing();
  const waiting = page.getByRole('list', { name: 'Queued questions' }).getByRole('listitem');
  for (const question of ['Second', 'Third', 'Fourth']) await chat.send(question);
  await expect(waiting).toContainText(['Second', 'Third', 'Fourth']);
  await expect(chat.field).toHaveValue('');
  await waiting.nth(1).getByRole('button', { name: 'Remove' }).click();
  await waiting.nth(1).getByRole('button', { name: 'Edit' }).click();
  await expect(waiting).toHaveCount(1);
  await expect(chat.field).toHaveValue('Fourth');
  // A button sends the question, too, beside the one that stops the answer.
  await page.getByRole('button', { name: 'Send after this answer' }).click();
  await expect(waiting).toContainText(['Second', 'Fourth']);
  await expect(chat.questions).toHaveCount(1);

  await page.keyboard.press('Escape');
  await expect(chat.questions).toHaveText(['First', 'Second']);
  await expect(waiting).toContainText(['Fourth']);
  await expect(chat.answers).toHaveCount(2);
  await chat.growing();
  await page.reload();
  await expect(waiting).toContainText(['Fourth']);
  // The scripted stream cannot be resumed. After an interrupted answer, a queued question waits for the user.
  await expect(page.getByText('This answer was interrupted')).toBeVisible();
  await expect(chat.questions).toHaveCount(2);
  await waiting.getByRole('button', { name: 'Send now' }).click();
  await expect(chat.questions).toHaveText(['First', 'Second', 'Fourth']);
  await expect(waiting).toHaveCount(0);
});

test('Escape that empties the search field of the chats stops no answer', async ({ page }) => {
  await scriptAnswers(page, { text: 'word '.repeat(4000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('Talk for long');
  await chat.growing();
  const search = page.getByRole('searchbox', { name: 'Search chats' });
  await search.fill('whale');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  const { length } = await chat.text();
  await expect.poll(async () => (await chat.text()).length).toBeGreaterThan(length);
  await chat.field.focus();
  await chat.stop();
});

test('a queued question is sent once, although two tabs show its chat', async ({ page, context }) => {
  const { chat, other } = await growInTwoTabs(page, context);
  await other.send('And then?');
  await expect(page.getByRole('list', { name: 'Queued questions' })).toContainText('And then?');
  await page.getByRole('button', { name: 'Stop' }).click();
  for (const tab of [chat, other]) {
    await expect(tab.questions).toHaveCount(2);
    await expect(tab.page.getByRole('list', { name: 'Queued questions' })).toHaveCount(0);
  }
  await expect(chat.answers).toHaveCount(2);
});

test('below an answer from a scripted stream the actions keep their place at every width', async ({ page }) => {
  await scriptAnswers(page, { text: 'An answer.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const copies = chat.answers.getByRole('button', { name: 'Copy the answer' });
  for (const [index, question] of ['Why?', 'And then?'].entries()) {
    await chat.send(question);
    await expect(copies).toHaveCount(index + 1);
  }
  await chat.answers.last().getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.answers.last().getByText('Version 2 of 2')).toBeAttached();
  await expect(copies).toHaveCount(2);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ['Copy the answer', 'Ask again', 'Details of this answer']) {
      const places = chat.answers.getByRole('button', { name });
      const [first, last] = [(await places.first().boundingBox())!, (await places.last().boundingBox())!];
      expect(last.x, `${name} at ${width}`).toBe(first.x);
    }
    const [copy, text] = [
      (await chat.answers.last().getByRole('button', { name: 'Copy the answer' }).boundingBox())!,
      (await chat.answers.last().locator('markdown-text').boundingBox())!,
    ];
    expect(copy.x, `at ${width}`).toBeLessThan(text.x + 1);
  }
});

test('a list in a scripted stream keeps its numbers, and a table keeps the alignment of its columns', async ({
  page,
}) => {
  const text = '3. three\n4. four\n\n- [x] done\n\n| left | right | middle |\n|---|--:|:-:|\n| 1 | 2 | 3 |';
  await scriptAnswers(page, { text, pieceLength: 5, interval: 1 });
  const chat = await ChatPage.open(page);
  await chat.ask('Count');
  const answer = chat.answers.last();
  await expect(answer.locator('ol')).toHaveAttribute('start', '3');
  await expect(answer.getByRole('listitem').filter({ hasText: '☑ done' })).toHaveCSS('list-style-type', 'none');
  const sides = await answer
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
  expect(sides).toEqual(['left', 'right', 'center']);
});

test('another tab shows a scripted stream growing, and its final state when its tab is closed @firefox', async ({
  page,
  context,
}) => {
  const { other } = await growInTwoTabs(page, context);
  const { length } = await other.text();
  await expect.poll(async () => (await other.text()).length).toBeGreaterThan(length + 50);
  await expect(other.page.getByText('This answer was interrupted')).toHaveCount(0);
  await page.close();
  await expect(other.page.getByText('This answer was interrupted')).toBeVisible();
  expect((await other.text()).length).toBeGreaterThan(length);
});

test('a scripted stream that grows in one tab can be stopped in another', async ({ page, context }) => {
  const { chat, other } = await growInTwoTabs(page, context);
  await other.page.getByRole('button', { name: 'Stop' }).click();
  for (const tab of [chat, other]) {
    await expect(tab.notice('You stopped this answer.')).toBeVisible();
    await expect(tab.page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  }
  // Each tab may still be drawing the last pieces.
  await expect(async () => expect(await other.text()).toBe(await chat.text())).toPass();
});

test('a question that cannot be stored is not sent, and stays in its field', async ({ page }) => {
  await scriptAnswers(page, { text: 'An answer.', pieceLength: 5, interval: 1 });
  const chat = await ChatPage.open(page);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
      throw new DOMException('No room left.', 'QuotaExceededError');
    };
  });
  await chat.send('Is there room?');
  await expect(page.getByText('The chat could not be stored')).toBeVisible();
  await expect(chat.field).toHaveValue('Is there room?');
  await expect(page.getByRole('heading', { name: 'A language model' })).toBeVisible();
  await expect(chat.answers).toHaveCount(0);
});

for (const { answer, pieces, isLate } of [
  { answer: 'an answer from a scripted stream', pieces: { pieceLength: 4, interval: 5 }, isLate: false },
  {
    answer: 'an answer from a scripted stream that is complete before the code for answers has come',
    pieces: { pieceLength: 40, interval: 0 },
    isLate: true,
  },
])
  test(`a screen reader is told the finished parts of ${answer}, then its end`, async ({ page }) => {
    await scriptAnswers(page, { text: 'First part.\n\nSecond part.\n\nThird part.', ...pieces });
    if (isLate) {
      await page.route('**/assets/answer-message-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 15_000));
        await route.continue();
      });
    }
    const chat = await ChatPage.open(page);
    await chat.send('Read to me');
    await expect(page.getByRole('log').getByRole('paragraph')).toHaveText([
      'Answering',
      'First part.',
      'Second part.',
      'Third part.',
      'The answer is complete.',
    ]);
  });

/** Starts a long answer in one tab and opens its chat in another. */
async function growInTwoTabs(page: Page, context: BrowserContext): Promise<{ chat: ChatPage; other: ChatPage }> {
  await scriptAnswers(page, { text: 'word '.repeat(5000), pieceLength: 5, interval: 20 });
  const chat = await ChatPage.open(page);
  await chat.send('Talk for long');
  await chat.growing();
  const other = new ChatPage(await context.newPage());
  await other.page.goto('/');
  await other.chatInList('Talk for long').click();
  await other.growing();
  return { chat, other };
}
