import { expect, type Page } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { savedFile } from '../../support/browsers/saved-file.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';

// Nothing here needs a model.
test.use(WITHOUT_GPU);

/** Chats about three cities, the first the oldest. */
const CITIES = ['Paris', 'Rome', 'Oslo'];

function file(names: readonly string[]): { name: string; mimeType: string; buffer: Buffer } {
  const conversations = names.map((name, index) => ({
    conversation: sampleConversation({ id: name, title: `About ${name}`, updated: 10 + index, leaf: `a${name}` }),
    messages: [
      sampleQuestion({ id: `q${name}`, conversation: name, text: `What is ${name}?` }),
      sampleAnswer({ id: `a${name}`, conversation: name, parent: `q${name}`, text: `${name} is a city.` }),
    ],
  }));
  return { name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(conversationFile(conversations)) };
}

async function openWith(page: Page, names: readonly string[]): Promise<ChatPage> {
  await page.goto('/');
  await page.locator('conversation-list input[type=file]').setInputFiles(file(names));
  await expect(page.getByText(/imported/)).toBeVisible();
  return new ChatPage(page);
}

function titles(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Chats' }).getByRole('link').allInnerTexts();
}

test('chats are listed newest first; a pinned one stays on top, also after a reload @core', async ({ page }) => {
  const chat = await openWith(page, CITIES);
  await expect.poll(() => titles(page)).toEqual(['About Oslo', 'About Rome', 'About Paris']);
  await chat.fromMenu('About Paris', 'Pin');
  await expect.poll(() => titles(page)).toEqual(['About Paris', 'About Oslo', 'About Rome']);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['About Paris', 'About Oslo', 'About Rome']);
  await chat.fromMenu('About Paris', 'Unpin');
  await expect.poll(() => titles(page)).toEqual(['About Oslo', 'About Rome', 'About Paris']);
});

test('search finds words of titles, questions and answers @core', async ({ page }) => {
  await openWith(page, CITIES);
  const search = page.getByRole('searchbox', { name: 'Search chats' });
  await search.fill('about r');
  await expect.poll(() => titles(page)).toEqual(['About Rome']);
  await search.fill('OSLO IS A CITY');
  await expect.poll(() => titles(page)).toEqual(['About Oslo']);
  await search.fill('nothing like this');
  await expect(page.getByText('No matching chats.')).toBeVisible();
  await search.fill('');
  await expect.poll(() => titles(page)).toHaveLength(3);
});

test('a search result shows the matching text, and opens its branch, message and words @firefox', async ({ page }) => {
  const filler = Array.from({ length: 40 }, (_, index) => [
    sampleQuestion({
      id: `q${index}`,
      parent: index === 0 ? null : `a${index - 1}`,
      text: `Question ${index}`,
      created: index,
    }),
    sampleAnswer({
      id: `a${index}`,
      parent: `q${index}`,
      text: `Answer ${index}. ${'Words. '.repeat(80)}`,
      created: index,
    }),
  ]).flat();
  const other = sampleAnswer({
    id: 'other',
    parent: 'q3',
    created: 1000,
    text: `${'A long way. '.repeat(60)}\n\nHere a **lighthouse** [keeper](https://example.com) counts the \`ships\`. ${'And on. '.repeat(100)}`,
  });
  const whole = {
    conversation: sampleConversation({ title: 'A long chat', leaf: 'a39' }),
    messages: [...filler, other],
  };
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile([whole])),
  });
  await expect(page.getByRole('heading', { name: 'January 1970' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('ships lighthouse');
  const result = page.getByRole('listitem').filter({ hasText: 'A long chat' });
  await expect(result.locator('mark')).toHaveText(['lighthouse', 'ships']);
  await expect(result).toContainText('Here a lighthouse keeper counts the ships.');
  await chat.chatInList('A long chat').click();
  const found = chat.answers.filter({ hasText: 'keeper' });
  const words = found.getByText('lighthouse');
  await expect(words).toBeInViewport();
  await expect(page.locator('answer-message:focus')).toHaveCount(1);
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('found-words') ?? [])].map(String));
  await expect.poll(marked).toEqual(['lighthouse', 'ships']);
  await page.reload();
  await expect(words).toBeInViewport();
  // The other branch continues to the end of the chat.
  await found.getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.questions.last()).toHaveText('Question 39');
});

