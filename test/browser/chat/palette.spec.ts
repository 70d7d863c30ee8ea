import { expect } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { test } from '../../support/pages/shared-context.ts';

test('the command palette runs every action and opens every chat by keyboard @firefox @core', async ({ page }) => {
  const chats = ['Lighthouses of Brittany', 'Sourdough'].map((title, index) => ({
    conversation: sampleConversation({ id: `c${index}`, title, leaf: `a${index}` }),
    messages: [
      sampleQuestion({ id: `q${index}`, conversation: `c${index}`, text: `What about ${title}?` }),
      sampleAnswer({ id: `a${index}`, conversation: `c${index}`, parent: `q${index}`, text: `All about ${title}.` }),
    ],
  }));
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile(chats)),
  });
  await expect(page.getByText('2 chats imported')).toBeVisible();

  const field = page.getByRole('combobox', { name: 'Actions and chats' });
  const chosen = page.locator('command-palette').getByRole('option', { selected: true });
  /** Runs the chosen entry, and waits until the palette is closed. */
  const take = async () => {
    await page.keyboard.press('Enter');
    await expect(field).toHaveCount(0);
  };
  const type = async (words: string) => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await page.keyboard.type(words);
  };
  await type('lgths');
  await expect(chosen).toHaveText('Lighthouses of Brittany');
  await take();
  await expect.poll(() => chat.text()).toBe('All about Lighthouses of Brittany.');

  // Going back closes the palette. In Firefox, Playwright's `goBack` would wait for a load event that never comes.
  await type('lgths');
  await page.evaluate(() => history.back());
  await expect(field).toHaveCount(0);
  await page.evaluate(() => history.forward());
  await expect(chat.questions).toHaveText('What about Lighthouses of Brittany?');

  await type('chat pin');
  await expect(chosen).toHaveText('This chat: Pin');
  await take();
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();

  await type('preset code');
  await expect(chosen).toHaveText('Preset: Helps with code');
  await take();
  await expect(chat.dialog.getByLabel('System prompt')).toHaveValue(/experienced programmer/);
  // It is only offered: Escape leaves the settings of the chat as they are, and Save has the focus.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  for (const prompt of ['', /experienced programmer/]) {
    await type('settings of');
    await take();
    await expect(chat.dialog.getByLabel('System prompt')).toHaveValue(prompt);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await type('preset code');
    await take();
    await expect(chat.dialog.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  for (const [words, command] of [
    ['last copy', 'Last answer: Copy the answer'],
    ['attach', 'Attach files'],
    ['make ro', 'Make room'],
  ] as const) {
    await type(words);
    await expect(chosen).toHaveText(command);
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
  }
  await type('dark');
  await take();
  await expect(page.locator('html')).toHaveAttribute('data-colour-scheme', 'dark');

  await type('models');
  await take();
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();

  // Arrow up on the first entry selects the last one, which searches the chats.
  await type('sour');
  await expect(chosen).toHaveText('Sourdough');
  await page.keyboard.press('ArrowUp');
  await expect(chosen).toHaveText('Search the chats for “sour”');
  await take();
  await expect(page.getByRole('searchbox', { name: 'Search chats' })).toHaveValue('sour');
  await expect(page.getByRole('navigation', { name: 'Chats' }).getByRole('link')).toHaveText(['Sourdough']);

  await type('keyb');
  await take();
  await expect(chat.dialog).toContainText('Find any action or chat');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await type('nothing is called like this');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
});

test('a shortcut pressed in a dialog opens nothing above it and keeps what was typed', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await expect(chat.field).toBeFocused();
  const palette = page.getByRole('combobox', { name: 'Actions and chats' });
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  // Once they are loaded, both open at once.
  for (const [key, shown] of [
    ['Control+k', palette],
    ['Control+/', help],
  ] as const) {
    await page.keyboard.press(key);
    await expect(shown).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(shown).toBeHidden();
  }
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const prompt = page.getByLabel('System prompt');
  await prompt.fill('Be');
  for (const key of ['Control+k', 'Control+/', 'Control+Alt+n', 'Control+Alt+p']) await page.keyboard.press(key);
  await page.keyboard.type(' brief.');
  await expect(prompt).toHaveValue('Be brief.');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await chat.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.press('Control+/');
  await page.keyboard.type('models');
  await expect(palette).toHaveValue('models');
  await expect(help).toBeHidden();
});

test('when the focused element disappears with its screen, the focus moves to the field or the main area of the next one', async ({
  page,
}) => {
  await page.goto('/');
  const { field } = new ChatPage(page);
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Actions and chats' });
  await expect(palette).toBeFocused();
  await page.keyboard.type('models');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'Models', exact: true });
  const main = page.getByRole('main');
  await expect(heading).toBeVisible();
  await expect(main).toBeFocused();
  // `main` extends to the edges of the window, where most of a focus outline would be cut off.
  await expect(main).toHaveCSS('outline-style', 'none');

  await page.getByRole('searchbox', { name: 'Search', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.evaluate(() => history.back());
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.evaluate(() => history.forward());
  await expect(heading).toBeVisible();
  await expect(main).toBeFocused();
  await page.evaluate(() => history.back());
  await expect(field).toBeFocused();
});

test('the palette changes the language of the page', async ({ page }) => {
  await page.goto('/');
  await expect(new ChatPage(page).field).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Actions and chats' })).toBeFocused();
  await page.keyboard.type('language');
  const chosen = page.locator('command-palette').getByRole('option', { selected: true });
  await expect(chosen).toHaveText('Language: Deutsch');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Deine Frage' })).toBeVisible();
});
