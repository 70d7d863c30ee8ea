import type { LitElement } from 'lit';
import { keepFocus } from '../../common/keep-focus.ts';

/**
 * Keeps the focus near a control above the field that disappears: moves it to the first button that is left there, or to the
 * field. On a phone, focusing the field would open the keyboard.
 */
export function keepFocusNear(host: LitElement): void {
  keepFocus(host, () => {
    const button = host.renderRoot.querySelector('button');
    if (button !== null) return button.focus();
    if (matchMedia('(pointer: coarse)').matches) return;
    for (let root = host.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
      root.querySelector('message-composer')?.focus();
  });
}