test('a search result in a comparison answer opens it, and leaves the branch of the chat unchanged', async ({
  page,
}) => {
  const whole = {
    conversation: sampleConversation({ title: 'Compared', leaf: 'a2' }),
    messages: [
      sampleQuestion({ id: 'q1', created: 1 }),
      sampleAnswer({ id: 'a1', parent: 'q1', created: 2, text: 'The first.' }),
      sampleAnswer({ id: 'other', parent: 'q1', created: 3, text: 'A lighthouse.', beside: 'a1' }),
      sampleQuestion({ id: 'q2', parent: 'a1', created: 4, text: 'And then?' }),
      sampleAnswer({ id: 'a2', parent: 'q2', created: 5, text: 'The second.' }),
    ],
  };
  await page.goto('/');
  const chat = new ChatPage(page);
  const buffer = Buffer.from(conversationFile([whole]));
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('lighthouse');
  await expect(page.locator('conversation-item mark')).toHaveText('lighthouse');
  await chat.chatInList('Compared').click();
  await expect(page.locator('answer-message:focus')).toContainText('A lighthouse.');
  await expect(chat.questions.last()).toHaveText('And then?');
});

test('a search result in the folded part of a long question unfolds it', async ({ page }) => {
  const text = `${Array.from({ length: 20 }, (_, line) => `Line ${line}`).join('\n')}\nA lighthouse.`;
  const whole = { conversation: sampleConversation({ leaf: 'q' }), messages: [sampleQuestion({ id: 'q', text })] };
  await page.goto('/');
  const buffer = Buffer.from(conversationFile([whole]));
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('lighthouse');
  await page.locator('conversation-item').filter({ hasText: 'lighthouse' }).getByRole('link').click();
  await expect(page.locator('question-message:focus')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Show less' })).toBeVisible();
});

test('a chat can be renamed and deleted at once, and undone by keyboard @core', async ({ page }) => {
  const chat = await openWith(page, CITIES);
  await chat.chatInList('About Rome').click();
  await chat.field.fill('A draft');
  await chat.fromMenu('About Rome', 'Rename');
  await chat.dialog.getByLabel('Name of this chat').fill('The eternal city');
  await chat.dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(chat.chatInList('The eternal city')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();

  const undo = page.getByRole('button', { name: 'Undo' });
  await chat.fromMenu('The eternal city', 'Delete');
  await expect(chat.chatInList('The eternal city')).toHaveCount(0);
  // The deleted chat was open, so the page shows an empty one.
  await expect(page.getByRole('heading', { name: 'A language model' })).toBeVisible();
  await expect(page.getByText('“The eternal city” was deleted.')).toBeVisible();
  expect(await storedOf(page, 'Rome')).toEqual([]);
  await chat.fromMenu('About Paris', 'Delete');
  await expect(page.getByText('2 chats were deleted.')).toBeVisible();
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => titles(page)).toEqual(['About Oslo', 'The eternal city', 'About Paris']);
  await expect.poll(() => chat.text()).toBe('Rome is a city.');
  await expect(chat.field).toHaveValue('A draft');
  await expect(undo).toHaveCount(0);

  await chat.fromMenu('The eternal city', 'Delete');
  await expect(undo).toBeFocused();
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['About Oslo', 'About Paris']);
  await expect(undo).toHaveCount(0);
  expect(await storedOf(page, 'Rome')).toEqual([]);
});

/** Opens a chat in a narrow window, and deletes it in the drawer. */
async function deletedInDrawer(page: Page): Promise<ChatPage> {
  const chat = await openWith(page, CITIES);
  await chat.chatInList('About Rome').click();
  await expect.poll(() => chat.text()).toBe('Rome is a city.');
  // That of the import would open the drawer.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await chat.fromMenu('About Rome', 'Delete');
  await expect(page.getByText('“About Rome” was deleted.')).toBeVisible();
  return chat;
}

