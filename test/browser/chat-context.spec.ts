import { expect, type Locator, type Page } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { test } from '../support/shared-context.ts';

function meterOf(page: Page): Locator {
  return page.getByRole('button', { name: /tokens that this model can take in at once/ });
}

/** Tokens that the meter tells, and those it measures them against. */
async function measured(page: Page): Promise<[used: number, window: number]> {
  const label = await meterOf(page).getAttribute('aria-label');
  const [used = 0, window = 0] = /([\d.,]+) of the ([\d.,]+) tokens/
    .exec(label ?? '')!
    .slice(1)
    .map((number) => Number(number.replaceAll(/\D/g, '')));
  return [used, window];
}

/** What the endpoint counts. */
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

test('the meter tells the tokens of chat and draft, and a chat that is too long goes on in a new one @firefox', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await expect(meterOf(page)).toHaveCount(0);
  await chat.field.fill('What is the capital of France?');
  await expect(meterOf(page)).toBeVisible();
  const [draft, window] = await measured(page);
  expect(draft).toBe(await counted(page, 'What is the capital of France?'));
  await chat.field.press('Enter');
  const answer = await chat.answered();
  await expect.poll(async () => (await measured(page))[0]).toBeGreaterThan(draft);

  const long = 'and so on '.repeat(window);
  await chat.send(long);
  await expect(chat.notice('longer than the model can take in')).toBeVisible();
  const failed = chat.answers.last();
  await expect(failed.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await failed.getByRole('button', { name: 'Continue in a new chat' }).click();
  await chat.dialog.getByRole('button', { name: 'The last messages' }).click();
  await expect(page.getByRole('heading', { name: 'What is the capital of France? (continued)' })).toBeAttached();
  await expect(chat.questions).toHaveText(['What is the capital of France?']);
  await expect.poll(() => chat.text()).toBe(answer);
  await expect(chat.field).toHaveValue(long);

  await chat.field.fill('');
  await expect.poll(async () => (await measured(page))[0]).toBeLessThan(window);
  await meterOf(page).click();
  await chat.dialog.getByRole('button', { name: 'A summary' }).click();
  await expect(chat.questions).toHaveText(/What we have talked about so far:/, { timeout: 100_000 });
  await expect(chat.answers).toHaveCount(0);
  const next = await chat.ask('What is the capital of Italy?');
  expect(next).toMatch(/\w/);
});
