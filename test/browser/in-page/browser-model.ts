import { ModelManager, type Tabserve } from '../../../src/page/index.ts';

/** The endpoint of the chat page, in which these functions are called. */
const { tabserve } = document.querySelector<HTMLElement & { tabserve: Tabserve }>('chat-app')!;

export function find(): Promise<boolean> {
  return new ModelManager(tabserve).findBrowserModel();
}
