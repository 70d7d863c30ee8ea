import type { Tabserve } from '../../page/index.ts';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { deepActiveElement } from '../browser/deep-active-element.ts';
import { lastOwnReload, noteOwnReload } from '../storage/own-reload.ts';

/** Milliseconds between two such reloads: where one does not help it would never end. */
const PAUSE = 60_000;

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
    noteOwnReload();
    location.reload();
  };
  tabserve.addEventListener('statuschange', look);
  answers.addEventListener('change', look);
}

/** Whether the field that has the focus has some text in it. */
function hasTextInFocus(): boolean {
  const focused = deepActiveElement();
  return (focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement) && focused.value !== '';
}
