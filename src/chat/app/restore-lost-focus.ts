import { deepActiveElement } from '../browser/deep-active-element.ts';

function findComposer(root: ParentNode): HTMLElement | null {
  const field = root.querySelector('message-composer');
  if (field !== null) return field;
  for (const { shadowRoot } of root.querySelectorAll(':not([inert])')) {
    const below = shadowRoot && findComposer(shadowRoot);
    if (below) return below;
  }
  return null;
}

/**
 * Moves the focus to the composer, or to the start of the screen, if the focused element was removed together with its
 * screen, for example because of the back button.
 */
function restoreLostFocus(): void {
  const main = document.querySelector('chat-app')?.shadowRoot?.querySelector('main');
  const focused = deepActiveElement();
  // After a dialog closes, its content keeps the focus until the next frame, although it is hidden.
  if (!main || (focused !== document.body && focused?.checkVisibility())) return;
  // On a phone, focusing the field would open the keyboard over the content.
  const field = matchMedia('(pointer: coarse)').matches ? null : findComposer(main);
  (field ?? main).focus();
}

const keepPlaceSoon = (): void => void setTimeout(restoreLostFocus);

// Dialogs and menus fire this event. A closed dialog may fail to restore the focus. A closed menu is ignored: the press
// that closes it may begin a selection of text, which moving the focus would end.
addEventListener('wa-after-hide', (event) => {
  const [closed] = event.composedPath();
  if (closed instanceof Element && closed.localName === 'wa-dialog') keepPlaceSoon();
});
addEventListener('hashchange', keepPlaceSoon);
