import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';

const ASKED = { role: 'user', text: 'Why?' };
const ANSWERED = { role: 'assistant', text: 'Because.' };
const lines = (...entries: object[]) => entries.map((line) => JSON.stringify(line)).join('\n');

test.each<[name: string, file: string, messages: object[]]>([
  [
    'DeepSeek, whose messages consist of fragments',
    JSON.stringify([
      {
        id: 'a',
        mapping: {
          root: { parent: null, message: null },
          1: { parent: 'root', message: { fragments: [{ type: 'REQUEST', content: 'Why?' }] } },
          2: {
            parent: '1',
            message: {
              fragments: [
                { type: 'THINK', content: 'Hm' },
                { type: 'RESPONSE', content: 'Because.' },
              ],
            },
          },
        },
      },
    ]),
    [ASKED, { ...ANSWERED, thinking: 'Hm' }],
  ],
  [
    'Grok, whose messages are wrapped',
    JSON.stringify({
      conversations: [
        {
          conversation: { id: 'a', title: 'T' },
          responses: [
            { response: { _id: '1', message: 'Why?', sender: 'human' } },
            { response: { _id: '2', message: 'Because.', sender: 'ASSISTANT', thinking_trace: 'Hm' } },
          ],
        },
      ],
    }),
    [ASKED, { ...ANSWERED, thinking: 'Hm' }],
  ],
  [
    'ShareGPT',
    JSON.stringify([
      {
        conversations: [
          { from: 'human', value: 'Why?' },
          { from: 'gpt', value: 'Because.' },
        ],
      },
    ]),
    [ASKED, ANSWERED],
  ],
  [
    'TypingMind',
    JSON.stringify({
      data: {
        chats: [
          {
            messages: [
              { role: 'user', content: 'Why?' },
              { role: 'assistant', content: 'Because.' },
            ],
          },
        ],
      },
    }),
    [ASKED, ANSWERED],
  ],
  [
    'AI Studio, with thinking in a message of its own',
    JSON.stringify({
      chunkedPrompt: {
        chunks: [
          { text: 'Why?', role: 'user' },
          { text: 'Hm', role: 'model', isThought: true },
          { text: 'Because.', role: 'model', finishReason: 'STOP' },
        ],
      },
    }),
    [ASKED, { ...ANSWERED, thinking: 'Hm' }],
  ],
  [
    'SillyTavern, in lines below a header',
    lines(
      { user_name: 'You' },
      { name: 'You', is_user: true, mes: 'Why?' },
      { name: 'A', is_user: false, mes: 'Because.' },
    ),
    [ASKED, ANSWERED],
  ],
  [
    'Claude Code, in lines around messages',
    lines(
      { type: 'user', message: { role: 'user', content: 'Why?' }, uuid: '1', parentUuid: null },
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Because.' }] },
        uuid: '2',
        parentUuid: '1',
      },
    ),
    [ASKED, ANSWERED],
  ],
  [
    'Chatbox, whose chats are fields of the file, with earlier threads',
    JSON.stringify({
      settings: { language: 'en' },
      'chat-sessions-list': [{ id: 'a', name: 'T' }],
      'session:a': {
        id: 'a',
        name: 'T',
        messages: [
          { id: '1', role: 'user', contentParts: [{ type: 'text', text: 'Why?' }], timestamp: 1_700_000_000_000 },
          {
            id: '2',
            role: 'assistant',
            model: 'GPT-4o',
            contentParts: [
              { type: 'reasoning', text: 'Hm' },
              { type: 'text', text: 'Because.' },
            ],
          },
        ],
      },
    }),
    [ASKED, { ...ANSWERED, thinking: 'Hm', model: 'GPT-4o' }],
  ],
  [
    'older versions of Chatbox, whose chats are a list',
    JSON.stringify({
      'chat-sessions': [
        {
          id: 'a',
          name: 'T',
          messages: [
            { id: '1', role: 'user', content: 'Why?' },
            { id: '2', role: 'assistant', content: 'Because.' },
          ],
        },
      ],
      settings: {},
    }),
    [ASKED, ANSWERED],
  ],
  [
    'NextChat, whose chats are in a store',
    JSON.stringify({
      'chat-next-web-store': {
        sessions: [
          {
            id: 'a',
            topic: 'T',
            messages: [
              { id: '1', role: 'user', content: 'Why?' },
              { id: '2', role: 'assistant', content: 'Because.' },
            ],
          },
        ],
        currentSessionIndex: 0,
      },
      'app-config': { theme: 'dark' },
    }),
    [ASKED, ANSWERED],
  ],
  [
    'Gemini in Google Takeout',
    JSON.stringify([
      {
        header: 'Gemini Apps',
        title: 'Prompted Why?',
        time: '2025-05-03T10:00:00.000Z',
        products: ['Gemini Apps'],
        safeHtmlItem: [{ html: '<p>Because.</p>' }],
      },
      { header: 'Gemini Apps', title: 'Used Gemini Apps', time: '2025-05-03T09:00:00.000Z', products: ['Gemini Apps'] },
    ]),
    [ASKED, ANSWERED],
  ],
  [
    'AI Studio, with images in the file and in Drive',
    JSON.stringify({
      chunkedPrompt: {
        chunks: [
          { role: 'user', inlineImage: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
          { role: 'user', driveImage: { id: 'x' } },
          { role: 'user', text: 'Why?' },
          { role: 'model', text: 'Because.' },
        ],
      },
    }),
    [
      { role: 'user', text: '', attachments: [{ kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }] },
      ASKED,
      ANSWERED,
    ],
  ],
  [
    "Gemini's API, with parts of media",
    JSON.stringify([
      {
        role: 'user',
        parts: [
          { text: 'Why?' },
          { inlineData: { mimeType: 'image/webp', data: 'UklGRg==' } },
          { inlineData: { mimeType: 'image/jpg', data: '/9j/' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'x' } },
        ],
      },
      { role: 'model', parts: [{ text: 'Because.' }] },
    ]),
    [
      {
        ...ASKED,
        attachments: [
          { kind: 'image', url: 'data:image/webp;base64,UklGRg==' },
          { kind: 'image', url: 'data:image/jpeg;base64,/9j/' },
        ],
      },
      ANSWERED,
    ],
  ],
  [
    "Vercel's ai, with files and calls",
    JSON.stringify({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Why?' },
            { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { type: 'tool-weather', state: 'output-available', input: { city: 'Rome' }, output: { degrees: 3 } },
            { type: 'tool-invocation', toolInvocation: { toolName: 'clock', args: {}, result: 'noon' } },
            { type: 'text', text: 'Because.' },
          ],
        },
      ],
    }),
    [
      { ...ASKED, attachments: [{ kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }] },
      { ...ANSWERED, thinking: expect.stringMatching(/weather[^]*Rome[^]*3[^]*clock[^]*noon/) },
    ],
  ],
  [
    'a product whose answers name their questions',
    JSON.stringify({
      messages: [
        { id: 'a', role: 'user', content: 'Why?' },
        { id: 'b', parentId: 'a', role: 'assistant', content: 'Because.' },
        { id: 'c', parentId: 0, role: 'user', content: 'And?' },
        { id: 'd', parentId: 'c', role: 'assistant', content: 'So.' },
      ],
    }),
    [ASKED, { ...ANSWERED, parent: 'a' }, { text: 'And?', parent: 'b' }, { text: 'So.', parent: 'c' }],
  ],
  ...[0, -1, 'none'].map((parentId): [string, string, object[]] => [
    `a product that tells of each message that it follows none, by ${parentId}`,
    JSON.stringify({
      messages: [
        { id: 1, parentId, role: 'user', content: 'Why?' },
        { id: 2, parentId, role: 'assistant', content: 'Because.' },
      ],
    }),
    [ASKED, { ...ANSWERED, parent: '1' }],
  ]),
  [
    'a product that counts messages by numbers, with branches',
    JSON.stringify({
      id: 7,
      messages: [
        { id: 1, parent_id: 0, role: 'user', content: 'Why?' },
        { id: 2, parent_id: 1, role: 'assistant', content: 'No.' },
        { id: 3, parent_id: 1, role: 'assistant', content: 'Because.' },
      ],
    }),
    [ASKED, { text: 'No.', parent: '1' }, { ...ANSWERED, parent: '1' }],
  ],
  ...[{ tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] }, { function_call: { name: 'f' } }].map(
    (called): [string, string, object[]] => [
      `a list in which an answer has only ${Object.keys(called)[0]}`,
      JSON.stringify([
        { role: 'user', content: 'Why?' },
        { role: 'assistant', ...called },
        { role: 'tool', tool_call_id: 'c', content: '3' },
        { role: 'assistant', content: 'Because.' },
      ]),
      [ASKED, { ...ANSWERED, thinking: expect.stringContaining('f') }],
    ],
  ),
])('the messages of %s are imported', async (_, file, messages) => {
  const store = new ConversationStore(async () => createMemoryDatabase());
  await importConversations(new Blob([file]), store, readImportFile);
  const [conversation] = await store.conversations();
  expect(await store.messages(conversation!.id)).toMatchObject(messages);
});

