import { expect } from '@playwright/test';
import { refusalOf } from '../../../src/chat/conversation/refusals/refusal.ts';
import { fakeSpeed } from '../../support/pages/fake-speed.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Questions beyond Pocket, of each kind; `npm run first-questions` asks a hundred of the endpoint. */
const BEYOND = [
  'Hello! Can you help me plan a birthday party for my daughter?',
  'Translate to French: the cat',
  'remind me to buy milk',
  '100/4',
  '日本で一番高い山は何ですか？',
];

test('a question beyond Pocket is declined in its language, with the offer of a larger model below it', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.removeItem('tabserve-device-speed'));
  await page.addInitScript(fakeSpeed, { weightsPerSecond: 2e9, graphics: null });
  const chat = await ChatPage.open(page);
  for (const [index, question] of BEYOND.entries()) {
    await chat.ask(question);
    const answer = page.getByRole('article', { name: 'Pocket answered' }).nth(index);
    const { text } = refusalOf(question, 'en', index > 0);
    await expect(answer).toContainText(text.replaceAll('*', ''));
    await expect(answer).not.toContainText('tool_call');
    await expect(answer.getByRole('button', { name: /SmolLM2 135M, 98.MB/ })).toBeVisible();
  }
});

test('the offer of larger models stays while it is shown, although the device is found to be too slow for them', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.removeItem('tabserve-device-speed'));
  await page.addInitScript(fakeSpeed, { weightsPerSecond: 2e9, graphics: null });
  await ChatPage.open(page);
  const offer = page.locator('model-offer');
  await expect(offer.getByRole('listitem').first()).toBeVisible();
  const words = await offer.innerText();
  await offer.evaluate(async (element) => {
    const known = JSON.parse(localStorage.getItem('tabserve-device-speed')!) as object;
    const slow = { ...known, speed: { weightsPerSecond: 1e6, graphics: null } };
    localStorage.setItem('tabserve-device-speed', JSON.stringify(slow));
    const shown = element as unknown as { requestUpdate(): void; readonly updateComplete: Promise<unknown> };
    shown.requestUpdate();
    await shown.updateComplete;
  });
  expect(await offer.innerText()).toBe(words);
  // Another new chat offers what the device can run.
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(offer).toContainText('Larger models would be too slow');
});

test('a double click on a suggested question asks it once, also on a slow device', async ({ page }) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const suggestion = page.locator('first-questions li button').first();
  await suggestion.evaluate((button) => {
    // A fast device has replaced the button before the second click.
    for (const detail of [1, 2])
      button.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, composed: true }));
  });
  await chat.answered();
  await expect(chat.questions).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Queued questions' })).toHaveCount(0);
});
