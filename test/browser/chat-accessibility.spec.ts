import { expect, test } from '@playwright/test';
import { conversationFile } from '../../src/chat/transfer/conversation-file.ts';
import { DEFAULT_SETTINGS, type Message } from '../../src/chat/storage/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../chat/sample-conversation.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { ChatPage } from '../support/chat-page.ts';

// axe looks at every screen and dialog, in both colour schemes.
test.setTimeout(300_000);

const RICH = [
  'A **bold** word, a [link](https://example.org), `code` and\n\n- a list\n- [x] done',
  '1. one\n2. two',
  '> a quotation',
  '| a | b |\n|---|--:|\n| 1 | 2 |',
  '```js\n// comment\nconst greeting = `Hello ${name}`; // 1\nclass A extends B { static x = /y/; }\n```',
  '```diff\n+ added\n- removed\n```',
  '# One\n\n## Two\n\n### Three',
].join('\n\n');

/** Every look an answer can have, in one chat. */
function everyAnswer(): { name: string; mimeType: string; buffer: Buffer } {
  const settings = { ...DEFAULT_SETTINGS, maxTokens: 20 };
  const answers = [
    sampleAnswer({ text: RICH, thinking: 'First *this*, then that.' }),
    sampleAnswer({ text: 'Another version.', created: 3 }),
    sampleAnswer({ state: 'stopped' }),
    sampleAnswer({ state: 'interrupted' }),
    sampleAnswer({ finishReason: 'length', settings }),
    sampleAnswer({ finishReason: 'length' }),
    sampleAnswer({ text: '' }),
    sampleAnswer({ state: 'failed', text: '', error: { code: 'model_not_found', message: 'The model `x` does not exist.' } }),
    sampleAnswer({ text: 'مرحبا بالعالم' }),
  ];
  const messages = answers.flatMap((answer, index): Message[] => [
    sampleQuestion({ id: `q${index}`, parent: index === 0 ? null : `a${index - 1}`, created: index * 10 }),
    { ...answer, id: `a${index}`, parent: index === 1 ? 'q1' : `q${index}`, created: index * 10 + 1 },
  ]);
  messages.push(sampleAnswer({ id: 'other', parent: 'q1', created: 5 }));
  const file = conversationFile([{ conversation: sampleConversation({ id: 'every', title: 'Every answer', leaf: `a${answers.length - 1}` }), messages }]);
  return { name: 'every.json', mimeType: 'application/json', buffer: Buffer.from(file) };
}

test('axe finds nothing wrong with the empty page, and a chat with every kind of answer', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await expect(page.getByRole('heading', { name: 'A language model' })).toBeVisible();
  await expectAccessible(page, 'the empty page');

  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await chat.chatInList('Every answer').click();
  // What is off the screen is not laid out, so axe would not judge it.
  await page.locator('answer-message').first().scrollIntoViewIfNeeded();
  await expect(page.getByRole('heading', { name: 'Three' })).toBeVisible({ timeout: 30_000 });
  await page.getByText('Thought before answering').click();
  await expectAccessible(page, 'a chat');

  await chat.questions.first().getByRole('button', { name: 'Edit the question' }).click();
  await expectAccessible(page, 'editing a question');
});

test('axe finds nothing wrong with any dialog or menu of a chat', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await chat.chatInList('Every answer').click();
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await chat.dialog.getByLabel('JSON Schema').fill('{');
  await chat.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is not JSON')).toBeVisible();
  await expectAccessible(page, 'the settings with a problem');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'the shortcuts');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await chat.fromMenu('Every answer', 'Rename');
  await expect(page.getByRole('dialog', { name: 'Rename' })).toBeVisible();
  await expectAccessible(page, 'renaming');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  const item = page.getByRole('listitem').filter({ hasText: 'Every answer' });
  await item.hover();
  await item.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await expectAccessible(page, 'the menu of a chat');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete this chat?' })).toBeVisible();
  await expectAccessible(page, 'deleting');
});

test('on a phone axe finds nothing wrong, and nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/#/');
  const chat = new ChatPage(page);
  await expect(page.getByRole('heading', { name: 'A language model' })).toBeVisible();
  await expectAccessible(page, 'the empty page on a phone');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search chats' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await expectAccessible(page, 'the menu on a phone');
  await chat.chatInList('Every answer').click();
  await expect(chat.answers.last()).toBeVisible();
  await expectAccessible(page, 'a chat on a phone');
  const wide = await page.evaluate(() => {
    const view = document.querySelector('chat-app')!.shadowRoot!.querySelector('conversation-view')!.shadowRoot!;
    const scroller = view.querySelector('.scroller')!;
    return { page: document.documentElement.scrollWidth, messages: scroller.scrollWidth };
  });
  expect(wide).toEqual({ page: 320, messages: 320 });
});

test('text is laid out in its own direction', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await chat.chatInList('Every answer').click();
  const paragraph = chat.answers.last().locator('markdown-text p').first();
  await expect(paragraph).toHaveText('مرحبا بالعالم');
  expect(await paragraph.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
});

test('everything can be done with the keyboard alone', async ({ page }) => {
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

  await page.keyboard.press('Control+k');
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
});

test('each place one can tab to is visible and shows the focus', async ({ page }) => {
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('input[type=file]').setInputFiles(everyAnswer());
  await chat.chatInList('Every answer').click();
  await expect(chat.answers.last()).toBeVisible();
  const seen = new Set<string>();
  for (let step = 0; step < 90; step += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (element === null || element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const form = element.closest('form');
      const frame = form === null ? null : getComputedStyle(form);
      return {
        name: element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40),
        tag: element.localName,
        outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
        framed: frame !== null && frame.outlineStyle !== 'none',
      };
    });
    // Past the last place the browser's own frame has the focus, then it begins anew.
    if (at === null) continue;
    expect(at.outlined || at.framed, JSON.stringify(at)).toBe(true);
    seen.add(at.name);
  }
  for (const name of ['New chat', 'Search chats', 'Import', 'Models', 'Your question', 'Settings of this chat']) {
    expect([...seen].some((label) => label.includes(name)), name).toBe(true);
  }
});
