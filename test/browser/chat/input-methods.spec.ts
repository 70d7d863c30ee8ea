import { expect, type Locator } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

interface Key {
  readonly key: string;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/**
 * The key events with which Enter accepts an input method's suggestion. In Safari the composition has ended by then.
 */
const ENTERS: readonly Key[] = [
  { key: 'Enter', isComposing: true, keyCode: 229 },
  { key: 'Enter', isComposing: false, keyCode: 229 },
];

/** The Escape that dismisses a suggestion. */
const ESCAPE: Key = { key: 'Escape', isComposing: true, keyCode: 229 };

/** Sends the `keydown` of keys that an input method handles. */
async function compose(field: Locator, keys: readonly Key[] = ENTERS): Promise<void> {
  await field.evaluate((element, keys) => {
    for (const key of keys) {
      const event = new KeyboardEvent('keydown', { ...key, bubbles: true, composed: true, cancelable: true });
      element.dispatchEvent(event);
    }
  }, keys);
}

test('Enter and Escape during IME composition trigger no action in any field @firefox', async ({ page }) => {
  await scriptAnswers(page, { text: 'はい。', pieceLength: 3, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.field.fill('こんにちは');
  await compose(chat.field);
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('こんにちは');
  await chat.field.press('Enter');
  await chat.answered();

  await chat.questions.last().hover();
  await chat.questions.last().getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('textbox', { name: 'Edit your question' });
  await edit.fill('さようなら');
  await compose(edit, [...ENTERS, ESCAPE]);
  await expect(edit).toHaveValue('さようなら');
  await edit.press('Escape');
  await chat.dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(edit).toBeHidden();

  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await compose(chat.dialog.getByLabel('System prompt'), [ESCAPE]);
  await chat.dialog.getByRole('button', { name: 'Save as a preset' }).click();
  const name = chat.dialog.getByRole('textbox', { name: 'Name of the preset' });
  await name.fill('翻訳');
  await compose(name, [...ENTERS, ESCAPE]);
  await expect(name).toHaveValue('翻訳');
  await name.press('Enter');
  await expect(name).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('combobox', { name: 'Actions and chats' });
  await palette.fill('new chat');
  await compose(palette, [...ENTERS, ESCAPE]);
  await expect(palette).toBeVisible();
  await palette.press('Enter');
  await expect(palette).toBeHidden();
  await expect(chat.questions).toHaveCount(0);
});
