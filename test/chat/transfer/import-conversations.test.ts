import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Message } from '../../../src/chat/types/conversation.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { importConversations, type ImportOutcome } from '../../../src/chat/transfer/import-conversations.ts';
import { NOTHING_LEFT_OUT } from '../../../src/chat/transfer/left-out.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import type { WholeConversation } from '../../../src/chat/types/whole-conversation.ts';
import { createMemoryDatabase, type StoredChats } from '../../../src/chat/storage/memory-database.ts';
import { PRODUCT_EXPORTS } from '../../support/samples/product-exports.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

function memoryStore(): { store: ConversationStore; stored: StoredChats } {
  const stored: StoredChats = { conversations: new Map(), messages: new Map() };
  const database = createMemoryDatabase(stored);
  return { store: new ConversationStore(async () => database), stored };
}

const NOTHING = { added: 0, present: 0, completed: 0, empty: 0, damaged: 0, unknown: 0, left: NOTHING_LEFT_OUT };

function importText(text: string, store: ConversationStore): Promise<ImportOutcome> {
  return importConversations(new Blob([text]), store, readImportFile);
}

const PRIVATE = {
  conversation: sampleConversation({ title: 'Private' }),
  messages: [sampleQuestion({ text: 'My secret?' }), sampleAnswer({ text: 'It is safe.' })],
};

/** Few ids, so that imported ids often equal stored ones, of conversations and messages alike. */
const ids = fc.constantFrom('c1', 'q1', 'a1', 'c2', 'm2', 'm3');
const messages = fc.array(
  fc
    .record({ id: ids, parent: fc.option(ids), conversation: ids, text: fc.string(), answer: fc.boolean() })
    .map(({ answer, ...fields }): Message => (answer ? sampleAnswer(fields) : sampleQuestion(fields))),
  { maxLength: 6 },
);
const conversations = fc.array(
  fc.record({
    conversation: fc
      .record({ id: ids, updated: fc.nat(3), leaf: fc.option(ids) })
      .map((fields) => sampleConversation({ ...fields, title: 'Imported' })),
    messages,
  }),
  { maxLength: 4 },
);
const files = fc.oneof(
  { weight: 5, arbitrary: conversations.map((whole) => conversationFile(whole)) },
  fc.json(),
  fc.string(),
);

test('no import, however often repeated, changes an existing message, or more of a conversation than its end', async () => {
  const property = fc.asyncProperty(fc.array(files, { maxLength: 3 }), async (texts) => {
    const { store, stored } = memoryStore();
    await store.add(PRIVATE.conversation, PRIVATE.messages);
    for (const text of texts) {
      const before = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
      await importText(text, store).catch(() => undefined);
      for (const [id, value] of before.messages) expect(stored.messages.get(id)).toEqual(value);
      for (const [id, value] of before.conversations) {
        const isCompleted = (await store.messages(id)).some((message) => !before.messages.has(message.id));
        const now = stored.conversations.get(id)!;
        const { leaf, updated } = isCompleted ? now : value;
        expect(now).toEqual({ ...value, leaf, updated });
        expect(updated).toBeGreaterThanOrEqual(value.updated);
      }
    }
  });
  await fc.assert(property, { numRuns: 500 });
});

test('messages whose ids exist already get new ids, and keep their branches', async () => {
  const { store } = memoryStore();
  await store.add(PRIVATE.conversation, PRIVATE.messages);
  const other: WholeConversation = {
    conversation: sampleConversation({ id: 'c2', leaf: 'a2' }),
    messages: [
      sampleQuestion({ text: 'Theirs?' }),
      sampleAnswer({ text: 'One.' }),
      sampleAnswer({ id: 'a2', text: 'Two.', created: 3 }),
    ],
  };
  expect(await importText(conversationFile([other]), store)).toEqual({ ...NOTHING, added: 1 });
  expect(await store.messages('c1')).toEqual(PRIVATE.messages);
  const imported = (await store.conversations()).find(({ id }) => id !== 'c1')!;
  const tree = new MessageTree(await store.messages(imported.id));
  const path = tree.path(imported.leaf);
  expect(path.map(({ text }) => text)).toEqual(['Theirs?', 'Two.']);
  expect(tree.siblings(path[1]!.id).map(({ text }) => text)).toEqual(['One.', 'Two.']);
});

test('a file keeps its own ids if they are free, and a second import adds nothing', async () => {
  const { store, stored } = memoryStore();
  const file = conversationFile([PRIVATE]);
  expect(await importText(file, store)).toEqual({ ...NOTHING, added: 1 });
  expect([...stored.conversations.values()]).toEqual([PRIVATE.conversation]);
  expect([...stored.messages.values()]).toEqual(PRIVATE.messages);
  expect(await importText(file, store)).toEqual({ ...NOTHING, present: 1 });
});

