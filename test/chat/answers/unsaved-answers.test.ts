import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnsavedAnswers } from '../../../src/chat/answers/unsaved-answers.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sampleAnswer, sampleConversation } from '../../gallery/samples/conversation.ts';

const ANSWER = sampleAnswer({ id: 'a', conversation: 'c', parent: null, text: 'The whole text' });
const NEVER = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a store with the beginning of the answer whose first writes fail. */
async function storeThatFails(times: number) {
  const store = new ConversationStore(null);
  const beginning = { ...ANSWER, text: 'The', state: 'running' } as const;
  await store.add(sampleConversation({ id: 'c', leaf: 'a' }), [beginning]);
  const write = store.rewriteAnswer.bind(store);
  const tries = vi.spyOn(store, 'rewriteAnswer').mockImplementation((...given) => {
    if (tries.mock.calls.length <= times) throw new DOMException('No room left.', 'QuotaExceededError');
    return write(...given);
  });
  return { store, tries, stored: async () => (await store.messages('c'))[0]?.text };
}

test('an answer is tried at growing intervals until it is saved, and is then no longer unsaved', async () => {
  const { store, tries, stored } = await storeThatFails(2);
  const unsaved = new UnsavedAnswers(store);
  unsaved.add(ANSWER);
  const saving = unsaved.save(ANSWER, 5, NEVER);
  expect(unsaved.get('a')).toBe(ANSWER);
  expect(unsaved.hasAnswerOf('c')).toBe(true);
  await vi.advanceTimersByTimeAsync(1000 + 2000);
  expect(tries).toHaveBeenCalledTimes(2);
  expect(await stored()).toBe('The');
  await vi.advanceTimersByTimeAsync(4000);
  await saving;
  expect(await stored()).toBe('The whole text');
  expect(unsaved.size).toBe(0);
});

test('a forgotten answer is not written later, over what was generated since', async () => {
  const { store, tries, stored } = await storeThatFails(1);
  const unsaved = new UnsavedAnswers(store);
  unsaved.add(ANSWER);
  const saving = unsaved.save(ANSWER, 5, NEVER);
  await vi.advanceTimersByTimeAsync(1000);
  unsaved.forget('a');
  await saving;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toHaveBeenCalledTimes(1);
  expect(await stored()).toBe('The');
  expect(unsaved.get('a')).toBeUndefined();
});
