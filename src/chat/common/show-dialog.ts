import { ContextEvent } from '@lit/context';
import type { LitElement } from 'lit';
import { deepActiveElement } from '../browser/deep-active-element.ts';

/**
 * Adds an element with a dialog to the page; it gets the services of the chat. Closing the dialog removes the element
 * and restores the focus. Navigation closes it, so that what the user chooses in it does not apply to another screen.
 * While it is open, its attribute `data-dialog` disables the shortcuts of the page.
 * @param closed The event that the element fires when its dialog is closed.
 * @returns False if a dialog of this kind is open already.
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
  element.dataset['dialog'] = '';
  const app = document.querySelector<HTMLElement>('chat-app');
  if (app !== null) shareServices(element, app);
  document.body.append(element);
  return true;
}

/** Provides the services of `host` to an element outside it, such as a dialog, and to the elements below that one. */
function shareServices(element: HTMLElement, host: HTMLElement): void {
  element.addEventListener('context-request', (event) => {
    event.stopPropagation();
    const { context, contextTarget, callback, subscribe } = event;
    host.dispatchEvent(new ContextEvent(context, contextTarget, callback, subscribe));
  });
}
