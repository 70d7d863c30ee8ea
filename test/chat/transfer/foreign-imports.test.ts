import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';
import { importConversations, type ImportOutcome } from '../../../src/chat/transfer/import-conversations.ts';
import { NOTHING_LEFT_OUT } from '../../../src/chat/transfer/left-out.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import { sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { chatGptExport, chatGptNode, chatGptText, openWebUiExport } from '../../support/samples/foreign-exports.ts';

const newStore = () => new ConversationStore(async () => createMemoryDatabase());

function importJson(value: unknown, store: ConversationStore): Promise<ImportOutcome> {
  return importConversations(new Blob([JSON.stringify(value)]), store, readImportFile);
}

async function only(store: ConversationStore) {
  const conversations = await store.conversations();
  expect(conversations).toHaveLength(1);
  const [conversation] = conversations;
  const tree = new MessageTree(await store.messages(conversation!.id));
  return { conversation: conversation!, tree, path: tree.path(conversation!.leaf) };
}

const CHATGPT_OUTCOME = {
  added: 1,
  present: 0,
  completed: 0,
  empty: 1,
  damaged: 0,
  unknown: 0,
  left: { ...NOTHING_LEFT_OUT, images: 1, sources: 1 },
};

test('a chat of ChatGPT is imported with its branches, the current one on top, and its answers in one piece', async () => {
  const store = newStore();
  expect(await importJson(chatGptExport(), store)).toEqual(CHATGPT_OUTCOME);
  const { conversation, tree, path } = await only(store);
  expect(conversation).toMatchObject({
    title: 'Lighthouses',
    created: 1_736_209_400_500,
    pinned: false,
    settings: { systemPrompt: 'A sailor\nBe brief' },
  });
  expect(path.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'What is a lighthouse?'],
    ['assistant', 'It guides **ships**.'],
    ['user', 'How tall is this one?\n\n[Image: tower.png]'],
    ['assistant', '```python\nran\n```\n\n```\nran\n```\n\nThirty metres.'],
  ]);
  expect(path[3]).toMatchObject({ model: 'gpt-4o', thinking: 'Looking\n\nIt has nine windows.', state: 'complete' });
  expect(tree.siblings(path[1]!.id).map(({ text }) => text)).toEqual(['A tower with a lamp.', 'It guides **ships**.']);
  expect(tree.siblings(path[2]!.id).map(({ text }) => text)).toEqual([path[2]!.text, 'And at night?']);
});

test('a chat of Open WebUI is imported with its branches, thinking and system prompt', async () => {
  const store = newStore();
  expect(await importJson(openWebUiExport(), store)).toEqual({
    ...CHATGPT_OUTCOME,
    empty: 0,
    left: { ...NOTHING_LEFT_OUT, files: 1 },
  });
  const { conversation, tree, path } = await only(store);
  expect(conversation).toMatchObject({
    title: '🍞 Bread',
    pinned: true,
    settings: { systemPrompt: 'You are a baker.' },
  });
  expect(path[1]).toMatchObject({
    model: 'llama3.2:3b',
    thinking: 'Flour & water.\n\nsearch',
    text: 'Bake it for **forty** minutes.',
  });
  expect(tree.siblings(path[1]!.id).map(({ text }) => text)).toEqual([path[1]!.text, 'In a hot oven.']);
});

test('an old chat of Open WebUI, a list of messages without times, keeps its order', async () => {
  const store = newStore();
  const messages = ['Hello', 'Good day', 'Bye'].map((content, index) => ({
    role: index === 1 ? 'assistant' : 'user',
    content: [{ type: 'text', text: content }],
  }));
  await importJson([{ title: '', chat: { messages } }], store);
  const { conversation, path } = await only(store);
  expect(path.map(({ text }) => text)).toEqual(['Hello', 'Good day', 'Bye']);
  expect(conversation.title).toBe('Hello');
});

