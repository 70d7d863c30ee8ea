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
])('the messages of %s are imported', async (_, file, messages) => {
  const store = new ConversationStore(async () => createMemoryDatabase());
  await importConversations(new Blob([file]), store, readImportFile);
  const [conversation] = await store.conversations();
  expect(await store.messages(conversation!.id)).toMatchObject(messages);
});
