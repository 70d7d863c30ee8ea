import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAgain } from '../../../src/chat/conversation/ask-again.ts';
import { ConversationController } from '../../../src/chat/conversation/conversation-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

interface Tab {
  readonly store: ConversationStore;
  readonly answers: EventTarget;
}

vi.mock('../../../src/chat/common/contexts.ts', () => ({
  storeContext: 'store',
  answersContext: 'answers',
  fromContext: (host: Tab, context: keyof Tab) => () => host[context],
}));

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue();
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
});

afterEach(() => {
  for (const chat of shown.splice(0)) chat.hostDisconnected();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const shown: ConversationController[] = [];

const WHY = sampleQuestion({ id: 'why', conversation: 'c', text: 'Why?', parent: null, created: 1 });
const REFUSED = sampleAnswer({ id: 'refused', conversation: 'c', parent: 'why', text: 'I cannot say.', created: 2 });
const HOW = sampleQuestion({ id: 'how', conversation: 'c', text: 'How?', parent: 'refused', created: 3 });
const LATER = sampleAnswer({ id: 'later', conversation: 'c', parent: 'how', text: 'So.', created: 4 });

/** Shows one chat in two tabs. */
async function twoTabs(messages: readonly (typeof WHY | Answer)[]) {
  const database = createMemoryDatabase();
  const tab = async () => {
    const running = new Set<string>();
    const answers = Object.assign(new EventTarget(), {
      runningIn: (id: string) => (running.has(id) ? {} : undefined),
      unsaved: () => undefined,
      hasUnsavedIn: () => false,
      watchOrphans: () => () => {},
      begin: ({ conversation }: Answer) => void running.add(conversation),
    });
    const store = new ConversationStore(async () => database);
    const host = { store, answers, addController: () => {}, requestUpdate: () => {}, isConnected: true };
    const chat = new ConversationController(host as never, (_model, path) => path);
    chat.hostConnected();
    shown.push(chat);
    return { store, chat };
  };
  const [one, other] = [await tab(), await tab()];
  await one.store.add(sampleConversation({ id: 'c', leaf: messages.at(-1)!.id }), messages);
  for (const { chat } of [one, other]) {
    chat.open('c');
    await chat.refresh();
  }
  return { one, other };
}

test.each([
  ['whose answer is the last one', [WHY, REFUSED], 1, 2],
  ['after which the chat has continued', [WHY, REFUSED, HOW, LATER], 2, 3],
] as const)('two tabs ask a question once, %s, when its model arrives', async (_, messages, asked, answered) => {
  const { one, other } = await twoTabs(messages);
  await Promise.all([one, other].map(({ chat }) => askAgain(chat, chat.path, REFUSED, 'smollm2')));
  const stored = await one.store.messages('c');
  expect(stored.filter(({ text }) => text === 'Why?')).toHaveLength(asked);
  expect(stored.filter(({ role }) => role === 'assistant')).toHaveLength(answered);
  expect(stored.filter((message) => message.role === 'assistant' && message.model === 'smollm2')).toHaveLength(1);
});

test('a question is not asked again where the chat has continued since', async () => {
  const { one, other } = await twoTabs([WHY, REFUSED]);
  const { path } = one.chat;
  await other.chat.ask({ text: 'And when?' }, () => 'pocket');
  await askAgain(one.chat, path, REFUSED, 'smollm2');
  const stored = await one.store.messages('c');
  expect(stored.filter((message) => message.role === 'assistant' && message.model === 'smollm2')).toEqual([]);
});
