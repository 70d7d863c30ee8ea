import type { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { MemoryIdb, memoryKeyRange, type Access } from '../../support/fakes/memory-idb.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

let idb: MemoryIdb;
vi.mock('idb', () => ({ openDB: (...given: Parameters<MemoryIdb['openDB']>) => idb.openDB(...given) }));

const CHAT = sampleConversation({ id: 'c' });
const OTHER = sampleConversation({ id: 'other' });
const QUESTION = sampleQuestion({ id: 'q', conversation: 'c', text: 'What is Rome?' });

/** All that is stored for the chat, its question and another chat, in the order of {@link stored}. */
const ALL = ['text c', 'text other', 'text q', 'question c', 'question other', 'file c', 'file other'];
const OTHERS = ALL.filter((entry) => entry.endsWith('other'));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'info').mockReturnValue();
  idb = new MemoryIdb();
  vi.stubGlobal('IDBKeyRange', memoryKeyRange);
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('location', { hash: '#/' });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Loads the page in a tab of its own. The other tabs stay open. */
async function openTab() {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.resetModules();
  const { ConversationStore } = await import('../../../src/chat/storage/conversation-store.ts');
  const { deleteConversation } = await import('../../../src/chat/list/delete-conversation.ts');
  const { drafts } = await import('../../../src/chat/storage/drafts/drafts.ts');
  const { questionQueues } = await import('../../../src/chat/storage/drafts/question-queues.ts');
  const { unsentFiles } = await import('../../../src/chat/attachments/unsent-files.ts');
  const { draftConnection } = await import('../../../src/chat/storage/drafts/draft-database.ts');
  const { fileConnection } = await import('../../../src/chat/storage/drafts/unsent-file-database.ts');
  const store = new ConversationStore();
  const keeper = await drafts.keep((keeper) => keeper);
  const answers = { stopConversation: () => {}, runningIn: () => undefined, addEventListener: () => {} };
  return {
    store,
    drafts,
    keeper,
    delete: () => settled(deleteConversation(CHAT, store, answers)),
    /** Writes in the field of a chat, and goes on to another. */
    write: async (owner: string, text: string) => {
      await settled(keeper.show(owner));
      drafts.write(owner, text);
      keeper.hide(owner);
      await pass(1000);
    },
    addFile: (owner: string) => unsentFiles.addText(owner, `${owner}.txt`, `File of ${owner}`),
    /** Stores a chat with one question, another chat, and something unsent of each kind for both and the question. */
    async fill(): Promise<void> {
      await store.add(CHAT, [QUESTION]);
      await store.add(OTHER, []);
      for (const owner of ['c', 'other', 'q']) await this.write(owner, `Text of ${owner}`);
      for (const id of ['c', 'other']) {
        await questionQueues.add({ id, isTemporary: false }, { text: `Question of ${id}` });
        this.addFile(id);
      }
      await pass(0);
    },
    /** What is stored on the device, by kind and owner. */
    async stored(): Promise<readonly string[]> {
      const database = await draftConnection.open();
      const files = await (await fileConnection.open()).getAll('files');
      const texts = (await database.getAll('texts')).map(({ owner }) => `text ${owner}`);
      const questions = (await database.getAll('questions')).map(({ conversation }) => `question ${conversation}`);
      return [...texts.toSorted(), ...questions.toSorted(), ...files.map(({ owner }) => `file ${owner}`).toSorted()];
    },
  };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Waits for a promise, and passes the time that it needs. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  await pass(100);
  return promise;
}

test('a deleted chat leaves nothing, and comes back with all that was unsent', async () => {
  const tab = await openTab();
  await tab.fill();
  expect(await tab.stored()).toEqual(ALL);
  const { restore } = await tab.delete();
  expect(await tab.stored()).toEqual(OTHERS);
  await settled(restore!());
  expect(await tab.stored()).toEqual(ALL);
  expect(await tab.store.messages('c')).toEqual([QUESTION]);
});

