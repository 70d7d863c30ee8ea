import type { LitElement } from 'lit';

/**
 * Moves the focus from an entry of a list of questions that is gone: to the first button that is left, or to the field below
 * the list. On a phone, focusing the field would open the keyboard.
 */
export function focusNear(list: LitElement): void {
  const button = list.renderRoot.querySelector('button');
  if (button !== null) return button.focus();
  if (matchMedia('(pointer: coarse)').matches) return;
  for (let root = list.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    root.querySelector('message-composer')?.focus();
}
