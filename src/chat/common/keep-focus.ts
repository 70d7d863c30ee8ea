import type { LitElement } from 'lit';

/**
 * Calls `refocus` if an update removes or disables the focused control of a component. Otherwise the keyboard focus
 * would be lost.
 */
export function keepFocus(host: LitElement, refocus: () => void): void {
  let focused: Element | null = null;
  host.addController({
    hostUpdate() {
      focused = host.shadowRoot?.activeElement ?? null;
    },
    hostUpdated() {
      const before = focused;
      focused = null;
      if (before === null) return;
      const isStillThere = host.shadowRoot?.activeElement === before;
      // Leaves the focus alone if it is elsewhere, for example in a dialog.
      if (isStillThere ? before.matches(':disabled') : document.activeElement === document.body) refocus();
    },
  });
}
