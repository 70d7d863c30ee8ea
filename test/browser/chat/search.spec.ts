import { expect, test } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { openSite, pageStatus } from '../../support/pages/site-page.ts';

const QUESTIONS = {
  Sea: 'A whale is a large animal that lives in the sea.',
  Kitchen: 'How do I bake bread?',
  Script: 'Write a function that sorts a list in JavaScript.',
};

test('semantic search finds chats, and the first search loads Pocket Embed @firefox', async ({ page }) => {
  const chats = Object.entries(QUESTIONS).map(([id, text]) => ({
    conversation: sampleConversation({ id, title: `Chat ${id}`, leaf: `q${id}` }),
    messages: [sampleQuestion({ id: `q${id}`, conversation: id, text })],
  }));
  await openSite(page);
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile(chats)),
  });
  await expect(page.getByText('3 chats imported')).toBeVisible();
  expect(await pageStatus(page)).not.toHaveProperty('embeddingModel');

  const search = page.getByRole('searchbox', { name: 'Search chats' });
  const titles = () => page.getByRole('navigation', { name: 'Chats' }).getByRole('link').allInnerTexts();
  await search.fill('cooking');
  await expect(page.getByRole('heading', { name: 'Related' })).toBeVisible({ timeout: 60_000 });
  await expect.poll(titles).toEqual(['Chat Kitchen']);
  expect(await pageStatus(page)).toHaveProperty('embeddingModel', 'pocket-embed');
  await search.fill('sorting an array');
  await expect.poll(titles).toEqual(['Chat Script']);
  await search.fill('whale');
  await expect.poll(titles).toEqual(['Chat Sea']);
});
