import { expect } from '@playwright/test';
import { refusalOf } from '../../../src/chat/conversation/refusals/refusal.ts';
import { fakeSpeed } from '../../support/pages/fake-speed.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
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