test('on a phone, the deletion of the open chat can be undone in the drawer, which stays open @firefox', async ({
  page,
}) => {
  const chat = await deletedInDrawer(page);
  // Time in which a drawer closes.
  await page.waitForTimeout(1000);
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await undo.click();
  await expect.poll(() => chat.text()).toBe('Rome is a city.');
  await expect(page.locator('wa-drawer')).not.toHaveAttribute('open');
  expect(await storedOf(page, 'Rome')).toHaveLength(3);
});

test('on a phone with a closed drawer, a deletion from the palette, or before turning it, opens the drawer with Undo', async ({
  page,
}) => {
  const chat = await openWith(page, CITIES);
  const undo = page.getByRole('button', { name: 'Undo' });
  await chat.fromMenu('About Paris', 'Delete');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(undo).toBeInViewport();
  await undo.click();
  await page.getByRole('link', { name: 'About Rome' }).click();
  await expect(undo).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Actions and chats' }).fill('This chat: Delete');
  await page.keyboard.press('Enter');
  await expect(undo).toBeInViewport();
  await undo.click();
  await expect.poll(() => chat.text()).toBe('Rome is a city.');
});

test('a deletion can still be undone after the device was turned, and ends later @firefox', async ({ page }) => {
  await page.clock.install();
  const chat = await deletedInDrawer(page);
  const note = page.locator('timed-notice');
  for (const width of [1200, 390, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.locator('side-bar')).toHaveCount(1);
    await expect(page.locator('.bar')).toHaveCount(width === 390 ? 1 : 0);
  }
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => chat.text()).toBe('Rome is a city.');
  await chat.fromMenu('About Rome', 'Delete');
  await expect(note).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.locator('.bar')).toHaveCount(1);
  await page.mouse.move(0, 0);
  await page.clock.fastForward(61_000);
  await expect(chat.chatInList('About Paris')).toBeVisible();
  await expect(note).toHaveCount(0);
});

test('a notice disappears after a while, later while the pointer is on it, and at once by its button', async ({
  page,
}) => {
  await page.clock.install();
  const chat = await openWith(page, CITIES);
  const note = page.locator('timed-notice');
  await page.clock.fastForward(11_000);
  await expect(note).toHaveCount(0);
  await chat.fromMenu('About Rome', 'Delete');
  await note.hover();
  await page.clock.fastForward(11_000);
  await expect(note).toHaveCount(1);
  await page.clock.fastForward(50_000);
  await expect(note).toHaveCount(0);
  await chat.fromMenu('About Paris', 'Delete');
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await expect(note).toHaveCount(0);
});

test('a chat of 200 messages is printed whole before it is drawn, without controls @firefox', async ({ page }) => {
  const messages = Array.from({ length: 100 }, (_, index) => [
    sampleQuestion({ id: `q${index}`, parent: index === 0 ? null : `a${index - 1}`, text: `Question number ${index}` }),
    sampleAnswer({ id: `a${index}`, parent: `q${index}`, text: `Answer ${index}.\n\n${'Some words. '.repeat(10)}` }),
  ]).flat();
  const whole = { conversation: sampleConversation({ title: 'A long chat', leaf: 'a99' }), messages };
  await page.goto('/');
  const chat = new ChatPage(page);
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile([whole])),
  });
  await expect(chat.chatInList('A long chat')).toBeVisible();
  // Older messages are not rendered while keys are pressed.
  await page.evaluate(() => setInterval(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'a' })), 50));
  await chat.chatInList('A long chat').click();
  await expect(chat.questions.last()).toHaveText('Question number 99');
  expect(await chat.questions.count()).toBeLessThan(100);
  const text = await printedText(page);
  const numbersAfter = (words: string) =>
    [...text.matchAll(new RegExp(`${words} (\\d+)`, 'g'))].map(([, number]) => Number(number));
  const all = Array.from({ length: 100 }, (_, index) => index);
  expect(numbersAfter('Question number')).toEqual(all);
  expect(numbersAfter('Answer')).toEqual(all);
  expect(text).toContain('A long chat');
  for (const word of ['Settings and more', 'Your question', 'Models', 'Edit']) expect(text).not.toContain(word);
});

