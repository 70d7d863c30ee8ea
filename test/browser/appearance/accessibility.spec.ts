import { expect, type Locator } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { everyAnswerFile } from '../../support/samples/every-answer.ts';
import { chatWithTwoModels } from '../../support/pages/chat-with-two-models.ts';
import { scriptCalls } from '../../support/samples/scripted-calls.ts';
import { savedFile } from '../../support/browsers/saved-file.ts';
import { test } from '../../support/pages/shared-context.ts';

// screens.spec.ts and gallery.spec.ts examine all screens, dialogs and elements. These are further cases.
test.setTimeout(300_000);

test('on a phone no answer is wider than the screen, and a menu in the drawer leaves the drawer open', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/#/');
  const chat = new ChatPage(page);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.locator('conversation-list input[type=file]').setInputFiles(everyAnswerFile());
  await chat.fromMenu('Every answer', 'Pin');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await page.getByRole('button', { name: 'Close the menu' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await chat.chatInList('Every answer').click();
  await expect(chat.answers.last()).toBeVisible();
  const wide = await page.evaluate(() => {
    const view = document.querySelector('chat-app')!.shadowRoot!.querySelector('conversation-view')!.shadowRoot!;
    const scroller = view.querySelector('.scroller')!;
    return { page: document.documentElement.scrollWidth, messages: scroller.scrollWidth - scroller.clientWidth };
  });
  expect(wide).toEqual({ page: 320, messages: 0 });
});

test('each text is laid out in its own direction', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(everyAnswerFile());
  await chat.chatInList('Every answer').click();
  const paragraph = chat.answers.last().locator('markdown-text p').first();
  await expect(paragraph).toHaveText('مرحبا بالعالم');
  expect(await paragraph.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('every action of the chat page works with the keyboard alone @firefox', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await expect(chat.field).toBeFocused();
  await page.keyboard.type('What is');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('27 + 35?');
  await page.keyboard.press('Enter');
  await expect(chat.questions).toHaveText('What is\n27 + 35?');
  await chat.answered();

  // Arrow up in the empty field edits the last question; Escape goes back.
  await expect(chat.field).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('textbox', { name: 'Edit your question' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Edit your question' })).toHaveCount(0);

  await page.keyboard.press('Control+Shift+f');
  await expect(page.getByRole('searchbox', { name: 'Search chats' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(chat.chatInList('What is 27 + 35?')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.dialog.getByLabel('Name of this chat')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('A sum');
  await page.keyboard.press('Enter');
  await expect(chat.chatInList('A sum')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('Control+Alt+n');
  await expect(page.getByRole('heading', { name: 'A language model' })).toBeVisible();
  await expect(chat.field).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.field).not.toBeFocused();
  await page.keyboard.press('Tab');
  await expect(chat.field).toBeFocused();
});

test('tools, files, the context meter and the temporary chat work with the keyboard alone', async ({ page }) => {
  const asked = await scriptCalls(page, { name: 'calculate', argument: 'expression' });
  const chat = await ChatPage.open(page);
  const { dialog } = chat;
  await expect(chat.field).toBeFocused();
  await press(page.getByRole('button', { name: 'Tools', exact: true }), 'Tab', 'Enter');
  await expect(page.getByRole('dialog', { name: 'Tools' })).toBeVisible();
  await press(dialog.getByRole('checkbox', { name: 'Calculator' }), 'Tab', 'Space');
  await press(dialog.getByRole('button', { name: 'Save', exact: true }), 'Tab', 'Enter');
  await expect(page.getByRole('dialog')).toBeHidden();

  const choosing = page.waitForEvent('filechooser');
  await press(page.getByRole('button', { name: 'Attach files' }), 'Shift+Tab', 'Enter');
  await (await choosing).setFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Words.') }]);
  const remove = page.getByRole('button', { name: 'Remove notes.md' });
  await expect(remove).toBeVisible();
  await press(remove, 'Shift+Tab', 'Enter');
  await expect(remove).toHaveCount(0);

  await press(chat.field, 'Tab', 'Shift');
  await page.keyboard.type('27 * 35');
  await page.keyboard.press('Enter');
  await press(chat.calls.getByRole('button', { name: 'Allow once' }), 'Shift+Tab', 'Enter');
  await chat.answered();
  expect((await asked()).at(-1)).toMatchObject({ last: '945' });

  await press(page.getByRole('button', { name: /tokens that this model can take in at once/ }), 'Shift+Tab', 'Enter');
  await expect(page.getByRole('dialog', { name: 'Make room' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await press(page.getByRole('link', { name: 'Temporary chat' }), 'Shift+Tab', 'Enter');
  const notice = page.getByRole('complementary', { name: 'Temporary chat' });
  await expect(notice).toBeVisible();
  await press(notice.getByRole('button', { name: 'End now' }), 'Shift+Tab', 'Enter');
  await expect(notice).toHaveCount(0);
});

test('comparing models and exporting work with the keyboard alone', async ({ page }) => {
  const chat = await chatWithTwoModels(page);
  const other = chat.answers.first().getByRole('combobox', { name: 'Ask another model too' });
  await press(other, 'Shift+Tab', 'ArrowDown');
  await expect.poll(() => other.evaluate((list) => list.matches(':open'))).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chat.answers).toHaveCount(2);
  await chat.answered();
  const goOn = (answer: number) => chat.answers.nth(answer).getByRole('button', { name: 'Go on with this answer' });
  await press(goOn(1), 'Shift+Tab', 'Enter');
  await expect(goOn(0)).toBeVisible();

  const saved = await savedFile(page, () =>
    press(page.getByRole('button', { name: 'Export this chat as Markdown' }), 'Shift+Tab', 'Enter'),
  );
  expect(saved.name).toMatch(/\.md$/);
});

/** Presses a key until it moves the focus to a control, then presses another key there. */
async function press(control: Locator, towards: 'Tab' | 'Shift+Tab', key: string): Promise<void> {
  await expect(control).toBeVisible();
  const { keyboard } = control.page();
  for (let step = 0; step < 80; step += 1) {
    if (await control.evaluate((element) => element.matches(':focus'))) return keyboard.press(key);
    await keyboard.press(towards);
  }
  throw new Error(`The ${towards} key does not get to ${String(control)}.`);
}

test('when a focused control disappears, the focus moves to a related control @firefox', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles(everyAnswerFile());
  await chat.chatInList('Every answer').click();
  // Switching the version keeps the focus. At the last version, where "next" is disabled, "previous" gets it.
  const switcher = chat.answers.nth(1);
  await switcher.getByRole('button', { name: 'Previous version' }).press('Enter');
  await expect(switcher.getByText('Version 1 of 2')).toBeAttached();
  await expect(switcher.getByRole('button', { name: 'Next version' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(switcher.getByText('Version 2 of 2')).toBeAttached();
  await expect(switcher.getByRole('button', { name: 'Previous version' })).toBeFocused();

  const before = await chat.questions.count();
  await chat.questions.last().getByRole('button', { name: 'More actions' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Copy the question' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete from here' })).toBeFocused();
  await page.keyboard.press('Enter');
  await chat.dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(chat.questions).toHaveCount(before - 1);
  await expect(chat.field).toBeFocused();

  await page.getByRole('link', { name: 'Models', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Actions for “Every answer”' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your chats will appear here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search chats' })).toBeFocused();
});