const chat = (name: string) => ({
  name,
  messages: [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: `Because of ${name}.` },
  ],
});

test('all chats among the fields of a file are imported, with the threads in them, and other fields are not', async () => {
  const file = {
    settings: { history: [], name: 'x' },
    'session:a': { ...chat('a'), threads: [chat('b')] },
    more: [chat('c')],
  };
  const store = new ConversationStore(async () => createMemoryDatabase());
  await importConversations(new Blob([JSON.stringify(file)]), store, readImportFile);
  expect((await store.conversations()).map(({ title }) => title).toSorted()).toEqual(['a', 'b', 'c']);
});

const activity = (title: string, more: object = {}) => ({
  header: 'Gemini Apps',
  title,
  time: '2025-05-03T10:00:00Z',
  ...more,
});

test('entries of Google Takeout that are no questions are told as empty', async () => {
  const file = [activity('Used Gemini Apps'), activity('Prompted Why?', { safeHtmlItem: [{ html: '<p>So.</p>' }] })];
  const store = new ConversationStore(async () => createMemoryDatabase());
  const outcome = await importConversations(new Blob([JSON.stringify(file)]), store, readImportFile);
  expect(outcome).toMatchObject({ added: 1, empty: 1, unknown: 0 });
});

test('a file of settings without chats is refused', async () => {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const file = new Blob([JSON.stringify({ settings: { theme: 'dark', models: [{ name: 'a' }] } })]);
  await expect(importConversations(file, store, readImportFile)).rejects.toThrow('not an export');
});
