import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { expect, test, vi } from 'vitest';
import { ActionController } from '../../../src/chat/common/action-controller.ts';
import { answersContext, storeContext } from '../../../src/chat/common/contexts.ts';
import { ConversationListController } from '../../../src/chat/list/conversation-list-controller.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { sampleConversation } from '../../gallery/samples/conversation.ts';

function open() {
  const store = new ConversationStore(null);
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
