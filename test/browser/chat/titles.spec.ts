import { expect, type Locator, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

test('the model that answered names the chat once the user is idle, and a title that the user gave stays', async ({
  page,
}) => {
  await scriptLargeModel(page);
  const chat = await ChatPage.open(page);
  await pretendLoaded(page);
  await chat.ask('Why are leaves green in summer and red in autumn?');
  await expect(chat.chatInList('Why are leaves green')).toBeVisible();
  await expect(chat.chatInList('Colours of leaves')).toBeVisible();
  await expect(page).toHaveTitle(/Colours of leaves/);
  expect(await asked(page)).toEqual([
    'Why are leaves green in summer and red in autumn?',
    expect.stringMatching(/title/),
  ]);

  // A title is requested once. Neither later messages nor the user's own title lead to another request.
  await page.getByRole('heading', { level: 1 }).getByRole('button', { name: 'Colours of leaves' }).click();
  await chat.dialog.getByRole('textbox').fill('My leaves');
  await chat.dialog.getByRole('textbox').press('Enter');
  await chat.ask('And the bark?');
  await page.getByRole('link', { name: 'New chat' }).click();
  // Until the new chat is shown, the field still belongs to the previous one.
  await expect(page.getByRole('heading', { name: 'A language model, in this tab.' })).toBeVisible();
  await chat.ask('Why is the sea blue?');
  await expect(chat.chatInList('Colours of leaves')).toBeVisible();
  await expect(chat.chatInList('My leaves')).toBeVisible();
  expect((await asked(page)).filter((words) => words.includes('title'))).toHaveLength(2);
});

/** Scripts a model other than the built-in one, which answers questions and gives every chat the same title. */
async function scriptLargeModel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(window, { asked });
    const real = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      if (String(input).endsWith('v1/models')) {
        const list = (await (await real(input, init)).json()) as { data: object[] };
        return Response.json({ ...list, data: [...list.data, { id: 'large', context_window: 2048 }] });
      }
      if (!String(input).endsWith('v1/chat/completions')) return real(input, init);
      const { messages } = JSON.parse(await new Response(init?.body).text()) as { messages: { content: string }[] };
      const words = messages.at(-1)!.content;
      asked.push(words);
      const content = words.includes('title') ? '"Colours of leaves"' : 'Because of chlorophyll.';
      const chunks = [{ delta: { content } }, { delta: {}, finish_reason: 'stop' }].map(
        (choice) => `data: ${JSON.stringify({ model: 'large', choices: [choice] })}\n\n`,
      );
      return new Response([...chunks, 'data: [DONE]\n\n'].join(''), {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
  });
}

/** Makes the page believe that the scripted model is loaded. */
async function pretendLoaded(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { tabserve } = document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!;
    const { status } = tabserve;
    Object.defineProperty(tabserve, 'status', { value: { ...status, state: 'ready', model: 'large' } });
  });
}

function asked(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => (window as unknown as { readonly asked: readonly string[] }).asked);
}

test('a title is shown whole if there is room, in the header of a wide window and in the list', async ({ page }) => {
  const question =
    'Why does a rainbow always stand opposite to the sun, and why is its inside brighter than its outside?';
  await page.setViewportSize({ width: 1440, height: 900 });
  await scriptAnswers(page, { text: 'Because.', pieceLength: 8, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.ask(question);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(question);
  await expect.poll(() => heading.locator('span').evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await page.getByRole('link', { name: 'New chat' }).click();
  const link = chat.chatInList(question);
  const item = page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem');
  await expect.poll(async () => (await edge(item)) - (await edge(link))).toBeLessThan(4);
});

async function edge(part: Locator): Promise<number> {
  const { x, width } = (await part.boundingBox())!;
  return x + width;
}
