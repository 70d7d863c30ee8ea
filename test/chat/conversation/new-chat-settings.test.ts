import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConversationController } from '../../../src/chat/conversation/conversation-controller.ts';
import type { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sampleConversation } from '../../gallery/samples/conversation.ts';
import { MemoryIdb, memoryKeyRange } from '../../support/fakes/memory-idb.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

let idb: MemoryIdb;
vi.mock('idb', () => ({ openDB: (...given: Parameters<MemoryIdb['openDB']>) => idb.openDB(...given) }));

let store: ConversationStore;
const answers = Object.assign(new EventTarget(), {
  runningIn: () => undefined,
  unsaved: () => undefined,
  hasUnsavedIn: () => false,
  watchOrphans: () => () => {},
  begin: () => {},
});
vi.mock('../../../src/chat/common/contexts.ts', () => ({
  storeContext: 'store',
  answersContext: 'answers',
  fromContext: (_host: unknown, context: string) => () => (context === 'store' ? store : answers),
}));

/** Channels on which no page answers, because each page of these tests is closed when the next one is opened. */
class SilentChannel extends EventTarget {
  postMessage(): void {}
}

const WRITTEN = { systemPrompt: 'Be brief.', jsonSchema: '{"type":"object"}', tools: ['calculate'] as const };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'info').mockReturnValue();
  idb = new MemoryIdb();
  vi.stubGlobal('IDBKeyRange', memoryKeyRange);
  vi.stubGlobal('BroadcastChannel', SilentChannel);
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('location', { hash: '#/' });
  vi.stubGlobal('history', { replaceState: () => {} });
  vi.stubGlobal('dispatchEvent', () => true);
  vi.stubGlobal('HashChangeEvent', Event);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Waits for a promise, and passes the time that it needs. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  await pass(2000);
  return promise;
}

/** Loads the page, with no other page of the site open. In another tab, `sessionStorage` is another one. */
async function openPage(sessionStorage = new MemoryStorage()) {
  const page = new EventTarget();
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('sessionStorage', sessionStorage);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.resetModules();
  const { ConversationStore } = await import('../../../src/chat/storage/conversation-store.ts');
  const { ConversationController } = await import('../../../src/chat/conversation/conversation-controller.ts');
  const { closedTabs, adoptTab } = await import('../../../src/chat/storage/drafts/closed-tabs.ts');
  const { drafts } = await import('../../../src/chat/storage/drafts/drafts.ts');
  const { thisTab } = await import('../../../src/chat/storage/drafts/store-drafts.ts');
  store = new ConversationStore();
  const showAtOnce = (id: string | null): ConversationController => {
    const host = { addController: () => {}, requestUpdate: () => {} };
    const chat = new ConversationController(host as never, (_model, messages) => messages);
    chat.hostConnected();
    chat.open(id);
    return chat;
  };
  return {
    sessionStorage,
    closedTabs: () => settled(closedTabs()),
    adopt: async (tab: string) => settled(adoptTab(tab, await settled(thisTab()))),
    write: async (text: string) => {
      await drafts.keep((keeper) => keeper.show(null));
      drafts.write(null, text);
      await pass(1000);
    },
    showAtOnce,
    /** Shows a chat; null shows a new one. */
    show: async (id: string | null): Promise<ConversationController> => {
      const chat = showAtOnce(id);
      await drafts.keep(() => {});
      await pass(2000);
      return chat;
    },
  };
}

test('the settings of a new chat survive a reload, without the model, until a chat has them', async () => {
  const page = await openPage();
  const chat = await page.show(null);
  await settled(chat.changeSettings({ systemPrompt: 'Be brief.', jsonSchema: WRITTEN.jsonSchema }));
  await settled(chat.changeSettings({ tools: WRITTEN.tools, model: 'other' }));
  const reloaded = await openPage(page.sessionStorage);
  const again = await reloaded.show(null);
  expect(again.settings).toMatchObject({ ...WRITTEN, model: null });
  await settled(again.ask({ text: 'Why?' }, () => 'pocket'));
  expect(await settled(store.conversations())).toMatchObject([{ settings: { ...WRITTEN, model: 'pocket' } }]);
  expect((await reloaded.show(null)).settings).toMatchObject({ systemPrompt: '', tools: [] });
  expect((await (await openPage(page.sessionStorage)).show(null)).settings).toMatchObject({ systemPrompt: '' });
});

