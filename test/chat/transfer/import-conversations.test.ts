import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Message } from '../../../src/chat/types/conversation.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';
import { conversationFile } from '../../../src/chat/transfer/conversation-file.ts';
import { importConversations, type ImportOutcome } from '../../../src/chat/transfer/import-conversations.ts';
import { NOTHING_LEFT_OUT } from '../../../src/chat/transfer/left-out.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import type { WholeConversation } from '../../../src/chat/types/whole-conversation.ts';
import { createMemoryDatabase, type StoredChats } from '../../../src/chat/storage/memory-database.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

function memoryStore(): { store: ConversationStore; stored: StoredChats } {
  const stored: StoredChats = { conversations: new Map(), messages: new Map() };
  const database = createMemoryDatabase(stored);
  return { store: new ConversationStore(async () => database), stored };
}

const NOTHING = { added: 0, present: 0, empty: 0, damaged: 0, unknown: 0, left: NOTHING_LEFT_OUT };

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

test('no import, however often repeated, changes an existing conversation or message', async () => {
  const property = fc.asyncProperty(fc.array(files, { maxLength: 3 }), async (texts) => {
    const { store, stored } = memoryStore();
    await store.add(PRIVATE.conversation, PRIVATE.messages);
    for (const text of texts) {
      const before = { conversations: new Map(stored.conversations), messages: new Map(stored.messages) };
      await importText(text, store).catch(() => undefined);
      for (const name of ['conversations', 'messages'] as const) {
        for (const [id, value] of before[name]) expect(stored[name].get(id)).toEqual(value);
      }
      for (const id of before.conversations.keys()) {
        expect(await store.messages(id)).toEqual([...before.messages.values()].filter((m) => m.conversation === id));
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

test('a file brings back messages that were deleted since, in a copy of their chat', async () => {
  const { store, stored } = memoryStore();
  const file = conversationFile([PRIVATE]);
  await importText(file, store);
  const [{ id }] = [PRIVATE.conversation];
  await store.write(id, [], { leaf: PRIVATE.messages[0]!.id }, [PRIVATE.messages[1]!.id]);
  expect(await importText(file, store)).toEqual({ ...NOTHING, added: 1 });
  const [, copy] = [...stored.conversations.keys()];
  const texts = (await store.messages(copy!)).map(({ text }) => text);
  expect(texts).toEqual(PRIVATE.messages.map(({ text }) => text));
  expect(await store.messages(id)).toHaveLength(1);
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

test('two simultaneous imports of one file do not affect each other', async () => {
  const { store, stored } = memoryStore();
  const file = conversationFile([PRIVATE]);
  await Promise.all([importText(file, store), importText(file, store)]);
  expect(stored.conversations.get('c1')).toEqual(PRIVATE.conversation);
  expect(await store.messages('c1')).toEqual(PRIVATE.messages);
});
