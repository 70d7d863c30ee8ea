import { deepActiveElement } from '../browser/deep-active-element.ts';

/** The field for the next question, in whichever shadow tree of the screen that is shown. */
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
 * Where what had the focus is gone with its screen, by the browser's back button for instance, the keyboard goes on in the field
 * for the next question, or at the beginning of a screen that has none.
 */
function keepPlace(): void {
  const main = document.querySelector('chat-app')?.shadowRoot?.querySelector('main');
  const focused = deepActiveElement();
  // What is in a dialog that has been closed keeps it until the page is drawn next.
  if (!main || (focused !== document.body && focused?.checkVisibility())) return;
  // On a phone its keyboard would cover what one came to see.
  const field = matchMedia('(pointer: coarse)').matches ? null : findField(main);
  (field ?? main).focus();
}

const keepPlaceSoon = (): void => void setTimeout(keepPlace);

// A dialog that is closed gives the focus back by itself, or tries to. Who closes a menu may be marking a text.
addEventListener('wa-after-hide', (event) => {
  const [closed] = event.composedPath();
  if (closed instanceof Element && closed.localName === 'wa-dialog') keepPlaceSoon();
});
addEventListener('hashchange', keepPlaceSoon);
