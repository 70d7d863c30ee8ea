import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ActionController } from '../../../src/chat/common/action-controller.ts';
import { answersContext, storeContext } from '../../../src/chat/common/contexts.ts';
import { ConversationListController } from '../../../src/chat/list/conversation-list-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sleep } from '../../../src/shared/timeout.ts';
import { sampleConversation } from '../../gallery/samples/conversation.ts';

beforeEach(() => {
  vi.stubGlobal('document', new EventTarget());
  // No endpoint: then searches find words only.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Waits longer than usual: a busy machine loads the search slowly. */
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

function open(store = new ConversationStore(null)) {
  const services = new Map<unknown, unknown>([
    [storeContext, store],
    [answersContext, new EventTarget()],
  ]);
  const controllers: ReactiveController[] = [];
  const host = Object.assign(new EventTarget(), {
    addController: (controller: ReactiveController) => void controllers.push(controller),
    requestUpdate: () => {},
  });
  host.addEventListener('context-request', (event) => {
    const { context, callback } = event as Event & { context: unknown; callback: (value: unknown) => void };
    callback(services.get(context));
  });
  const element = host as unknown as ReactiveControllerHost & HTMLElement;
  const actions = new ActionController(element);
  const list = new ConversationListController(element, actions);
  for (const controller of controllers) controller.hostConnected?.();
  return { store, actions, list };
}

test('while chats change during a search, the message of a failed action stays until the next search', async () => {
  const { store, actions, list } = open();
  list.search('bo');
  await waitFor(() => expect(list.found).toEqual([]));
  actions.show('No room left.');
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  await waitFor(() => expect(list.found).toHaveLength(1));
  expect(actions.problem).toBe('No room left.');
  list.search('oa');
  expect(actions.problem).toBe('');
});

test('the message of a failed search goes when a search succeeds that a change of chats began', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { store, actions, list } = open();
  vi.spyOn(store, 'allMessages').mockImplementationOnce(() => {
    throw new Error('The disk is busy.');
  });
  list.search('bo');
  await waitFor(() => expect(actions.problem).not.toBe(''));
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  await waitFor(() => expect(list.found).toHaveLength(1));
  expect(actions.problem).toBe('');
});

test('chats that change all the time, as while another tab writes an answer, do not keep a search from its end', async () => {
  const { store, list } = open();
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  // Reading all chats takes longer than the time between two changes.
  const all = store.allMessages.bind(store);
  vi.spyOn(store, 'allMessages').mockImplementation(async function* () {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return yield* all();
  });
  let change = 0;
  const changing = setInterval(() => void store.update('c', { updated: (change += 1) }), 20);
  onTestFinished(() => clearInterval(changing));
  list.search('bo');
  await waitFor(() => expect(list.found).toHaveLength(1));
  // A change during the search is found, too.
  await store.update('c', { title: 'Ships' });
  await waitFor(() => expect(list.found).toEqual([]));
});

async function* endlessReads(): AsyncGenerator {
  yield await new Promise(() => {});
}

test.each(['allMessages', 'conversations', 'messages'] as const)(
  'a search of which the store never ends a read (%s) begins anew after chats have changed',
  async (read) => {
    const { store, list } = open();
    await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
    await waitFor(() => expect(list.conversations).toHaveLength(1));
    vi.useFakeTimers();
    const reading = vi.spyOn(store, read);
    reading.mockImplementationOnce((() => (read === 'allMessages' ? endlessReads() : new Promise(() => {}))) as never);
    list.search('bo');
    await waitFor(() => expect(reading).toHaveBeenCalled());
    await store.update('c', { pinned: true });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(list.found).toMatchObject([{ conversation: { title: 'Boats' } }]);
  },
);

test.each([
  ['never ends', Infinity],
  ['takes long, as do all others,', 40_000],
])('after a read of the list that %s the list is there, and follows changes', async (_, time) => {
  vi.useFakeTimers();
  const store = new ConversationStore(null);
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  const read = store.conversations.bind(store);
  const reading = vi.spyOn(store, 'conversations');
  const slow = () => (time === Infinity ? new Promise<never>(() => {}) : sleep(time).then(read));
  if (time === Infinity) reading.mockImplementationOnce(slow);
  else reading.mockImplementation(slow);
  const { list } = open(store);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(list.conversations).toMatchObject([{ title: 'Boats' }]);
  await store.update('c', { title: 'Ships' });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(list.conversations).toMatchObject([{ title: 'Ships' }]);
});
