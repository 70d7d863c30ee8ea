import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConversationController } from '../../../src/chat/conversation/conversation-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { drafts } from '../../../src/chat/storage/drafts/drafts.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import type { Answer, Question } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';

let store: ConversationStore;
let otherTab: ConversationStore;
let running: string | undefined;
const answers = Object.assign(new EventTarget(), {
  runningIn: () => running,
  unsaved: () => undefined,
  hasUnsavedIn: () => false,
  watchOrphans: () => () => {},
  begin: ({ id }: { readonly id: string }) => void (running = id),
});

vi.mock('../../../src/chat/common/contexts.ts', () => ({
  storeContext: 'store',
  answersContext: 'answers',
  fromContext: (_host: unknown, context: string) => () => (context === 'store' ? store : answers),
}));

/** Chats whose unsent texts and files were moved to the new chat. */
const left = vi.hoisted((): string[] => []);
vi.mock('../../../src/chat/attachments/attachment-tray.ts', () => ({
  leaveMissingChat: async (chat: string) => void left.push(chat),
}));

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue();
  left.length = 0;
  running = undefined;
  const database = createMemoryDatabase();
  [store, otherTab] = [new ConversationStore(async () => database), new ConversationStore(async () => database)];
  // Without a database, there are no kept settings to wait for.
  vi.spyOn(drafts, 'keep').mockRejectedValue(new Error('There is no database.'));
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('addEventListener', () => {});
  addresses.length = 0;
  vi.stubGlobal('history', { replaceState: (_state: unknown, _title: string, to: string) => void addresses.push(to) });
  vi.stubGlobal('dispatchEvent', () => true);
  vi.stubGlobal('HashChangeEvent', Event);
});