test('the archive is read like its chats, also if they are in several files', async () => {
  const store = newStore();
  const [full, empty] = chatGptExport();
  const archive = zipSync({
    'chat.html': strToU8('<html>'),
    'export/conversations-000.json': strToU8(JSON.stringify([full])),
    'export/conversations-001.json': [strToU8(JSON.stringify([empty])), { level: 0 }],
    'user.json': strToU8('{}'),
  });
  expect(await importConversations(new Blob([archive]), store, readImportFile)).toEqual(CHATGPT_OUTCOME);
  expect(await importJson(chatGptExport(), store)).toEqual({
    ...CHATGPT_OUTCOME,
    added: 0,
    present: 1,
    left: NOTHING_LEFT_OUT,
  });
});

/** Matches a sentence for the user, as opposed to a JavaScript error or JSON. */
const SENTENCE = /^[A-Z][^{}[\]]*\.$/;

const KNOWN = zipSync({ 'conversations.json': strToU8(JSON.stringify(chatGptExport())) });
const BOMB = zipSync({ 'conversations.json': new Uint8Array(300_000_000) });

test.each([
  ['nothing', '', 'empty'],
  ['blanks', ' \n ', 'empty'],
  ['other text', 'oops', 'page knows'],
  ['Markdown of another origin', '# Notes\n\n## Monday\n\nNothing.', 'page knows'],
  ['JSON that breaks off', '[{"mapping":{"a":{"message"', 'damaged'],
  ['JSON of several lines that breaks off', '[\n  {\n    "mapping": {\n      "a": {', 'damaged'],
  ['an empty list', '[]', 'There is no chat'],
  ['a number', '7', 'page knows'],
  ['null', 'null', 'page knows'],
  ['a file of another product', '[{"uuid":"1","prompts":[]}]', 'page knows'],
  ['another file of Tabserve', '{"format":"other"}', 'page knows'],
  ['a file of a newer Tabserve', '{"format":"tabserve-conversations","version":2}', 'newer Tabserve'],
  ['a file of Tabserve without chats', '{"format":"tabserve-conversations","version":1}', 'There is no chat'],
  ['an archive with other content', zipSync({ 'a.txt': strToU8('hello') }), 'no chats in this archive'],
  ['a truncated archive', KNOWN.slice(0, KNOWN.length / 2), 'damaged'],
  [
    'an archive with a damaged byte',
    KNOWN.map((byte, index) => (index > 60 && index < 90 ? 255 - byte : byte)),
    'damaged',
  ],
  ['a small archive with 300 MB', BOMB, 'larger than'],
])('%s is refused with an explanation, and nothing is added', async (_, content, words) => {
  const store = newStore();
  const imported = importConversations(new Blob([content as BlobPart]), store, readImportFile);
  await expect(imported).rejects.toThrow(words);
  await expect(imported).rejects.toThrow(SENTENCE);
  expect(await store.conversations()).toEqual([]);
});

test('a chat whose messages form cycles, or have missing parents, is imported with each message once', async () => {
  const store = newStore();
  const mapping = Object.fromEntries([
    chatGptNode('a', 'c', chatGptText('user', 'One', null)),
    chatGptNode('b', 'a', chatGptText('assistant', 'Two', null)),
    chatGptNode('c', 'b', chatGptText('user', 'Three', null)),
    chatGptNode('d', 'd', chatGptText('user', 'Four', null)),
    chatGptNode('e', 'nowhere', chatGptText('user', 'Five', null)),
    chatGptNode('s', 't', chatGptText('system', '', null)),
    chatGptNode('t', 's', chatGptText('tool', '', null)),
    chatGptNode('f', 's', chatGptText('user', 'Six', null)),
  ]);
  expect(await importJson([{ mapping }], store)).toMatchObject({ added: 1 });
  const { conversation, tree, path } = await only(store);
  const messages = await store.messages(conversation.id);
  expect(messages.map(({ text }) => text).toSorted()).toEqual(['Five', 'Four', 'One', 'Six', 'Three', 'Two']);
  expect(path.length).toBeGreaterThan(0);
  const roots = messages.filter(({ parent }) => parent === null);
  expect(new Set(roots.flatMap(({ id }) => tree.idsBelow(id))).size).toBe(6);
});

