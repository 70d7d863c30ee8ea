import { expect, type Locator, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { chatWithTwoModels } from '../../support/pages/chat-with-two-models.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { test } from '../../support/pages/shared-context.ts';
import { unloadModels } from '../../support/pages/site-page.ts';

function meterOf(page: Page): Locator {
  return page.getByRole('button', { name: /tokens that this model can take in at once/ });
}

/** Returns the tokens in use and the size of the window, as the meter shows them. */
async function measured(page: Page): Promise<[used: number, window: number]> {
  const label = await meterOf(page).getAttribute('aria-label');
  const [used = 0, window = 0] = /([\d.,]+) of the ([\d.,]+) tokens/
    .exec(label ?? '')!
    .slice(1)
    .map((number) => Number(number.replaceAll(/\D/g, '')));
  return [used, window];
}

/** Returns the number of tokens that the endpoint counts. */
function counted(page: Page, content: string): Promise<number> {
  return page.evaluate(async (content) => {
    const response = await fetch('v1/tokenize', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content }] }),
    });
    return ((await response.json()) as { count: number }).count;
  }, content);
}

test('the context meter counts the tokens of chat and draft, and a chat that is too long continues in a new one', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  // With random sampling, an answer or a summary may be empty.
  await chat.settings({ Temperature: '0' });
  await expect(meterOf(page)).toHaveCount(0);
  await chat.field.fill('What is the capital of France?');
  await expect(meterOf(page)).toBeVisible();
  const [draft, window] = await measured(page);
  expect(draft).toBe(await counted(page, 'What is the capital of France?'));
  await chat.field.press('Enter');
  const answer = await chat.answered();
  await expect.poll(async () => (await measured(page))[0]).toBeGreaterThan(draft);

  const long = 'and so on '.repeat(window);
  await chat.field.fill(long);
  await page.locator('attachment-tray').getByRole('button', { name: 'Insert it as text' }).click();
  await chat.field.press('Enter');
  await expect(chat.notice('longer than the model can take in')).toBeVisible();
  const failed = chat.answers.last();
  await expect(failed.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await failed.getByRole('button', { name: 'Make room' }).click();
  await chat.dialog.getByRole('button', { name: 'The last messages' }).dblclick();
  await expect(page.getByRole('heading', { name: 'What is the capital of France? (continued)' })).toBeAttached();
  await expect(page.getByRole('link', { name: 'What is the capital of France? (continued)' })).toHaveCount(1);
  await expect(chat.questions).toHaveText(['What is the capital of France?']);
  await expect.poll(() => chat.text()).toBe(answer);
  await expect(chat.field).toHaveValue(long);

  await chat.field.fill('');
  await expect.poll(async () => (await measured(page))[0]).toBeLessThan(window);
  await meterOf(page).click();
  await expect(chat.dialog.getByRole('button', { name: 'the last messages' })).toBeVisible();
  // The built-in model is too small to summarise.
  await expect(chat.dialog.getByRole('button', { name: 'A summary' })).toHaveCount(0);
});

test('the context meter of a phone forgets the count of a chat that is left, also while no model can count', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  const chat = await ChatPage.open(page);
  await chat.ask('What is the capital of France?');
  await expect(meterOf(page)).toBeVisible();
  await unloadModels(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect(meterOf(page)).toHaveCount(0);
});

test('continuing in a new chat begins with a summary if the model can write one', async ({ page }) => {
  const chat = await chatWithTwoModels(page);
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('other');
  await chat.ask('And then?');
  await meterOf(page).click();
  await chat.dialog.getByRole('button', { name: 'A summary' }).click();
  await expect(chat.questions.filter({ hasText: 'What we have talked about so far:' })).toHaveCount(1);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(chat.answers).toHaveCount(0);
});

