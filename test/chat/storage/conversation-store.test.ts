import { expect, onTestFinished, test, vi } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import type { Message } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

const CONVERSATION = sampleConversation({ id: 'one' });
const QUESTION = sampleQuestion({ id: 'q', conversation: 'one', text: 'Hello' });

async function allMessages(store: ConversationStore): Promise<readonly Message[]> {
  const all: Message[] = [];
  for await (const messages of store.allMessages()) all.push(...messages);
  return all;
}

test('if the database does not open, chats are kept in memory, and the page is told', async () => {
  const store = new ConversationStore(async () => {
    throw new DOMException('No room.', 'QuotaExceededError');
  });
  const heard = vi.fn<() => void>();
  store.subscribe(heard);
  expect(store.keepsNothing).toBe(false);
  expect(await store.conversations()).toEqual([]);
  expect(store.keepsNothing).toBe(true);
  expect(heard).toHaveBeenCalledTimes(1);
  await store.add(CONVERSATION, [QUESTION]);
  await store.update('one', { title: 'Renamed' });
  expect(await store.conversation('one')).toMatchObject({ title: 'Renamed' });
  expect(await store.messages('one')).toEqual([QUESTION]);
  expect(await allMessages(store)).toEqual([QUESTION]);
  await store.write('one', [], {}, ['q']);
  expect(await store.messages('one')).toEqual([]);
  await store.write('one', [QUESTION]);
  await store.delete('one');
  expect(await store.conversations()).toEqual([]);
  expect(await store.messages('one')).toEqual([]);
});

test('a database that opens late shows its chats, and stores those created meanwhile', async () => {
  vi.useFakeTimers();
  const database = createMemoryDatabase();
  const before = new ConversationStore(async () => database);
  await before.add(CONVERSATION, [QUESTION]);
  const opening: ((opened: typeof database) => void)[] = [];
  const store = new ConversationStore(() => new Promise((resolve) => opening.push(resolve)));
  const read = store.conversations();
  await vi.advanceTimersByTimeAsync(3000);
  expect(await read).toEqual([]);
  expect(store.keepsNothing).toBe(true);

  const two = sampleConversation({ id: 'two' });
  await store.add(two, []);
  const heard = vi.fn<() => void>();
  store.subscribe(heard);
  const written = store.write('two', [sampleQuestion({ id: 'r', conversation: 'two', text: 'Late' })]);
  opening[0]!(database);
  await vi.advanceTimersByTimeAsync(1);
  await written;
  expect(store.keepsNothing).toBe(false);
  expect(heard).toHaveBeenCalledWith({ conversation: '' });
  expect(await store.conversations()).toEqual([CONVERSATION, two]);
  expect(await database.get('messages', 'r')).toMatchObject({ text: 'Late' });
  vi.useRealTimers();
});

test('a database that failed is tried every ten seconds, also after a failed move, and then has the chats', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(console, 'info').mockReturnValue();
  const database = createMemoryDatabase();
  const full = vi.spyOn(database, 'transaction').mockImplementationOnce(() => {
    throw new DOMException('No room.', 'QuotaExceededError');
  });
  let attempts = 0;
  const store = new ConversationStore(async () => {
    attempts++;
    if (attempts < 3) throw new DOMException('Not now.', 'UnknownError');
    return database;
  });
  await store.add(CONVERSATION, [QUESTION]);
  for (const [tried, moves] of [
    [2, 0],
    [3, 1],
  ]) {
    await vi.advanceTimersByTimeAsync(10_100);
    expect([attempts, full.mock.calls.length, store.keepsNothing]).toEqual([tried, moves, true]);
  }
  expect(await store.conversations()).toEqual([CONVERSATION]);
  await vi.advanceTimersByTimeAsync(10_100);
  expect(store.keepsNothing).toBe(false);
  expect(await database.get('conversations', 'one')).toEqual(CONVERSATION);
  expect(await store.messages('one')).toEqual([QUESTION]);
});

test('chats that were imported into memory overwrite none that the database has, and the same ones are not doubled', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const database = createMemoryDatabase();
  const stored = new ConversationStore(async () => database);
  const continued = { ...CONVERSATION, updated: CONVERSATION.updated + 1, title: 'Continued' };
  const same = sampleConversation({ id: 'same' });
  await stored.add(continued, [{ ...QUESTION, text: 'As continued' }]);
  await stored.add(same, []);
  let isOpen = false;
  const store = new ConversationStore(async () => {
    if (!isOpen) throw new DOMException('Not now.', 'UnknownError');
    return database;
  });
  await store.add(CONVERSATION, [QUESTION]);
  await store.add(same, []);
  isOpen = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(store.keepsNothing).toBe(false);
  expect(await database.get('conversations', 'one')).toEqual(continued);
  expect(await store.messages('one')).toMatchObject([{ text: 'As continued' }]);
  const copies = (await store.conversations()).filter(({ id }) => id !== 'one' && id !== 'same');
  expect(copies).toMatchObject([{ title: CONVERSATION.title }]);
  expect(await store.messages(copies[0]!.id)).toMatchObject([{ text: QUESTION.text }]);
});