function pieceOfAnswer(index: number, parent: string): ReturnType<typeof chatGptNode> {
  return chatGptNode(`m${index}`, parent, chatGptText('assistant', 'x', null));
}

test('a chain of twenty thousand messages, and as many answers to one question, are read in bounded time', async () => {
  const store = newStore();
  const count = 20_000;
  const chain = Array.from({ length: count }, (_, index) => pieceOfAnswer(index, `m${index - 1}`));
  const fan = Array.from({ length: count }, (_, index) => pieceOfAnswer(index, 'root'));
  const outcome = await importJson(
    [chain.toReversed(), fan].map((nodes) => ({ mapping: Object.fromEntries(nodes) })),
    store,
  );
  expect(outcome.added).toBe(2);
});

test('existing and invalid ids in a file change none of the stored chats', async () => {
  const store = newStore();
  const mine = sampleConversation({ id: 'mine', title: 'Mine' });
  const question = sampleQuestion({ id: 'question-1', conversation: 'mine' });
  await store.add(mine, [question]);
  const [full] = chatGptExport();
  await importJson(
    [
      { ...full, conversation_id: 'mine' },
      { ...full, conversation_id: '../<b>' },
    ],
    store,
  );
  expect(await store.conversation('mine')).toEqual(mine);
  expect(await store.messages('mine')).toEqual([question]);
  const ids = (await store.conversations()).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(ids.every((id) => /^[\w-]{1,64}$/.test(id))).toBe(true);
});

test('a random file of these formats is imported or refused with an explanation, and an imported chat can be shown', async () => {
  const anything = fc.oneof(
    fc.string(),
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.array(fc.string()),
    fc.object(),
  );
  const id = fc.constantFrom('a', 'b', 'c', '__proto__', '');
  const message = fc.record(
    {
      author: fc.oneof(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system') }), anything),
      content: fc.oneof(
        fc.record({ content_type: fc.constantFrom('text', 'thoughts', 'multimodal_text'), parts: fc.array(anything) }),
        anything,
      ),
      create_time: anything,
      metadata: anything,
    },
    { requiredKeys: [] },
  );
  const webui = fc.record(
    {
      parentId: fc.oneof(id, anything),
      role: fc.constantFrom('user', 'assistant', 'tool'),
      content: anything,
      timestamp: anything,
    },
    { requiredKeys: [] },
  );
  const chat = fc.oneof(
    fc.record({
      mapping: fc.dictionary(id, fc.record({ parent: fc.oneof(id, anything), message: fc.oneof(message, anything) })),
      title: anything,
      create_time: anything,
      update_time: anything,
      current_node: fc.oneof(id, anything),
    }),
    fc.record({
      chat: fc.record({ history: fc.record({ messages: fc.dictionary(id, webui), currentId: id }) }),
      title: anything,
    }),
    anything,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(chat, { maxLength: 4 }), async (chats) => {
      const store = newStore();
      const refusal = await importJson(chats, store).then(
        () => 'It was taken.',
        ({ message }: Error) => message,
      );
      expect(refusal).toMatch(SENTENCE);
      for (const { id, leaf, updated } of await store.conversations()) {
        const messages = await store.messages(id);
        expect(new MessageTree(messages).path(leaf).length).toBeGreaterThan(0);
        expect(messages.every(({ created }) => new Date(created).getTime() >= 0)).toBe(true);
        expect(new Date(updated).getTime()).toBeGreaterThan(0);
      }
    }),
    { numRuns: 500 },
  );
});
