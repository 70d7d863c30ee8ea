import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { expect, test, vi } from 'vitest';
import { ActionController } from '../../../src/chat/common/action-controller.ts';
import { answersContext, storeContext } from '../../../src/chat/common/contexts.ts';
import { ConversationListController } from '../../../src/chat/list/conversation-list-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sampleConversation } from '../../gallery/samples/conversation.ts';

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
  await vi.waitFor(() => expect(list.found).toEqual([]));
  actions.show('No room left.');
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  await vi.waitFor(() => expect(list.found).toHaveLength(1));
  expect(actions.problem).toBe('No room left.');
  list.search('boa');
  expect(actions.problem).toBe('');
});

test('the message of a failed search goes when a search succeeds that a change of chats began', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const { store, actions, list } = open();
  vi.spyOn(store, 'allMessages').mockImplementationOnce(() => {
    throw new Error('The disk is busy.');
  });
  list.search('bo');
  await vi.waitFor(() => expect(actions.problem).not.toBe(''));
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  await vi.waitFor(() => expect(list.found).toHaveLength(1));
  expect(actions.problem).toBe('');
});

test('chats that change all the time, as while another tab writes an answer, do not keep a search from its end', async () => {
  vi.spyOn(console, 'info').mockReturnValue();
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
  list.search('boa');
  await vi.waitFor(() => expect(list.found).toHaveLength(1));
  // A change during the search is found, too.
  await store.update('c', { title: 'Ships' });
  await vi.waitFor(() => expect(list.found).toEqual([]), 3000);
  clearInterval(changing);
});

test('after a read of the list that never ends, the list is read again', async () => {
  vi.useFakeTimers();
  const store = new ConversationStore(null);
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), []);
  vi.spyOn(store, 'conversations').mockImplementationOnce(() => new Promise(() => {}));
  const { list } = open(store);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(list.conversations).toMatchObject([{ title: 'Boats' }]);
  await store.update('c', { title: 'Ships' });
  await vi.waitFor(() => expect(list.conversations).toMatchObject([{ title: 'Ships' }]));
});
