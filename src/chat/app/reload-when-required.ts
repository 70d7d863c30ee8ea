import type { Tabserve } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { deepActiveElement } from '../browser/deep-active-element.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';

/** Minimum milliseconds between two reloads, so that a reload that does not help is not repeated in a loop. */
const PAUSE = 60_000;

const LAST_RELOAD = 'tabserve-reloaded';

/**
 * Reloads the page if only a reload brings its requests back to the service worker. Waits for running answers. Does not
 * reload while the focused field has typed text or a chat is in memory only; the status banner then offers a button.
 */
export function reloadWhenRequired(tabserve: Tabserve, answers: AnswerRunner, store: ConversationStore): void {
  let hasTyped = false;
  addEventListener('input', () => (hasTyped = true), { capture: true });
  const look = () => {
    const { status } = tabserve;
    if (status.state !== 'failed' || status.error.code !== 'reload_required') return;
    if (!answers.survivesReload || (hasTyped && hasTextInFocus())) return;
    if (Date.now() - lastOwnReload() < PAUSE) return;
    sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
    location.reload();
  };
  tabserve.addEventListener('statuschange', look);
  answers.addEventListener('change', look);
  // Chats may have left the memory.
  store.subscribe(look);
}

/** When this tab last reloaded itself, in milliseconds since 1970; 0 for never. */
export function lastOwnReload(): number {
  return Number(sessionStorage.getItem(LAST_RELOAD));
}

function hasTextInFocus(): boolean {
  const focused = deepActiveElement();
  return (focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement) && focused.value !== '';
}
