import { afterEach, expect, test, vi } from 'vitest';
import { questionQueues } from '../../../../src/chat/storage/drafts/question-queues.ts';

afterEach(() => {
  questionQueues.forget();
  vi.restoreAllMocks();
});

const TEMPORARY = { id: 'c', isTemporary: true };

// Node has no IndexedDB.
test('without a database a chat can be deleted and brought back: its queue is taken without an error', async () => {
  const told = vi.spyOn(console, 'info').mockReturnValue();
  const restore = await questionQueues.take('c');
  await expect(restore()).resolves.toBeUndefined();
  expect(told).toHaveBeenCalledTimes(1);
});

test('without a database a question is not taken for stored', async () => {
  const owner = { id: 'c', isTemporary: false };
  await expect(questionQueues.add(owner, { text: 'And then?' })).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(questionQueues.of(owner)).toEqual([]);
});

test('the queue of a temporary chat is in memory: added, removed and forgotten', async () => {
  await questionQueues.add(TEMPORARY, { text: 'First' });
  await questionQueues.add(TEMPORARY, { text: 'Second' });
  const texts = () => questionQueues.of(TEMPORARY).map(({ text }) => text);
  expect(texts()).toEqual(['First', 'Second']);
  await questionQueues.remove(TEMPORARY, questionQueues.of(TEMPORARY)[0]!.id);
  expect(texts()).toEqual(['Second']);
  questionQueues.forget();
  expect(texts()).toEqual([]);
});
