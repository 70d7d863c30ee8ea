import { expect } from '@playwright/test';
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

test('a question beyond Pocket is declined in one sentence, with a link to larger models below it', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  for (const [index, question] of BEYOND.entries()) {
    await chat.ask(question);
    const answer = page.getByRole('article', { name: 'Pocket answered' }).nth(index);
    await expect(answer).toContainText('I can’t answer that. I’m Pocket');
    await expect(answer).not.toContainText('tool_call');
    await expect(answer.getByText('This needs a real model.')).toBeVisible();
    await expect(answer.getByRole('button', { name: /^Get .+ and ask this again$/ })).toBeVisible();
  }
});
