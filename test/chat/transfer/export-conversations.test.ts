import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  exportAll,
  exportJson,
  exportMarkdown,
  type AnswersInMemory,
} from '../../../src/chat/transfer/export-conversations.ts';
import type { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';

const CONVERSATION = sampleConversation();
const STORED = sampleAnswer({ text: 'Because it', state: 'running' });
const WHOLE = sampleAnswer({ text: 'Because it rains.' });

const store = {
  conversations: async () => [CONVERSATION],
  messages: async () => [sampleQuestion(), STORED],
} as unknown as ConversationStore;

let saved: Blob | null = null;

beforeEach(() => {
  saved = null;
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('document', { createElement: () => ({ click() {} }) });
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob;
    return 'blob:';
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const GROWING: AnswersInMemory = {
  get: (id) => (id === WHOLE.id ? ({ answer: WHOLE } as ReturnType<AnswersInMemory['get']>) : undefined),
  unsaved: () => undefined,
};
const UNSTORED: AnswersInMemory = { get: () => undefined, unsaved: (id) => (id === WHOLE.id ? WHOLE : undefined) };

test.for([
  ['as JSON', 'that grows', (answers: AnswersInMemory) => exportJson(CONVERSATION, store, answers), GROWING],
  [
    'as JSON',
    'that could not be stored',
    (answers: AnswersInMemory) => exportJson(CONVERSATION, store, answers),
    UNSTORED,
  ],
  [
    'as Markdown',
    'that could not be stored',
    (answers: AnswersInMemory) => exportMarkdown(CONVERSATION, store, answers),
    UNSTORED,
  ],
  ['with all others', 'that could not be stored', (answers: AnswersInMemory) => exportAll(store, answers), UNSTORED],
] as const)('a chat that is exported %s has the whole text of an answer %s', async ([, , save, answers]) => {
  await save(answers);
  expect(await saved?.text()).toContain('Because it rains.');
});

test('a chat is exported that is longer than a text can be', async () => {
  const text = 'x'.repeat(16_000_000);
  const long = Array.from({ length: 34 }, (_, index) => sampleQuestion({ id: `q${index}`, text }));
  const messages = async () => long;
  await exportJson(CONVERSATION, { messages } as unknown as ConversationStore, UNSTORED);
  expect(saved!.size).toBeGreaterThan(2 ** 29);
});
