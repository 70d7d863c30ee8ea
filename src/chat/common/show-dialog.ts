import type { LitElement } from 'lit';
import { deepActiveElement } from '../browser/deep-active-element.ts';

/**
 * Puts an element with a dialog above the page. Once that is closed the element is gone, and the focus is where it was. Going to
 * another chat or screen, by the browser's back button for instance, closes it: its answer is not to reach what is seen then.
 * @param closed The event that the element fires when its dialog has been closed.
 * @returns False where one of its kind is there already: pressed twice, it opens once.
 */
export function showDialog(element: LitElement, closed = 'close'): boolean {
  if (document.querySelector(`body > ${element.localName}`) !== null) return false;
  const focused = deepActiveElement();
  const close = (): void => {
    const dialog = element.renderRoot.querySelector('wa-dialog');
    if (dialog) dialog.open = false;
  };
  addEventListener('popstate', close);
  element.addEventListener(closed, () => {
    removeEventListener('popstate', close);
    element.remove();
    if (focused instanceof HTMLElement) focused.focus();
  });
  document.body.append(element);
  return true;
}
