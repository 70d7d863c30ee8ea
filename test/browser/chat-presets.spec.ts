import { expect } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { scriptAnswers } from '../support/scripted-stream.ts';
import { test } from '../support/shared-context.ts';
import { siteReady } from '../support/site-page.ts';

test('a preset is chosen, one of the person is kept, new chats begin with it, and it can be deleted @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const settings = page.getByRole('button', { name: 'Settings of this chat' });
  const { dialog } = chat;
  const prompt = dialog.getByLabel('System prompt');
  const preset = dialog.getByRole('combobox', { name: 'Preset' });
  await settings.click();
  await expect(preset.getByRole('option')).toHaveCount(5);
  await preset.selectOption('Edits my text');
  await expect(prompt).toHaveValue(/careful editor/);
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0.2');

  await prompt.fill('Answer in rhymes.');
  await dialog.getByRole('button', { name: 'Save as a preset' }).click();
  await page.keyboard.type('Rhymes');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('“Rhymes” is kept.')).toBeVisible();
  await dialog.getByLabel('Begin new chats with it').check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await chat.ask('Do you rhyme?');

  await page.reload();
  await siteReady(page);
  await settings.click();
  await expect(preset.locator('option:checked')).toHaveText('Rhymes');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await settings.click();
  await expect(prompt).toHaveValue('Answer in rhymes.');
  await dialog.getByRole('button', { name: 'Delete this preset' }).click();
  await expect(preset.getByRole('option')).toHaveCount(5);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await siteReady(page);
  await settings.click();
  await expect(prompt).toHaveValue('');
});