const text = ({ text }: Message): string => text;
const LONG = {
  conversation: sampleConversation({ leaf: 'a2', updated: 5 }),
  messages: [
    sampleQuestion(),
    sampleAnswer(),
    sampleQuestion({ id: 'q2', parent: 'a1', created: 3, text: 'And then?' }),
    sampleAnswer({ id: 'a2', parent: 'q2', created: 4, text: 'It stops.' }),
  ],
};

test.each([
  ['the last answer', ['a2'], 'q2'],
  ['the end of the chat', ['q2', 'a2'], 'a1'],
  ['all of it', ['q1', 'a1', 'q2', 'a2'], null],
])('a backup brings back %s that was deleted since, in the same chat', async (_what, deleted, leaf) => {
  const { store, stored } = memoryStore();
  const file = conversationFile([LONG]);
  await importText(file, store);
  await store.write('c1', [], { leaf, title: 'My title' }, deleted);
  expect(await importText(file, store)).toEqual({ ...NOTHING, completed: 1 });
  expect([...stored.conversations.values()]).toMatchObject([{ id: 'c1', title: 'My title' }]);
  const tree = new MessageTree(await store.messages('c1'));
  expect(tree.path(stored.conversations.get('c1')!.leaf).map(text)).toEqual(LONG.messages.map(text));
  expect(await importText(file, store)).toEqual({ ...NOTHING, present: 1 });
});

test('a backup of a chat that was continued since adds no copy, and brings deleted messages back as a branch', async () => {
  const { store, stored } = memoryStore();
  const file = conversationFile([LONG]);
  await importText(file, store);
  const more = sampleQuestion({ id: 'q3', parent: 'a2', created: 9, text: 'Why not?' });
  await store.write('c1', [more], { leaf: 'q3', updated: 9 });
  expect(await importText(file, store)).toEqual({ ...NOTHING, present: 1 });
  await store.write('c1', [{ ...more, parent: 'a1' }], {}, ['q2', 'a2']);
  expect(await importText(file, store)).toEqual({ ...NOTHING, completed: 1 });
  const tree = new MessageTree(await store.messages('c1'));
  const path = tree.path(stored.conversations.get('c1')!.leaf);
  expect(path.map(text)).toEqual(['Why?', 'Because.', 'Why not?']);
  expect(tree.siblings('q3').map(text)).toEqual(['And then?', 'Why not?']);
});

test('a chat that was continued on another device is continued here, too', async () => {
  const { store, stored } = memoryStore();
  const { conversation, messages } = LONG;
  await importText(
    conversationFile([{ conversation: { ...conversation, leaf: 'a1', updated: 2 }, messages: messages.slice(0, 2) }]),
    store,
  );
  expect(await importText(conversationFile([LONG]), store)).toEqual({ ...NOTHING, completed: 1 });
  const { leaf, updated } = stored.conversations.get('c1')!;
  expect(updated).toBe(5);
  expect(new MessageTree(await store.messages('c1')).path(leaf).map(text)).toEqual(messages.map(text));
});

test.each([
  ['other messages', LONG.messages.map((message) => ({ ...message, text: `Other. ${message.text}` }))],
  ['one other message', LONG.messages.map((message, index) => (index === 3 ? { ...message, text: 'No.' } : message))],
  ['no message in common', [sampleQuestion({ id: 'x', text: 'Other?' })]],
])('a chat with a stored id and %s becomes a chat of its own', async (_what, messages) => {
  const { store } = memoryStore();
  await store.add(LONG.conversation, LONG.messages);
  expect(
    await importText(conversationFile([{ conversation: { ...LONG.conversation, updated: 6 }, messages }]), store),
  ).toEqual({
    ...NOTHING,
    added: 1,
  });
  expect(await store.messages('c1')).toEqual(LONG.messages);
});

test('two chats that share messages are both found by a second import', async () => {
  const { store } = memoryStore();
  const branch = { ...LONG, conversation: { ...LONG.conversation, id: 'c2' } };
  const file = conversationFile([LONG, branch]);
  expect(await importText(file, store)).toEqual({ ...NOTHING, added: 2 });
  expect(await importText(file, store)).toEqual({ ...NOTHING, present: 2 });
});

/** A message in the form of an export of ChatGPT. */
const chatGptMessage = (id: string, role: string, text: string) => ({
  id,
  author: { role },
  content: { content_type: 'text', parts: [text] },
  create_time: 5,
});

test('a chat of another product whose messages have no usable ids is not added twice', async () => {
  const { store } = memoryStore();
  const mapping = {
    'q:1': { id: 'q:1', parent: null, children: ['a:1'], message: chatGptMessage('q:1', 'user', 'What is Rome?') },
    'a:1': { id: 'a:1', parent: 'q:1', children: [], message: chatGptMessage('a:1', 'assistant', 'A city.') },
  };
  const chat = { conversation_id: 'c1', title: 'Rome', create_time: 4, update_time: 6, current_node: 'a:1', mapping };
  const file = JSON.stringify([chat]);
  expect(await importText(file, store)).toMatchObject({ added: 1, present: 0 });
  expect(await importText(file, store)).toMatchObject({ added: 0, present: 1 });
});

