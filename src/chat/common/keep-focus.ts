import type { LitElement } from 'lit';

/**
 * Keeps the keyboard's place: when an update takes the focused control of a component away, or disables it,
 * `refocus` is called to put the focus on what stands in for it; otherwise nothing would have it.
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
      // Something else may have taken the focus meanwhile, a dialog for instance.
      if (isStillThere ? before.matches(':disabled') : document.activeElement === document.body) refocus();
    },
  });
}
