import type { Tabserve } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { deepActiveElement } from '../browser/deep-active-element.ts';

/** Milliseconds between two such reloads: where one does not help it would never end. */
const PAUSE = 60_000;

/** When this tab last reloaded itself, in its session storage. */
const LAST_RELOAD = 'tabserve-reloaded';

/**
 * Loads the page anew where nothing else brings its requests back to the service worker. It waits for answers that are being
 * written, and leaves alone who has begun to write or has a temporary chat: the banner, which has a button for it, says why
 * nothing is answered.
 */
export function reloadWhenRequired(tabserve: Tabserve, answers: AnswerRunner): void {
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
}

/** When the page last reloaded itself, in milliseconds since 1970; 0 for never. */
export function lastOwnReload(): number {
  return Number(sessionStorage.getItem(LAST_RELOAD));
}

/** Whether the field that has the focus has some text in it. */
function hasTextInFocus(): boolean {
  const focused = deepActiveElement();
  return (focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement) && focused.value !== '';
}
