import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConversationController } from '../../../src/chat/conversation/conversation-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { drafts } from '../../../src/chat/storage/drafts/drafts.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { sampleConversation } from '../../gallery/samples/conversation.ts';
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
  vi.stubGlobal('history', { replaceState: () => {} });
  vi.stubGlobal('dispatchEvent', () => true);
  vi.stubGlobal('HashChangeEvent', Event);
});

afterEach(() => {
  for (const chat of shown.splice(0)) chat.hostDisconnected();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const shown: ConversationController[] = [];

/** Shows a chat; null shows a new one. */
function show(id: string | null): ConversationController {
  const host = { addController: () => {}, requestUpdate: () => {} };
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
  const asked = chat.ask({ text: 'Why?' }, 'other');
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

test('a question is refused while an answer runs, so that nobody takes it for a stored one', async () => {
  const chat = show(null);
  await chat.ask({ text: 'Why?' }, 'pocket');
  await expect(chat.ask({ text: 'And then?' }, 'pocket')).rejects.toThrow('An answer runs');
});