test('a chat that is nearly full says so, and can continue without its first messages, which are marked and can be restored', async ({
  page,
}) => {
  const asked: string[][] = [];
  await page.exposeFunction('tell', (contents: string[]) => void asked.push(contents));
  // A single answer nearly fills the second model's window of 2048 tokens.
  const chat = await chatWithTwoModels(page, { text: 'word '.repeat(380), pieceLength: 1, interval: 0 });
  await page.evaluate(() => {
    const scripted = window.fetch;
    window.fetch = async (input, init) => {
      if (String(input).endsWith('v1/chat/completions')) {
        const { messages } = (await new Response(init?.body).json()) as { messages: { content: string }[] };
        const tell = Reflect.get(globalThis, 'tell') as (contents: string[]) => Promise<void>;
        await tell(messages.map(({ content }) => content.slice(0, 12)));
      }
      return scripted(input, init);
    };
  });
  const warning = page.getByRole('status').filter({ hasText: 'it gets no further answer' });
  await expect(warning).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('other');
  await chat.ask('And then?');
  await expect(warning).toContainText('This chat takes up 93%');
  // The warning does not cover the button that scrolls to the end.
  const toEnd = page.getByRole('button', { name: 'Go to the end' });
  await page.getByRole('region', { name: 'Conversation' }).evaluate((element) => element.scrollTo({ top: 0 }));
  await toEnd.click();
  await expect(toEnd).toBeHidden();
  await warning.getByRole('button', { name: 'Make room' }).click();
  await chat.dialog.getByRole('button', { name: 'without the first messages' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const line = page.getByRole('note').filter({ hasText: 'The messages above are no longer sent' });
  await expect(line).toBeVisible();
  const [above, below] = [(await line.boundingBox())!, (await chat.questions.nth(1).boundingBox())!];
  expect(above.y + above.height).toBeLessThanOrEqual(below.y);

  await chat.send('And at last?');
  await expect.poll(() => asked.at(-1)).toEqual(['And then?', 'word word wo', 'And at last?']);
  await chat.answered();
  await line.getByRole('button', { name: 'Send it again' }).click();
  await expect(line).toHaveCount(0);
  await chat.send('Really?');
  await expect.poll(() => asked.at(-1)?.[0]).toBe('Why?');
  await warning.getByRole('button', { name: 'Dismiss' }).click();
  await expect(warning).toHaveCount(0);
  await expect(chat.field).toBeFocused();
});

test('the context meter counts unsent files as they will be sent, and a question that is too long takes them into a new chat', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await chat.field.fill('Who is Rex?');
  await expect(meterOf(page)).toBeVisible();
  const [draft] = await measured(page);
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  const asked = 'Attached file "notes.txt":\n```txt\nThe dog is called Rex.\n```\n\nWho is Rex?';
  await expect.poll(async () => (await measured(page))[0]).toBe(await counted(page, asked));
  await page.locator('attachment-tray').getByRole('button', { name: 'Remove notes.txt' }).click();
  await expect.poll(async () => (await measured(page))[0]).toBe(draft);

  // The system prompt leaves no room for the question.
  await dropFiles(page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await chat.settings({ 'System prompt': 'and so on '.repeat(2000) });
  await chat.field.press('Enter');
  await expect(chat.notice('The system prompt in the settings of this chat counts too')).toBeVisible();
  await chat.answers.getByRole('button', { name: 'Make room' }).click();
  await chat.dialog.getByRole('button', { name: 'The last messages' }).click();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('Who is Rex?');
  await expect(page.locator('attachment-tray').getByText('notes.txt')).toBeVisible();
});

test('the context meter counts unsent images as the model does', async ({ page }) => {
  await page.addInitScript(() => {
    const real = window.fetch;
    window.fetch = async (input, init) => {
      const response = await real(input, init);
      if (!String(input).endsWith('v1/models')) return response;
      const list = (await response.json()) as { data: { tabserve: { capabilities: object } }[] };
      for (const { tabserve } of list.data) tabserve.capabilities = { ...tabserve.capabilities, images: true };
      return Response.json(list);
    };
  });
  const chat = await ChatPage.open(page);
  // The built-in model does not support images; the test pretends that it does.
  await page.evaluate(() => {
    const { tabserve } = document.querySelector<HTMLElement & { tabserve: { call: unknown } }>('chat-app')!;
    tabserve.call = async (_name: string, { input }: { input: object }) => ({
      tokens: Array.from({ length: 10 + 500 * (JSON.stringify(input).split('"image"').length - 1) }, () => 1),
      pieces: null,
    });
  });
  await chat.field.fill('What is this?');
  await expect.poll(async () => (await measured(page))[0]).toBe(10);
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4, 4);
    canvas.getContext('2d')!.fillRect(0, 0, 4, 4);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await dropFiles(page, [{ name: 'dot.png', type: 'image/png', parts: [png] }]);
  await expect.poll(async () => (await measured(page))[0]).toBe(510);
});
