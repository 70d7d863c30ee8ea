import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { MemoryIdb, memoryKeyRange } from '../../support/fakes/memory-idb.ts';
import { MemoryStorage } from '../../support/fakes/memory-storage.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

let idb: MemoryIdb;
vi.mock('idb', () => ({ openDB: (...given: Parameters<MemoryIdb['openDB']>) => idb.openDB(...given) }));

const CHAT = sampleConversation({ id: 'c' });
const OTHER = sampleConversation({ id: 'other' });
const QUESTION = sampleQuestion({ id: 'q', conversation: 'c', text: 'What is Rome?' });

const MINUTE = 60_000;

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
  const { finishDeletions } = await import('../../../src/chat/storage/drafts/deletions.ts');
  /** Answers that could not be stored. */
  const unsaved: Answer[] = [];
  const answers = {
    stopConversation: (_id: string) => {},
    runningIn: () => undefined,
    unsaved: (id: string) => unsaved.find((answer) => answer.id === id),
    addEventListener: () => {},
  };
  return {
    store,
    answers,
    unsaved,
    drafts,
    /** Sends the queued question of the chat, as the chat does when its answer ends. */
    sendQueued: () =>
      questionQueues.hold('c', async () => {
        const [first] = await questionQueues.read({ id: 'c', isTemporary: false });
        const sent = sampleQuestion({ id: 'sent', conversation: 'c', parent: 'q', text: first?.text ?? '' });
        if (first === undefined || !(await store.write('c', [sent], { leaf: 'sent' }))) return;
        await questionQueues.remove({ id: 'c', isTemporary: false }, first.id);
      }),
    keeper,
    finish: (ended?: string) => settled(finishDeletions(ended)),
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
    /** Ids of the deletions on record. */
    records: async () => {
      const texts = await (await draftConnection.open()).getAll('texts');
      return texts.flatMap(({ owner, tab }) => (owner === 'deleted' ? [tab] : []));
    },
    /** What is stored on the device, by kind and owner, without the records of deletions. */
    async stored(): Promise<readonly string[]> {
      const database = await draftConnection.open();
      const files = await (await fileConnection.open()).getAll('files');
      const texts = (await database.getAll('texts')).flatMap(({ owner }) =>
        owner === 'deleted' ? [] : [`text ${owner}`],
      );
      const questions = (await database.getAll('questions')).map(({ conversation }) => `question ${conversation}`);
      return [...texts.toSorted(), ...questions.toSorted(), ...files.map(({ owner }) => `file ${owner}`).toSorted()];
    },
  };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Waits for a promise, and passes the time that it needs. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
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

test('a deleted chat comes back with the end of an answer that could not be stored', async () => {
  const tab = await openTab();
  const begun = sampleAnswer({ id: 'a', conversation: 'c', text: 'Rome is', state: 'running' });
  const ended: Answer = { ...begun, text: 'Rome is a city.', state: 'complete' };
  await tab.store.add(CHAT, [QUESTION, begun]);
  tab.unsaved.push(ended);
  const { restore } = await tab.delete();
  await settled(restore!());
  expect(await tab.store.messages('c')).toEqual([QUESTION, ended]);
});

/** The accesses at which a deletion ends in turn, in their order. */
const DELETION = ['delete conversations', 'delete texts', 'delete questions', 'delete files'] as const;

test('a deletion that is killed at any access is whole, or finished by the next page', async () => {
  for (const access of DELETION) {
    idb = new MemoryIdb();
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const killed = await openTab();
    await killed.fill();
    idb.killAt(access);
    void killed.delete().catch(() => {});
    await pass(100);
    idb.revive();
    const tab = await openTab();
    const isDeleted = (await tab.store.conversation('c')) === undefined;
    expect(isDeleted).toBe(access !== 'delete conversations');
    await tab.finish();
    expect(await tab.stored()).toEqual(expect.arrayContaining(OTHERS));
    await pass(3 * MINUTE);
    await tab.finish();
    expect(await tab.stored()).toEqual(isDeleted ? OTHERS : ALL);
  }
});

test('a deletion of messages that is killed leaves no edit of them', async () => {
  const killed = await openTab();
  await killed.fill();
  idb.killAt('delete texts');
  void killed.keeper.deleteWith(['q'], () => killed.store.write('c', [], { leaf: null }, ['q'])).catch(() => {});
  await pass(100);
  idb.revive();
  const tab = await openTab();
  expect(await tab.stored()).toEqual(ALL);
  await pass(3 * MINUTE);
  await tab.finish();
  expect(await tab.stored()).toEqual(ALL.filter((entry) => entry !== 'text q'));
});

test('messages that cannot be deleted keep their edits', async () => {
  const tab = await openTab();
  await tab.fill();
  const deletion = tab.keeper.deleteWith(['q'], () => Promise.reject(new Error('No.')));
  await expect(settled(deletion)).rejects.toThrow('No.');
  expect([await tab.stored(), await tab.records()]).toEqual([ALL, []]);
});

