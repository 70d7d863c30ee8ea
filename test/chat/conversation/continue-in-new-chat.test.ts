import { expect, test, vi } from 'vitest';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { continueWithTurns } from '../../../src/chat/conversation/composer/continue-in-new-chat.ts';
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
