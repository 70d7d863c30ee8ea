import type { LitElement } from 'lit';

/**
 * Moves the focus from a control above the field that is gone: to the first button that is left there, or to the field. On a
 * phone, focusing the field would open the keyboard.
 */
export function focusNear(host: LitElement): void {
  const button = host.renderRoot.querySelector('button');
  if (button !== null) return button.focus();
  if (matchMedia('(pointer: coarse)').matches) return;
  for (let root = host.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    root.querySelector('message-composer')?.focus();
}
