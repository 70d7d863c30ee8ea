import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import type { Question } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { dropFiles } from '../../support/pages/drop-files.ts';
import { storedText } from '../../support/pages/stored-drafts.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Opens a tab with the page. */
async function openTab(context: BrowserContext, address = '/'): Promise<ChatPage> {
  const page = await context.newPage();
  await page.goto(address);
  return new ChatPage(page);
}

/** Types a text, and waits until it is stored. */
async function type(chat: ChatPage, text: string): Promise<void> {
  await chat.field.fill(text);
  await expect.poll(() => storedText(chat.page)).toContain(text);
}

/** Imports a chat with one question and one answer, and shows it. */
async function openChat(page: Page, question: Partial<Question> = {}): Promise<ChatPage> {
  const file = conversationFile([
    {
      conversation: sampleConversation({ id: 'c', title: 'An older chat', leaf: 'a' }),
      messages: [
        sampleQuestion({ id: 'q', conversation: 'c', text: 'What is Rome?', ...question }),
        sampleAnswer({ id: 'a', conversation: 'c', parent: 'q' }),
      ],
    },
  ]);
  await page.goto('/');
  const picker = page.locator('conversation-list input[type=file]');
  await picker.setInputFiles({ name: 'c.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  const chat = new ChatPage(page);
  await chat.chatInList('An older chat').click();
  await expect(chat.questions.first()).toBeVisible();
  return chat;
}

test('two tabs with a new chat have a draft each: what one sends does not change the other, which keeps it after a reload @firefox', async ({
  page,
  context,
}) => {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const first = await ChatPage.open(page);
  const second = await openTab(context);
  await type(first, 'Text of the first tab');
  await type(second, 'Text of the second tab');
  await first.field.press('Enter');
  await first.answered();
  await expect.poll(() => storedText(page)).not.toContain('first tab');
  await second.page.reload();
  await expect(second.field).toHaveValue('Text of the second tab');
});

test('a duplicated tab begins without the draft, and neither changes that of the other @firefox', async ({ page }) => {
  await page.goto('/');
  const original = new ChatPage(page);
  await type(original, 'Text of the original');
  // A window that a page opens gets a copy of its sessionStorage, as a duplicated tab does.
  const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open('/'))]);
  const duplicate = new ChatPage(copy);
  await type(duplicate, 'Text of the duplicate');
  await copy.reload();
  await expect(duplicate.field).toHaveValue('Text of the duplicate');
  await page.reload();
  await expect(original.field).toHaveValue('Text of the original');
});

test('a new tab takes over the latest draft of a closed one with its files, and offers the others @firefox', async ({
  context,
}) => {
  const [one, two, three] = [await openTab(context), await openTab(context), await openTab(context)];
  await type(one, 'Oldest text');
  await type(two, 'Text to delete');
  await type(three, 'Latest text');
  await dropFiles(three.page, [{ name: 'notes.txt', parts: ['The dog is called Rex.'] }]);
  await expect(three.page.locator('attachment-tray')).toContainText('tokens');
  for (const tab of [one, two, three]) await tab.page.close();

  const next = await openTab(context);
  await expect(next.field).toHaveValue('Latest text');
  await expect(next.page.locator('attachment-tray')).toContainText('notes.txt');
  const offered = next.page.getByRole('list', { name: 'Not sent, from closed tabs' }).getByRole('listitem');
  await expect(offered).toHaveText(['Text to delete', 'Oldest text']);
  await offered.first().getByRole('button', { name: 'Delete it' }).click();
  await offered.first().getByRole('button', { name: 'Edit' }).click();
  await expect(next.field).toHaveValue('Oldest text\n\nLatest text');
  await expect(offered).toHaveCount(0);
  await expect.poll(() => storedText(next.page)).not.toContain('"Oldest text"');
  await next.page.reload();
  await expect(next.field).toHaveValue('Oldest text\n\nLatest text');
  await expect(offered).toHaveCount(0);
  expect(await storedText(next.page)).not.toContain('Text to delete');
});

test('two tabs with the same chat do not change what is typed in the other; a closed or left one passes its text on @firefox', async ({
  page,
  context,
}) => {
  const first = await openChat(page);
  const second = await openTab(context, '/#/chat/c');
  await expect(second.questions).toHaveCount(1);
  await type(first, 'Text of the first tab');
  await type(second, 'Text of the second tab');
  for (const tab of [first, second]) await tab.page.reload();
  await expect(first.field).toHaveValue('Text of the first tab');
  await expect(second.field).toHaveValue('Text of the second tab');
  await second.page.close();
  await first.field.fill('');
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(first.questions).toHaveCount(0);
  await first.chatInList('An older chat').click();
  await expect(first.field).toHaveValue('Text of the second tab');
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(first.questions).toHaveCount(0);
  const third = await openTab(context, '/#/chat/c');
  await expect(third.field).toHaveValue('Text of the second tab');
});