test('deleting an answer leaves its question; deleting one of two branches shows the other', async ({ page }) => {
  await page.goto('/');
  const branches = conversationFile([
    {
      conversation: sampleConversation({ id: 'b', title: 'Branches', leaf: 'two' }),
      messages: [
        sampleQuestion({ id: 'q', conversation: 'b' }),
        sampleAnswer({ id: 'one', conversation: 'b', parent: 'q', created: 2, text: 'The first.' }),
        sampleAnswer({ id: 'two', conversation: 'b', parent: 'q', created: 3, text: 'The second.' }),
      ],
    },
  ]);
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: Buffer.from(branches) });
  const chat = new ChatPage(page);
  await chat.chatInList('Branches').click();
  for (const [shown, left] of [
    ['The second.', 'The first.'],
    ['The first.', ''],
  ] as const) {
    await expect.poll(() => chat.text()).toBe(shown);
    await chat.deleteFrom(chat.answers);
    await chat.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(shown)).toHaveCount(0);
    await expect(chat.answers).toHaveCount(left === '' ? 0 : 1);
  }
  await expect(chat.questions).toHaveCount(1);
});

test('an exported chat that is deleted and imported is the same, and importing it twice adds nothing @firefox @core', async ({
  page,
}) => {
  const chat = await openWith(page, CITIES);
  const exported = await savedFile(page, () => chat.fromSettings('Export all chats'));
  expect(exported.name).toMatch(/^tabserve-chats-\d{4}-\d\d-\d\d\.json$/);
  for (const name of CITIES) {
    await chat.fromMenu(`About ${name}`, 'Delete');
    await expect(chat.chatInList(`About ${name}`)).toHaveCount(0);
  }
  const again = { name: 'again.json', mimeType: 'application/json', buffer: Buffer.from(exported.text) };
  await page.locator('conversation-list input[type=file]').setInputFiles(again);
  await expect(page.getByText('3 chats imported.')).toBeVisible();
  const second = await savedFile(page, () => chat.fromSettings('Export all chats'));
  expect(byId(second.text)).toEqual(byId(exported.text));
  await page.locator('conversation-list input[type=file]').setInputFiles(again);
  await expect(page.getByText('0 chats imported, 3 already here.')).toBeVisible();
  await page.locator('conversation-list input[type=file]').setInputFiles({ ...again, buffer: Buffer.from('{}') });
  await expect(page.getByText('The file could not be imported.')).toBeVisible();
  await expect.poll(() => titles(page)).toHaveLength(3);
});

test('a single chat is exported as JSON and as Markdown', async ({ page }) => {
  const chat = await openWith(page, ['Paris']);
  const json = await savedFile(page, () => chat.fromMenu('About Paris', 'Export as JSON'));
  expect(json.name).toBe('about-paris.json');
  expect(JSON.parse(json.text)).toMatchObject({ conversations: [{ conversation: { title: 'About Paris' } }] });
  const markdown = await savedFile(page, () => chat.fromMenu('About Paris', 'Export as Markdown'));
  expect(markdown).toMatchObject({
    name: 'about-paris.md',
    text: '# About Paris\n\n## Question\n\nWhat is Paris?\n\n## Answer (pocket)\n\nParis is a city.\n',
  });
});

test('another tab shows chats that are added, changed and deleted', async ({ page, context }) => {
  const chat = await openWith(page, CITIES);
  const other = new ChatPage(await context.newPage());
  await other.page.goto('/#/chat/Rome');
  await expect.poll(() => other.text()).toBe('Rome is a city.');
  await chat.fromMenu('About Rome', 'Rename');
  await chat.dialog.getByLabel('Name of this chat').fill('Roma');
  await chat.dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(other.chatInList('Roma')).toBeVisible();
  await chat.fromMenu('Roma', 'Delete');
  await expect(other.page.getByText('This chat isn’t on this device.')).toBeVisible();
  await expect(other.chatInList('Roma')).toHaveCount(0);
});

