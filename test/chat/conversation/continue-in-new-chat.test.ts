import { expect, test, vi } from 'vitest';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { continueWithTurns, leaveOutFirst } from '../../../src/chat/conversation/composer/continue-in-new-chat.ts';
import type { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import type { Attachment, Message } from '../../../src/chat/types/conversation.ts';
import type { Tabserve } from '../../../src/page/index.ts';

test('a question that is only a file is copied into the new chat, with its answer', async () => {
  vi.stubGlobal('location', { hash: '' });
  const file: Attachment = { id: '1', kind: 'text', name: 'a.csv', size: 3, part: 'whole', text: '1,2' };
  const path = [sampleQuestion({ text: '', attachments: [file] }), sampleAnswer({ text: 'Two numbers.' })];
  const copied: Message[] = [];
  const store = { add: async (_: unknown, messages: readonly Message[]) => void copied.push(...messages) };
  await continueWithTurns({
    conversation: sampleConversation({}),
    path,
    model: 'pocket',
    window: 1000,
    tabserve: { call: async () => ({ tokens: [1, 2, 3], pieces: null }) } as unknown as Tabserve,
    store: store as unknown as ConversationStore,
  });
  expect(copied).toMatchObject([
    { role: 'user', attachments: [file] },
    { role: 'assistant', text: 'Two numbers.' },
  ]);
  vi.unstubAllGlobals();
});

const longFile: Attachment = {
  id: '1',
  kind: 'text',
  name: 'a.txt',
  size: 9,
  part: 'whole',
  text: 'word '.repeat(500),
};

test.each([
  ['a question has a long file', { attachments: [longFile] }, '', 'q2'],
  ['a question is long, in Chinese', { text: '为什么？'.repeat(150) }, '', 'q2'],
  ['the system prompt leaves less room', { text: 'Why? '.repeat(200) }, 'Be brief. '.repeat(80), 'q2'],
  ['all fits', { text: 'Why? '.repeat(200) }, '', 'q1'],
])('of a model that shows no tokens, what no longer fits is left out: %s', async (_, first, systemPrompt, kept) => {
  const changes: unknown[] = [];
  const conversation = sampleConversation({});
  await leaveOutFirst({
    conversation: { ...conversation, settings: { ...conversation.settings, systemPrompt } },
    path: [
      sampleQuestion({ id: 'q1', text: 'Why?', ...first }),
      sampleAnswer({ id: 'a1', text: 'So.' }),
      sampleQuestion({ id: 'q2', text: 'And when?' }),
      sampleAnswer({ id: 'a2', text: 'Now.' }),
    ],
    model: 'smollm2',
    window: 1000,
    tabserve: { call: () => Promise.reject(new Error('It shows no tokens.')) } as unknown as Tabserve,
    store: {
      update: async (_id: string, change: unknown) => void changes.push(change),
    } as unknown as ConversationStore,
  });
  expect(changes).toEqual([{ sentFrom: kept }]);
});
