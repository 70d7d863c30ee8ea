import { deepActiveElement } from '../browser/deep-active-element.ts';

/** Finds the composer in the shadow trees of the current screen. */
function findField(root: ParentNode): HTMLElement | null {
  const field = root.querySelector('message-composer');
  if (field !== null) return field;
  for (const { shadowRoot } of root.querySelectorAll(':not([inert])')) {
    const below = shadowRoot && findField(shadowRoot);
    if (below) return below;
  }
  return null;
}

/**
 * Moves the focus to the composer, or to the start of the screen, if the focused element was removed with its screen, for
 * example by the back button.
 */
function keepPlace(): void {
  const main = document.querySelector('chat-app')?.shadowRoot?.querySelector('main');
  const focused = deepActiveElement();
  // The content of a closed dialog keeps the focus until the next frame.
  if (!main || (focused !== document.body && focused?.checkVisibility())) return;
  // On a phone, focusing the field would open the keyboard over the content.
  const field = matchMedia('(pointer: coarse)').matches ? null : findField(main);
  (field ?? main).focus();
}

const keepPlaceSoon = (): void => void setTimeout(keepPlace);

// A closed dialog may fail to restore the focus. Closed menus are left out, because the user may be selecting text.
addEventListener('wa-after-hide', (event) => {
  const [closed] = event.composedPath();
  if (closed instanceof Element && closed.localName === 'wa-dialog') keepPlaceSoon();
});
addEventListener('hashchange', keepPlaceSoon);