test('a tab that takes over the draft of a closed one has its settings, and one without a draft takes over none', async () => {
  const page = await openPage();
  await settled((await page.show(null)).changeSettings(WRITTEN));
  expect((await (await openPage()).show(null)).settings).toMatchObject({ systemPrompt: '' });
  const restored = await openPage(page.sessionStorage);
  await restored.show(null);
  await restored.write('A draft');
  expect((await (await openPage()).show(null)).settings).toMatchObject(WRITTEN);
});

test('a draft of a closed tab that is put into the field brings those settings that were not changed here', async () => {
  const closed = await openPage();
  await settled((await closed.show(null)).changeSettings(WRITTEN));
  const own = new MemoryStorage();
  own.setItem('tabserve-tab', 'tab-own');
  const page = await openPage(own);
  const chat = await page.show(null);
  await settled(chat.changeSettings({ systemPrompt: 'Be kind.' }));
  await page.adopt(closed.sessionStorage.getItem('tabserve-tab')!);
  expect(chat.settings).toMatchObject({ ...WRITTEN, systemPrompt: 'Be kind.' });
});

test('the settings of a new chat are kept while another chat or screen is shown', async () => {
  const page = await openPage();
  await settled(store.add(sampleConversation({ id: 'c' }), []));
  const chat = await page.show(null);
  await settled(chat.changeSettings(WRITTEN));
  chat.open('c');
  expect(chat.settings.systemPrompt, 'while the chat is read').toBe('');
  await pass(1000);
  expect(chat.settings.systemPrompt).toBe('');
  chat.open(null);
  expect(chat.settings).toMatchObject(WRITTEN);
  expect((await page.show(null)).settings).toMatchObject(WRITTEN);
});

test('a first question that cannot be stored keeps the settings for when it is asked again', async () => {
  const page = await openPage();
  const chat = await page.show(null);
  await settled(chat.changeSettings(WRITTEN));
  const full = vi.spyOn(store, 'add').mockRejectedValue(new DOMException('No room left.', 'QuotaExceededError'));
  await expect(settled(chat.ask({ text: 'Why?' }, () => 'pocket'))).rejects.toThrow('Is there room left');
  full.mockRestore();
  const again = await page.show(null);
  expect(again.settings).toMatchObject(WRITTEN);
  expect((await (await openPage(page.sessionStorage)).show(null)).settings).toMatchObject(WRITTEN);
});

test('a collection that is taken away from a new chat does not come back after a reload', async () => {
  const page = await openPage();
  const chat = await page.show(null);
  await settled(chat.changeSettings({ documents: { id: 'vs_1', name: 'Letters' } }));
  await settled(chat.changeSettings({ documents: undefined }));
  const again = await (await openPage(page.sessionStorage)).show(null);
  expect(again.settings.documents).toBeUndefined();
});

test('a question that is asked right after a reload waits for the kept settings, which no other chat gets', async () => {
  const page = await openPage();
  await settled((await page.show(null)).changeSettings(WRITTEN));
  const reloaded = await openPage(page.sessionStorage);
  const chat = reloaded.showAtOnce(null);
  await settled(chat.ask({ text: 'Why?' }, () => 'pocket'));
  expect(await settled(store.conversations())).toMatchObject([{ settings: WRITTEN }]);
  expect((await reloaded.show(null)).settings).toMatchObject({ systemPrompt: '', tools: [] });
});

test('a question that waits for the kept settings is not asked in a chat that is opened meanwhile', async () => {
  const page = await openPage();
  await settled(store.add(sampleConversation({ id: 'c' }), []));
  const chat = page.showAtOnce(null);
  const asked = chat.ask({ text: 'Why?' }, () => 'pocket');
  chat.open('c');
  await expect(settled(asked)).rejects.toThrow(/^$/);
  expect(await settled(store.conversations())).toHaveLength(1);
});

test('nothing is stored of the settings of a temporary chat', async () => {
  const page = await openPage();
  const { ConversationStore } = await import('../../../src/chat/storage/conversation-store.ts');
  store = new ConversationStore(null);
  await settled((await page.show(null)).changeSettings(WRITTEN));
  expect((await page.show(null)).settings).toMatchObject(WRITTEN);
  expect((await (await openPage(page.sessionStorage)).show(null)).settings).toMatchObject({ systemPrompt: '' });
});
