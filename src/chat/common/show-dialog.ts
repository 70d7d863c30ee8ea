import { ContextEvent } from '@lit/context';
import type { LitElement } from 'lit';
import { deepActiveElement } from '../browser/deep-active-element.ts';
import { dialogStrings } from '../strings/dialog-strings.ts';
import { askInAnyCase } from './ask-in-any-case.ts';

/**
 * Adds an element with a dialog to the page; it gets the services of the chat. Closing the dialog removes the element
 * and restores the focus. Navigation closes it, so that what the user chooses in it does not apply to another screen.
 * While it is open, its attribute `data-dialog` disables the shortcuts of the page.
 *
 * Escape and the dialog's × ask before a changed form is lost; a button of the form sets `open` to false, and does not.
 * @param closed The event that the element fires when its dialog is closed.
 * @returns False if a dialog of this kind is open already.
 */
export function showDialog(element: LitElement & { readonly open?: boolean }, closed = 'close'): boolean {
  if (document.querySelector(`body > ${element.localName}`) !== null) return false;
  const focused = deepActiveElement();
  const close = (): void => {
    const dialog = element.renderRoot.querySelector('wa-dialog');
    before = null;
    if (dialog) dialog.open = false;
  };
  let before: string | null = null;
  element.addEventListener('wa-hide', (event) => {
    const isDialog = event.composedPath()[0] === element.renderRoot.querySelector('wa-dialog');
    // A question does not ask in turn.
    if (!isDialog || element.open === false || closed === 'answer' || before === null || before === filled(element))
      return;
    event.preventDefault();
    void askInAnyCase(dialogStrings.discard).then((isConfirmed) => isConfirmed && close());
  });
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
  const watch = async () => {
    await element.updateComplete;
    before = filled(element);
    // A phone's second Back without a touch in between closes the dialog in any case, so that nothing can be asked.
    const whole = element.renderRoot.querySelector('wa-dialog')?.shadowRoot;
    whole?.addEventListener('cancel', ({ cancelable }) => cancelable || (before = null), true);
  };
  void watch();
  return true;
}

/** What the form of a dialog has in its fields. */
function filled({ renderRoot }: LitElement): string {
  return JSON.stringify([...new FormData(renderRoot.querySelector('form') ?? undefined)]);
}

/** Provides the services of `host` to an element outside it, such as a dialog, and to the elements below that one. */
function shareServices(element: HTMLElement, host: HTMLElement): void {
  element.addEventListener('context-request', (event) => {
    event.stopPropagation();
    const { context, contextTarget, callback, subscribe } = event;
    host.dispatchEvent(new ContextEvent(context, contextTarget, callback, subscribe));
  });
}