afterEach(() => {
  for (const chat of shown.splice(0)) chat.hostDisconnected();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const shown: ConversationController[] = [];

/** The addresses that the page has had. */
const addresses: string[] = [];

/** Shows a chat; null shows a new one. */
function show(id: string | null, host = { addController: () => {}, requestUpdate: () => {}, isConnected: true }) {
  const chat = new ConversationController(host as never, (_model, messages) => messages);
  chat.hostConnected();
  shown.push(chat);
  chat.open(id);
  return chat;
}

test('a model that is chosen right after the first question is that of the next one, and not of other chats', async () => {
  const chat = show(null);
  // They cannot be stored, but hold.
  await expect(chat.changeSettings({ systemPrompt: 'Be brief.' })).rejects.toThrow('There is no database.');
  // Until then, a question waits for kept settings.
  await new Promise((resolve) => setTimeout(resolve));
  const asked = chat.ask({ text: 'Why?' }, () => 'other');
  expect(chat.settings).toMatchObject({ model: 'other', systemPrompt: 'Be brief.' });
  const chosen = chat.changeSettings({ model: 'pocket' });
  expect(chat.settings).toMatchObject({ model: 'pocket', systemPrompt: 'Be brief.' });
  await Promise.all([asked, chosen]);
  await chat.refresh();
  expect(chat.settings).toMatchObject({ model: 'pocket', systemPrompt: 'Be brief.' });
  expect(await store.conversations()).toMatchObject([{ settings: { model: 'pocket', systemPrompt: 'Be brief.' } }]);
  expect(show(null).settings).toMatchObject({ model: null, systemPrompt: '' });
});

test('a choice while a chat is being opened changes this chat only', async () => {
  const settings = { ...sampleConversation({}).settings, model: 'other', systemPrompt: 'Be brief.' };
  await store.add(sampleConversation({ id: 'c', settings }), []);
  const chat = show('c');
  await chat.changeSettings({ model: 'pocket' });
  await chat.refresh();
  expect(chat.settings).toEqual({ ...settings, model: 'pocket' });
  expect(show(null).settings.model).toBeNull();
});

test('changes of different settings at once are all stored, and those of another tab are kept', async () => {
  await store.add(sampleConversation({ id: 'c' }), []);
  const chat = show('c');
  await chat.refresh();
  const { settings } = sampleConversation({});
  await otherTab.update('c', { settings: { ...settings, systemPrompt: 'Be brief.' } });
  await Promise.all([chat.changeSettings({ model: 'pocket' }), chat.changeSettings({ seed: 7 })]);
  const stored = { ...settings, model: 'pocket', systemPrompt: 'Be brief.', seed: 7 };
  expect((await store.conversation('c'))?.settings).toEqual(stored);
  await chat.refresh();
  expect(chat.settings).toEqual(stored);
});

test('what is unsent leaves a chat that does not exist, and not one that cannot be read at the moment', async () => {
  await store.add(sampleConversation({ id: 'gone' }), []);
  const chat = show('gone');
  await chat.refresh();
  await otherTab.delete('gone');
  await vi.waitFor(() => expect([chat.state, left]).toEqual(['missing', ['gone']]));
  vi.spyOn(store, 'keepsNothing', 'get').mockReturnValue(true);
  const other = show('d');
  await other.refresh();
  await vi.dynamicImportSettled();
  expect([other.state, left]).toEqual(['unreadable', ['gone']]);
});

test('a reading settles when a newer one, which has begun meanwhile, is shown', async () => {
  await store.add(sampleConversation({ id: 'c', title: 'Before' }), []);
  const chat = show('c');
  await chat.refresh();
  const messages = store.messages.bind(store);
  let delay = 0;
  vi.spyOn(store, 'messages').mockImplementation(async (id) => {
    await new Promise((resolve) => setTimeout(resolve, (delay += 30)));
    return messages(id);
  });
  const reading = chat.refresh();
  await otherTab.update('c', { title: 'After' });
  await reading;
  expect(chat.conversation?.title).toBe('After');
});

test.for([
  ['while an answer runs', true],
  ['while another one waits for the kept settings', false],
] as const)('a question is refused %s, and is not said to have found no room', async ([, isAnswered]) => {
  const chat = show(null);
  const first = chat.ask({ text: 'Why?' }, () => 'pocket');
  if (isAnswered) await first;
  await expect(chat.ask({ text: 'And then?' }, () => 'pocket')).rejects.toThrow(/^$/);
  await first;
  expect((await store.messages(chat.id!)).map(({ text }) => text)).toEqual(['Why?', '']);
});

test('a question or another answer that cannot be stored is said to be lost for want of room', async () => {
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [
    sampleQuestion({ id: 'q', conversation: 'c' }),
    sampleAnswer({ id: 'a', conversation: 'c', parent: 'q' }),
  ]);
  const chat = show('c');
  await chat.refresh();
  vi.spyOn(store, 'write').mockRejectedValue(new DOMException('It is full.', 'QuotaExceededError'));
  const [question, answer] = [chat.path[0] as Question, chat.path[1] as Answer];
  for (const asking of [
    () => chat.ask({ text: 'Why?' }, () => 'pocket'),
    () => chat.editQuestion(question, 'How?', 'pocket'),
    () => chat.regenerate(answer, 'pocket'),
    () => chat.askAnother(answer, 'pocket'),
  ]) {
    await expect(asking()).rejects.toThrow('Is there room left');
    running = undefined;
  }
});

test.for([
  { what: 'while the chat is shown', isConnected: true, count: 1 },
  { what: 'after another screen is shown', isConnected: false, count: 0 },
])('a new chat that is stored $what gives the page its address $count times', async ({ isConnected, count }) => {
  const host = { addController: () => {}, requestUpdate: () => {}, isConnected: true };
  const asked = show(null, host).ask({ text: 'Why?' }, () => 'pocket');
  host.isConnected = isConnected;
  await asked;
  const [chat] = await store.conversations();
  expect(addresses).toEqual(Array.from({ length: count }, () => `#/chat/${chat!.id}`));
});

test('a question that is asked while its chat is read is asked in it, with its settings', async () => {
  const settings = { ...sampleConversation({}).settings, model: 'other', systemPrompt: 'Be brief.' };
  await store.add(sampleConversation({ id: 'c', settings }), [sampleQuestion({ id: 'q', conversation: 'c' })]);
  const chat = show('c');
  expect(chat.state).toBe('opening');
  await chat.ask({ text: 'Why?' }, () => chat.settings.model ?? 'pocket');
  expect(await store.conversations()).toMatchObject([{ id: 'c', settings }]);
  expect(await store.messages('c')).toMatchObject([{ id: 'q' }, { text: 'Why?', parent: 'q' }, { model: 'other' }]);
});

test.for([
  { what: 'for which another one is opened', id: 'c', other: 'd', fails: false },
  { what: 'that cannot be read', id: 'c', other: null, fails: true },
  { what: 'that could not be read', id: 'unreadable', other: null, fails: true },
])('no question is asked in a chat $what', async ({ id, other, fails }) => {
  vi.spyOn(console, 'error').mockReturnValue();
  await store.add(sampleConversation({ id: 'c' }), []);
  await store.add(sampleConversation({ id: 'd' }), []);
  if (fails) vi.spyOn(store, 'messages').mockRejectedValue(new DOMException('It cannot be read.', 'UnknownError'));
  const chat = show(id);
  if (id === 'unreadable') await chat.refresh();
  const asked = chat.ask({ text: 'Why?' }, () => 'pocket');
  if (other !== null) chat.open(other);
  await expect(asked).rejects.toThrow(/^$/);
  vi.restoreAllMocks();
  expect((await store.conversations()).map(({ id }) => id).toSorted()).toEqual(['c', 'd']);
  expect([...(await store.messages('c')), ...(await store.messages('d'))]).toEqual([]);
});

/** An answer to the question `q`. */
const version = (id: string, created: number) => sampleAnswer({ id, conversation: 'c', parent: 'q', created });

test.for([
  { deleted: 'other', path: ['q', 'first'] },
  { deleted: 'second', path: ['q', 'first'] },
  { deleted: 'first', path: ['q', 'other'] },
])('after the version "$deleted" of an answer is deleted, the chat goes on with $path.1', async ({ deleted, path }) => {
  vi.mocked(drafts.keep).mockImplementation(async (action) =>
    action({ deleteWith: (_ids: readonly string[], remove: () => Promise<unknown>) => remove() } as never),
  );
  await store.add(sampleConversation({ id: 'c', leaf: 'first' }), [
    sampleQuestion({ id: 'q', conversation: 'c' }),
    version('first', 2),
    version('second', 3),
    { ...version('other', 4), beside: 'first' },
  ]);
  const chat = show('c');
  await chat.refresh();
  await chat.deleteMessage(chat.tree.get(deleted)!);
  await chat.refresh();
  expect(chat.path.map(({ id }) => id)).toEqual(path);
});