test('each chat keeps its draft across a reload @firefox', async ({ page }) => {
  const chat = await openWith(page, ['Paris']);
  await chat.field.fill('A new question');
  await chat.chatInList('About Paris').click();
  await expect(chat.field).toHaveValue('');
  await chat.field.fill('More about it');
  await page.reload();
  await expect(chat.field).toHaveValue('More about it');
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.field).toHaveValue('A new question');
});

test('an unfinished edit stays with its version of a question when another version is shown', async ({
  page,
  context,
}) => {
  const versions = conversationFile([
    {
      conversation: sampleConversation({ id: 'v', title: 'Versions', leaf: 'second' }),
      messages: [
        sampleQuestion({ id: 'first', conversation: 'v', text: 'What is Oslo?' }),
        sampleQuestion({ id: 'second', conversation: 'v', text: 'What is Rome?', created: 2 }),
      ],
    },
  ]);
  await page.goto('/');
  await page
    .locator('conversation-list input[type=file]')
    .setInputFiles({ name: 'v.json', mimeType: 'application/json', buffer: Buffer.from(versions) });
  const chat = new ChatPage(page);
  await chat.chatInList('Versions').click();
  const edited = page.getByRole('textbox', { name: 'Edit your question' });
  const edit = async () => {
    await chat.questions.hover();
    await chat.questions.getByRole('button', { name: 'Edit the question' }).click();
  };
  await edit();
  await edited.fill('What is Rome known for?');
  const other = new ChatPage(await context.newPage());
  await other.page.goto('/#/chat/v');
  await other.questions.getByRole('button', { name: 'Previous version' }).click();
  await expect(other.questions).toHaveText(/Oslo/);

  await page.bringToFront();
  await expect(chat.questions).toHaveText(/Oslo/);
  await expect(edited).toHaveCount(0);
  await edit();
  await expect(edited).toHaveValue('What is Oslo?');
  await edited.press('Escape');
  await chat.questions.getByRole('button', { name: 'Next version' }).click();
  await expect(edited).toHaveValue('What is Rome known for?');
});

/** Returns the text that the browser prints, page after page. */
async function printedText(page: Page): Promise<string> {
  // pdf.js needs it, and Node 20 lacks it.
  Object.assign(Promise, { withResolvers });
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(await page.pdf()), verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return texts.join(' ').replace(/\s+/g, ' ');
}

/** `Promise.withResolvers` of ECMAScript 2024. */
function withResolvers() {
  let settle: unknown[] = [];
  const promise = new Promise((...functions) => (settle = functions));
  return { promise, resolve: settle[0], reject: settle[1] };
}

/** Returns everything that the chat page's database contains about a conversation. */
function storedOf(page: Page, id: string): Promise<string[]> {
  return page.evaluate(async (id) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('tabserve-chat');
      request.addEventListener('success', () => resolve(request.result));
    });
    const read = (name: string) =>
      new Promise<unknown[]>((resolve) => {
        const request = database.transaction(name).objectStore(name).getAll();
        request.addEventListener('success', () => resolve(request.result as unknown[]));
      });
    const records = [...(await read('conversations')), ...(await read('messages'))].map((record) =>
      JSON.stringify(record),
    );
    database.close();
    return records.filter((record) => record.includes(id));
  }, id);
}

interface Exported {
  readonly conversations: readonly {
    readonly conversation: { readonly id: string };
    readonly messages: readonly { readonly id: string }[];
  }[];
}

/** Returns an export as an object, independent of the order, which is that of the database. */
function byId(text: string): unknown {
  const { conversations } = JSON.parse(text) as Exported;
  return Object.fromEntries(
    conversations.map(({ conversation, messages }) => [
      conversation.id,
      { conversation, messages: messages.toSorted((a, b) => (a.id < b.id ? -1 : 1)) },
    ]),
  );
}