test.for(['delete texts', 'delete questions', 'delete files'] as const)(
  'a deletion in which "%s" fails is finished when it cannot be undone any more; until then nothing is lost',
  async (access) => {
    const tab = await openTab();
    await tab.fill();
    idb.failing.add(access);
    const undone = await tab.delete();
    idb.failing.clear();
    expect((await tab.stored()).length).toBeGreaterThan(OTHERS.length);
    await (await openTab()).finish();
    await settled(undone.restore!());
    await tab.finish('c');
    expect(await tab.stored()).toEqual(ALL);

    idb.failing.add(access);
    const deleted = await tab.delete();
    idb.failing.clear();
    deleted.end();
    await pass(100);
    expect(await tab.stored()).toEqual(OTHERS);
  },
);

test('an undone deletion is off record, also if another page finishes it meanwhile', async () => {
  const tab = await openTab();
  await tab.fill();
  const { restore } = await tab.delete();
  expect(await tab.records()).toEqual(['c']);
  await pass(3 * MINUTE);
  const other = await openTab();
  await Promise.all([settled(restore!()), settled(other.finish())]);
  await other.finish('c');
  expect([await tab.stored(), await tab.records()]).toEqual([ALL, []]);
});

test.for(['put texts', 'put questions', 'put conversations', 'put messages'] as const)(
  'an undo in which "%s" fails can be repeated',
  async (access) => {
    const tab = await openTab();
    await tab.fill();
    const { restore } = await tab.delete();
    idb.failing.add(access);
    await expect(settled(restore!())).rejects.toThrow('This could not be stored.');
    idb.failing.clear();
    await settled(restore!());
    expect(await tab.stored()).toEqual(ALL);
    expect(await tab.store.messages('c')).toEqual([QUESTION]);
  },
);

test('an undo that is killed before the chat is back leaves nothing', async () => {
  const killed = await openTab();
  await killed.fill();
  const { restore } = await killed.delete();
  idb.killAt('put conversations');
  void restore!().catch(() => {});
  await pass(100);
  idb.revive();
  const tab = await openTab();
  expect(await tab.stored()).toEqual(ALL);
  await pass(3 * MINUTE);
  await tab.finish();
  expect(await tab.stored()).toEqual(OTHERS);
});

test('what another tab stores late is deleted for some days, and then the deletion is forgotten', async () => {
  const tab = await openTab();
  await tab.fill();
  (await tab.delete()).end();
  const other = await openTab();
  await other.write('c', 'Typed later');
  other.addFile('c');
  await pass(3 * MINUTE);
  expect(await tab.stored()).toEqual(['text c', 'text other', 'question other', 'file c', 'file other']);
  await tab.finish();
  expect([await tab.stored(), await tab.records()]).toEqual([OTHERS, ['c']]);
  vi.setSystemTime(Date.now() + 8 * 24 * 60 * MINUTE);
  await tab.finish();
  expect(await tab.records()).toEqual([]);
});

test('only what was deleted by a person is ever deleted', async () => {
  const tab = await openTab();
  await tab.fill();
  await tab.store.delete('c');
  await tab.store.delete('other');
  await pass(3 * MINUTE);
  await tab.finish();
  expect(await tab.stored()).toEqual(ALL);
});

test('nothing is deleted if the chats cannot be read', async () => {
  const tab = await openTab();
  await tab.fill();
  idb.failing.add('delete texts');
  await tab.delete();
  idb.failing.clear();
  const left = await tab.stored();
  idb.failing.add('read conversations');
  await expect(tab.finish('c')).rejects.toThrow('read conversations');
  idb.failing.clear();
  expect(await tab.stored()).toEqual(left);
});

test('a chat can be deleted although its deletion cannot be put on record', async () => {
  const tab = await openTab();
  await tab.fill();
  idb.failing.add('put texts');
  await tab.delete();
  expect(await tab.stored()).toEqual(OTHERS);
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

test.for(['this', 'another'])(
  'the queued question of a chat that is deleted while it answers is not sent by %s tab, and comes back',
  async (which) => {
    const tab = await openTab();
    await tab.fill();
    const sender = which === 'this' ? tab : await openTab();
    let sending: Promise<void> | undefined;
    tab.answers.stopConversation = () => void (sending = sender.sendQueued());
    const { restore } = await tab.delete();
    await sending;
    await settled(restore!());
    expect([await tab.stored(), await tab.store.messages('c')]).toEqual([ALL, [QUESTION]]);
  },
);

test('a queued question that is being sent when its chat is deleted comes back with the chat', async () => {
  const tab = await openTab();
  await tab.fill();
  const sending = tab.sendQueued();
  const { restore } = await tab.delete();
  await sending;
  await settled(restore!());
  expect(await tab.store.messages('c')).toMatchObject([QUESTION, { text: 'Question of c' }]);
});

test('a chat that could not be deleted sends its queued question', async () => {
  const tab = await openTab();
  await tab.fill();
  idb.failing.add('delete conversations');
  await expect(tab.delete()).rejects.toThrow('delete conversations');
  idb.failing.clear();
  await settled(tab.sendQueued());
  expect(await tab.store.messages('c')).toMatchObject([QUESTION, { text: 'Question of c' }]);
});