test('what a deletion left that was killed is gone some time after the next page has started', async () => {
  const killed = await openTab();
  await killed.fill();
  await killed.store.delete('c');
  expect(await killed.stored()).toEqual(ALL);
  const tab = await openTab();
  tab.keeper.sweepAfterStart(tab.store);
  await pass(5000);
  expect(await tab.stored()).toEqual(ALL);
  await pass(20_000);
  expect(await tab.stored()).toEqual(OTHERS);
});

test.for([['delete texts'], ['delete questions'], ['delete files']] satisfies Access[][])(
  'a deletion in which "%s" fails is tried again when it cannot be undone any more; until then nothing is lost',
  async ([access]) => {
    const tab = await openTab();
    await tab.fill();
    idb.failing.add(access!);
    const undone = await tab.delete();
    idb.failing.clear();
    expect((await tab.stored()).length).toBeGreaterThan(OTHERS.length);
    const other = await openTab();
    other.keeper.sweepWhenIdle();
    await pass(60_000);
    await settled(undone.restore!());
    await pass(60_000);
    expect(await tab.stored()).toEqual(ALL);

    idb.failing.add(access!);
    const deleted = await tab.delete();
    idb.failing.clear();
    deleted.end();
    await pass(60_000);
    expect(await tab.stored()).toEqual(OTHERS);
  },
);

test('what another tab shows of a deleted chat stays until that tab leaves the chat', async () => {
  const tab = await openTab();
  await tab.fill();
  const other = await openTab();
  await settled(other.keeper.show('c'));
  const { end } = await tab.delete();
  end();
  other.drafts.write('c', 'Typed later');
  other.addFile('c');
  await pass(60_000);
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toEqual(['text c', 'text other', 'question other', 'file c', 'file other']);
  other.keeper.hide('c');
  await pass(1000);
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toEqual(OTHERS);
});

test('what a tab shows stays although the tab was reloading when a sweep began', async () => {
  const tab = await openTab();
  await tab.fill();
  await tab.store.delete('c');
  tab.keeper.sweepWhenIdle();
  await pass(1000);
  const reloaded = await openTab();
  expect(await settled(reloaded.keeper.show('c'))).toBe('Text of c');
  await pass(60_000);
  expect(await tab.stored()).toEqual(ALL.filter((entry) => entry !== 'text q'));
});

test('a chat that comes back does not replace what another tab has typed in it since', async () => {
  const tab = await openTab();
  await tab.fill();
  const other = await openTab();
  await settled(other.keeper.show('c'));
  const { restore } = await tab.delete();
  other.drafts.write('c', 'Typed later');
  await pass(1000);
  await settled(restore!());
  const third = await openTab();
  expect(await settled(third.keeper.show('c'))).toBe('Text of c');
  other.keeper.hide('c');
  await pass(1000);
  expect(await settled((await openTab()).keeper.show('c'))).toBe('Typed later');
});

test('texts of new chats stay, whether their tab is open or closed', async () => {
  const open = await openTab();
  await settled(open.keeper.show(null));
  open.drafts.write(null, 'Begun');
  await pass(1000);
  const tab = await openTab();
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toHaveLength(1);
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  const later = await openTab();
  later.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await later.stored()).toHaveLength(1);
});

test('nothing is swept while the chats of a page are in memory only', async () => {
  const tab = await openTab();
  await tab.fill();
  await tab.store.delete('c');
  const { keeper } = await openTab();
  const store = { keepsNothing: true, subscribe: vi.fn<ConversationStore['subscribe']>() };
  keeper.sweepAfterStart(store);
  for (const page of [keeper, tab.keeper]) page.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toEqual(ALL);
  store.keepsNothing = false;
  store.subscribe.mock.lastCall![0]({ conversation: '' });
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toEqual(OTHERS);
});

test('nothing is swept if chats cannot be read, or the browser does not say which tabs are open', async () => {
  const tab = await openTab();
  await tab.fill();
  await tab.store.delete('c');
  idb.failing.add('read conversations');
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  idb.failing.clear();
  vi.spyOn(navigator.locks, 'query').mockReturnValue(new Promise(() => {}));
  tab.keeper.sweepWhenIdle();
  await pass(60_000);
  expect(await tab.stored()).toEqual(ALL);
});
