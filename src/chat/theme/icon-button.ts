import { html, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

/** A square button that shows an icon only: its label is read out, and shown to a pointer that rests on it. */
export function iconButton(symbol: IconName, label: string, press: () => void, disabled = false): TemplateResult {
  return html`<button type="button" class="icon" aria-label=${label} title=${label} ?disabled=${disabled} @click=${press}>
    ${icon(symbol)}
  </button>`;
}