test('a database that was open before is not replaced by an empty one when it fails', async () => {
  const database = createMemoryDatabase();
  const close: (() => void)[] = [];
  let fails = false;
  const store = new ConversationStore(async (closed) => {
    close.push(closed);
    if (fails) throw new Error('Gone.');
    return database;
  });
  await store.add(CONVERSATION, []);
  fails = true;
  close[0]!();
  await expect(store.conversations()).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(store.keepsNothing).toBe(false);
});

test('each of many messages is read once, in batches', async () => {
  vi.stubGlobal('IDBKeyRange', { lowerBound: (lower: string) => ({ lower }) });
  const database = createMemoryDatabase();
  const read = vi.spyOn(database, 'getAll');
  const store = new ConversationStore(async () => database);
  for (const name of ['b', 'a', 'c']) {
    const messages = Array.from({ length: 200 }, (_, index) =>
      sampleQuestion({ id: `${name}${index}`, conversation: name, text: `${name} says ${index}` }),
    );
    await store.add(sampleConversation({ id: name }), messages);
  }
  const all = await allMessages(store);
  expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([600, 600]);
  const weights = { model: 'any', sample: new Float32Array() };
  const missing = await store.messagesWithoutVectors(weights);
  expect(new Set(missing.map(({ id }) => id)).size).toBe(600);
  expect(await store.messagesWithoutVectors(weights, 300)).toHaveLength(300);
  for (const result of read.mock.results) expect((await result.value).length).toBeLessThan(300);
  vi.unstubAllGlobals();
});

test.each([
  ['is closed', new DOMException('The database connection is closing.', 'InvalidStateError'), 'get'],
  ['cannot be opened again', new DOMException('Internal error.', 'UnknownError'), 'open'],
] as const)(
  'listeners are told to read again once, five seconds after reads of a database that %s',
  async (_, fault, step) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const database = createMemoryDatabase();
    let closed: (() => void) | undefined;
    let isBroken = false;
    const store = new ConversationStore(async (onClosed) => {
      closed = onClosed;
      if (isBroken) throw fault;
      return database;
    });
    await store.add(CONVERSATION, [QUESTION]);
    const heard = vi.fn<() => void>();
    store.subscribe(heard);
    isBroken = true;
    if (step === 'open') closed?.();
    else vi.spyOn(database, 'get').mockRejectedValueOnce(fault).mockRejectedValueOnce(fault);
    await expect(store.conversation('one')).rejects.toThrow(/./);
    await vi.advanceTimersByTimeAsync(4000);
    await expect(store.conversation('one')).rejects.toThrow(/./);
    expect(heard).not.toHaveBeenCalled();
    isBroken = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(heard.mock.calls).toEqual([[{ conversation: '' }]]);
    expect(await store.conversation('one')).toEqual(CONVERSATION);
  },
);

test.each([
  ['before it', ['save', 'delete']],
  ['after it', ['delete', 'save']],
] as const)('in memory, an answer that is deleted stays so if its last save begins %s', async (_, order) => {
  const store = new ConversationStore(null);
  const answer = sampleAnswer({ id: 'a', conversation: 'one', parent: 'q', text: 'Because', state: 'running' });
  await store.add({ ...CONVERSATION, leaf: 'a' }, [QUESTION, answer]);
  const steps = {
    save: () => store.rewriteAnswer({ ...answer, text: 'Because it rains.', state: 'stopped' }, { updated: 9 }),
    delete: () => store.write('one', [], { leaf: 'q' }, ['a']),
  };
  await Promise.all(order.map((step) => steps[step]()));
  expect(await store.messages('one')).toEqual([QUESTION]);
  expect(await store.conversation('one')).toMatchObject({ leaf: 'q' });
});

test('in memory, a change that fails does not keep the next one waiting for ever', async () => {
  const store = new ConversationStore(null);
  await store.add(CONVERSATION, []);
  const failing = store.update('one', () => {
    throw new Error('No change.');
  });
  await expect(failing).rejects.toThrow('No change.');
  await store.update('one', { title: 'Renamed' });
  expect(await store.conversation('one')).toMatchObject({ title: 'Renamed' });
});
