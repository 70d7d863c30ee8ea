import { ContextConsumer, ContextProvider, createContext, type Context } from '@lit/context';
import type { ReactiveControllerHost } from 'lit';
import type { Tabserve } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import type { Updates } from '../browser/service-worker-updates.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';

/** Services that elements get from context. */
export interface Services {
  /** The endpoint. Elements use a TabserveController, which also follows the status. */
  readonly tabserve: Tabserve;
  readonly store: ConversationStore;
  readonly answers: AnswerRunner;
  readonly updates: Updates;
}

export const tabserveContext = createContext<Tabserve>(Symbol('tabserve'));
export const storeContext = createContext<ConversationStore>(Symbol('store'));
export const updatesContext = createContext<Updates>(Symbol('updates'));
export const answersContext = createContext<AnswerRunner>(Symbol('answers'));

/** Provides services to the elements below `host` that are connected after this call. */
export function provideServices(host: HTMLElement, { tabserve, store, answers, updates }: Services): void {
  provide(host, tabserveContext, tabserve);
  provide(host, storeContext, store);
  provide(host, answersContext, answers);
  provide(host, updatesContext, updates);
}

function provide<Value>(host: HTMLElement, context: Context<unknown, Value>, initialValue: Value): void {
  new ContextProvider(host, { context, initialValue }).hostConnected();
}

/**
 * Returns a function that reads a context value from the ancestors of `host`. Call that function after `host` is
 * connected; it throws if no ancestor provides the value.
 */
export function fromContext<Value>(
  host: ReactiveControllerHost & HTMLElement,
  context: Context<unknown, Value>,
): () => Value {
  const consumer = new ContextConsumer(host, { context });
  return () => {
    if (consumer.value === undefined)
      throw new Error(`No ancestor of <${host.localName}> provides the context that it needs.`);
    return consumer.value;
  };
}
