import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';

const said = (id: string, role: string, content: string, more: object) => ({ id, role, content, ...more });

/** Two chats of two messages each, whose rows are mixed. */
const mixed = (field: string, time: (second: number) => unknown) => [
  said('4', 'assistant', 'On Monday.', { [field]: 'b', createdAt: time(4) }),
  said('1', 'user', 'Why?', { [field]: 'a', createdAt: time(1) }),
  said('3', 'user', 'When?', { [field]: 'b', createdAt: time(3) }),
  said('2', 'assistant', 'Because.', { [field]: 'a', createdAt: time(2) }),
];

const BOTH = [
  ['A', 'Why?', 'Because.'],
  ['B', 'When?', 'On Monday.'],
];

const cherry = {
  time: 1,
  version: 5,
  localStorage: {
    'persist:cherry-studio': JSON.stringify({
      assistants: JSON.stringify({
        assistants: [
          {
            id: 'x',
            topics: [
              { id: 'a', name: 'A' },
              { id: 'b', name: 'B' },
            ],
          },
        ],
      }),
    }),
  },
  indexedDB: {
    topics: [
      {
        id: 'a',
        messages: [
          { id: '1', role: 'user', topicId: 'a', createdAt: '2026-01-01T10:00:00Z', blocks: ['p'] },
          { id: '2', role: 'assistant', topicId: 'a', createdAt: '2026-01-01T10:00:01Z', blocks: ['q', 'r'] },
        ],
      },
      {
        id: 'b',
        messages: [
          { id: '3', role: 'user', topicId: 'b', createdAt: '2026-01-01T11:00:00Z', blocks: ['s'] },
          { id: '4', role: 'assistant', topicId: 'b', createdAt: '2026-01-01T11:00:01Z', blocks: ['t'] },
        ],
      },
    ],
    message_blocks: [
      { id: 'p', messageId: '1', type: 'main_text', content: 'Why?' },
      { id: 'q', messageId: '2', type: 'thinking', content: 'Hm' },
      { id: 'r', messageId: '2', type: 'main_text', content: 'Because.' },
      { id: 's', messageId: '3', type: 'main_text', content: 'When?' },
      { id: 't', messageId: '4', type: 'main_text', content: 'On Monday.' },
    ],
  },
};

test.each<[name: string, file: BlobPart]>([
  [
    'a database that counts its rows by numbers',
    JSON.stringify({
      chats: [
        { id: 1, title: 'A' },
        { id: 2, title: 'B' },
      ],
      messages: mixed('chat_id', (second) => 1.7e9 + second).map((row) => ({
        ...row,
        id: Number(row.id),
        chat_id: (row as { chat_id?: string }).chat_id === 'a' ? 1 : 2,
      })),
    }),
  ],
  [
    'LobeChat',
    JSON.stringify({
      exportType: 'sessions',
      state: {
        messages: mixed('topicId', (second) => 1_700_000_000_000 + second * 1000).map((row) => ({
          ...row,
          sessionId: 'inbox',
          ...(row.role === 'assistant' ? { parentId: String(Number(row.id) - 1) } : {}),
        })),
        sessions: [{ id: 'inbox', meta: { title: 'Inbox' } }],
        topics: [
          { id: 'a', title: 'A', sessionId: 'inbox' },
          { id: 'b', title: 'B', sessionId: 'inbox' },
        ],
      },
      version: 7,
    }),
  ],
  ['Cherry Studio', JSON.stringify(cherry)],
  ['Cherry Studio, as an archive', zipSync({ 'data.json': strToU8(JSON.stringify(cherry)) })],
  [
    'any product with tables of chats and of messages',
    JSON.stringify({
      chats: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
      messages: mixed('chat_id', (second) => `2026-01-01T10:00:0${second}Z`),
    }),
  ],
  [
    'a database as JSON in a table',
    JSON.stringify([
      {
        type: 'table',
        name: 'threads',
        data: [
          { id: 'a', title: 'A' },
          { id: 'b', title: 'B' },
        ],
      },
      { type: 'table', name: 'messages', data: mixed('thread_id', (second) => 1_700_000_000 + second) },
    ]),
  ],
])('each chat in a backup of %s becomes a chat with its title and order', async (_, file) => {
  const { chats, outcome } = await imported(file);
  expect(chats).toEqual(BOTH);
  expect(outcome).toMatchObject({ added: 2, damaged: 0, unknown: 0 });
});

test('a list of chats is no table, also where a chat has messages that name another one from which they were copied', async () => {
  const chats = [
    {
      title: 'A',
      messages: [
        said('1', 'user', 'Why?', { conversation_id: 'old' }),
        said('2', 'assistant', 'Because.', { conversation_id: 'a' }),
      ],
    },
    { title: 'B', messages: [said('3', 'user', 'When?', {}), said('4', 'assistant', 'On Monday.', {})] },
  ];
  expect((await imported(JSON.stringify(chats))).chats).toEqual(BOTH);
});

/** The outcome of an import, and the chats with their titles and texts, by title. */
async function imported(file: BlobPart) {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const outcome = await importConversations(new Blob([file]), store, readImportFile);
  const chats = await Promise.all(
    (await store.conversations()).map(async ({ id, title }) => [
      title,
      ...(await store.messages(id)).map(({ text }) => text),
    ]),
  );
  return { outcome, chats: chats.toSorted(([one], [other]) => one!.localeCompare(other!)) };
}