const ASKED = { role: 'user', content: 'Hi' };
const GEMINI = { header: 'Gemini Apps', time: '2025-03-01T10:00:00Z', safeHtmlItem: [{ html: '<p>A city</p>' }] };

test.each<[string, string]>([
  ...Object.entries(PRODUCT_EXPORTS),
  ['a question of Gemini', JSON.stringify([{ ...GEMINI, title: 'Prompted What is Rome?' }])],
  ['a list of messages', JSON.stringify([ASKED, { role: 'assistant', content: 'Hello' }])],
  [
    'an object with messages',
    JSON.stringify({ title: 'Hi', messages: [ASKED, { role: 'assistant', content: 'Hello' }] }),
  ],
  [
    'chats without times whose messages count from one',
    JSON.stringify(
      ['a', 'b'].map((id) => ({
        id,
        messages: [
          { ...ASKED, id: '1' },
          { role: 'assistant', id: '2', content: id },
        ],
      })),
    ),
  ],
  ['a chat as Markdown', '# Hi\n\n## Question\n\nHi\n\n## Answer (m)\n\nHello\n'],
])('importing %s a second and third time, at other times, adds nothing', async (_name, file) => {
  vi.useFakeTimers({ now: 2e12 });
  onTestFinished(() => void vi.useRealTimers());
  const { store, stored } = memoryStore();
  const { added } = await importText(file, store);
  expect(added).toBeGreaterThan(0);
  const first = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
  for (let time = 2; time <= 3; time += 1) {
    vi.advanceTimersByTime(1000);
    expect(await importText(file, store)).toEqual({ ...NOTHING, present: added });
  }
  expect(stored).toEqual(first);
});

/** Two chats without times whose messages count from one. */
const grown = (...said: readonly string[]) =>
  JSON.stringify(
    ['a', 'b'].map((id) => ({
      id,
      messages: said.map((word, index) => ({ role: index % 2 ? 'assistant' : 'user', content: word + id })),
    })),
  );

test('chats without times that have grown in their product get their new messages once', async () => {
  const { store, stored } = memoryStore();
  await importText(grown('1', '2'), store);
  expect(await importText(grown('1', '2', '3', '4'), store)).toEqual({ ...NOTHING, completed: 2 });
  expect(await importText(grown('1', '2', '3', '4'), store)).toEqual({ ...NOTHING, present: 2 });
  expect([...stored.messages.values()].map(text).toSorted()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b', '4a', '4b']);
});

const answered = (content: string, updated_at: number) =>
  JSON.stringify([
    {
      id: 'a',
      updated_at,
      messages: [
        { ...ASKED, id: 'm1' },
        { role: 'assistant', id: 'm2', content },
      ],
    },
  ]);

test('a chat whose answer was changed in its product is added once', async () => {
  const { store, stored } = memoryStore();
  await importText(answered('Hello', 1e9), store);
  expect(await importText(answered('Changed', 1.1e9), store)).toEqual({ ...NOTHING, added: 1 });
  expect(await importText(answered('Changed', 1.1e9), store)).toEqual({ ...NOTHING, present: 1 });
  expect([...stored.messages.values()].map(text)).toEqual(['Hi', 'Hello', 'Hi', 'Changed']);
});

test('if there is no room for a whole file, the error says how much was imported', async () => {
  const { store, stored } = memoryStore();
  const add = store.add.bind(store);
  store.add = async (conversation, messages) => {
    if (stored.conversations.size > 0) throw new DOMException('Full.', 'QuotaExceededError');
    await add(conversation, messages);
  };
  const chats = ['c1', 'c2'].map((id) => ({ conversation: sampleConversation({ id }), messages: [] }));
  await expect(importText(conversationFile(chats), store)).rejects.toThrow(
    'The browser has no room for more of its chats than the first 1.',
  );
  expect([...stored.conversations.keys()]).toEqual(['c1']);
});

test('a chat without a title gets one, and an endless title is cut', async () => {
  const { store, stored } = memoryStore();
  const chats = [' ', 'x'.repeat(1e5)].map((title, index) => ({
    conversation: sampleConversation({ id: `c${index}`, title }),
    messages: [],
  }));
  await importText(conversationFile(chats), store);
  expect([...stored.conversations.values()].map(({ title }) => title)).toEqual(['Imported chat', 'x'.repeat(200)]);
});

test('two simultaneous imports of one file add its chats once', async () => {
  const { store, stored } = memoryStore();
  const file = conversationFile([PRIVATE, { ...LONG, conversation: { ...LONG.conversation, id: 'c2' } }]);
  const outcomes = await Promise.all([importText(file, store), importText(file, store)]);
  expect(outcomes.map(({ added, present }) => added + present)).toEqual([2, 2]);
  expect([...stored.conversations.keys()]).toEqual(['c1', 'c2']);
  expect(stored.conversations.get('c1')).toEqual(PRIVATE.conversation);
  expect(await store.messages('c1')).toEqual(PRIVATE.messages);
});