test('after a reload an unfinished edit of a question is shown in its editor @firefox', async ({ page }) => {
  const chat = await openChat(page);
  const editor = page.getByRole('textbox', { name: 'Edit your question' });
  await chat.questions.hover();
  await chat.questions.getByRole('button', { name: 'Edit the question' }).click();
  await editor.fill('What is Paris?');
  await page.reload();
  await expect(editor).toHaveValue('What is Paris?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(editor).toBeHidden();
  await expect.poll(() => storedText(page)).not.toContain('Paris');
  await page.reload();
  await expect(chat.questions).toHaveText(['What is Rome?']);
  await expect(editor).toBeHidden();
});

for (const hasRoom of [true, false])
  test(`an unfinished edit ${hasRoom ? '' : 'that could not be stored '}is in its editor again after a visit to another chat @firefox`, async ({
    page,
  }) => {
    const chat = await openChat(page);
    if (!hasRoom)
      await page.evaluate(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('No room left.', 'QuotaExceededError');
        };
      });
    const editor = page.getByRole('textbox', { name: 'Edit your question' });
    await chat.questions.hover();
    await chat.questions.getByRole('button', { name: 'Edit the question' }).click();
    await editor.fill('What is Paris?');
    if (hasRoom) await expect.poll(() => storedText(page)).toContain('Paris');
    await page.getByRole('link', { name: 'New chat' }).click();
    await expect(chat.questions).toHaveCount(0);
    await chat.chatInList('An older chat').click();
    await expect(editor).toHaveValue('What is Paris?');
  });

/** Opens the editor of the last question. */
async function edit(chat: ChatPage): Promise<Locator> {
  await chat.questions.last().hover();
  await chat.questions.last().getByRole('button', { name: 'Edit the question' }).click();
  return chat.page.getByRole('textbox', { name: 'Edit your question' });
}

test('Escape in the editor of a question asks before a changed text is lost', async ({ page }) => {
  const chat = await openChat(page);
  const editor = await edit(chat);
  await editor.press('Escape');
  await expect(editor).toHaveCount(0);
  await edit(chat);
  await editor.fill('What is Paris?');
  for (const [answer, editors] of [
    ['Keep', 1],
    ['Discard', 0],
  ] as const) {
    await editor.press('Escape');
    await page.locator('confirmation-dialog').getByRole('button', { name: answer }).click();
    await expect(page.locator('confirmation-dialog')).toHaveCount(0);
    await expect(editor).toHaveCount(editors);
  }
  await edit(chat);
  await expect(editor).toHaveValue('What is Rome?');
});

test('a question that is a file only can be edited', async ({ page }) => {
  await scriptAnswers(page, { text: 'A dog.', pieceLength: 5, interval: 0 });
  const text = 'The dog is called Rex.';
  const chat = await openChat(page, {
    text: '',
    attachments: [{ id: 'f', kind: 'text', name: 'notes.txt', size: text.length, part: 'whole', text }],
  });
  const editor = await edit(chat);
  await expect(editor).toHaveValue('');
  await editor.fill('Who is Rex?');
  await editor.press('Enter');
  await expect(chat.questions).toHaveText([/notes\.txt[^]*Who is Rex\?/]);
});

test('drafts and queues that an older build kept in local storage are carried over once @firefox', async ({ page }) => {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  await page.goto('/test-clients/blank.html');
  await page.evaluate(() => {
    localStorage.setItem('tabserve-draft-new', 'Begun in an older build');
    localStorage.setItem('tabserve-draft-c', 'More about Rome');
    localStorage.setItem('tabserve-queue-c', JSON.stringify([{ id: 'x', text: 'And Paris?' }]));
  });
  await page.goto('/');
  const chat = new ChatPage(page);
  await expect(chat.field).toHaveValue('Begun in an older build');
  await openChat(page);
  await expect(chat.field).toHaveValue('More about Rome');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /draft|queue/.test(key)))).toEqual([]);
  // The answer before it is complete, so it is asked.
  await expect(chat.questions).toHaveText(['What is Rome?', 'And Paris?']);
});

test('the instructions of a new chat survive another chat and a reload, and are not those of the next one @firefox', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Fine.', pieceLength: 5, interval: 0 });
  const chat = await openChat(page);
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.settings({ 'System prompt': 'Answer in one word.' });
  await expect.poll(() => storedText(page)).toContain('Answer in one word.');
  await chat.chatInList('An older chat').click();
  await expect(chat.questions.first()).toBeVisible();
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.reload();
  const promptOf = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Settings of this chat' }).click();
    const prompt = await chat.dialog.getByLabel('System prompt').inputValue();
    await chat.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    return prompt;
  };
  await expect.poll(promptOf).toBe('Answer in one word.');
  await chat.send('How is the cat?');
  await chat.answered();
  expect(await promptOf()).toBe('Answer in one word.');
  await expect.poll(() => storedText(page)).not.toContain('Answer in one word.');
  await page.getByRole('link', { name: 'New chat' }).click();
  expect(await promptOf()).toBe('');
});
