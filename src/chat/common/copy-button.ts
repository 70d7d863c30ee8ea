import { html, LitElement } from 'lit';
import { copyStrings } from '../strings/app.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton, type IconName } from '../theme/icons.ts';
import { copyText, type CopyOutcome } from './copy-text.ts';

const ICONS = { copied: 'check', failed: 'warning' } as const satisfies Record<CopyOutcome, IconName>;

/** Copies a text, and says for a moment how that went. */
export class CopyButton extends LitElement {
  static override properties = { text: { attribute: false }, label: {}, outcome: { state: true } };
  declare text: string;
  declare label: string;
  declare outcome: CopyOutcome | null;

  constructor() {
    super();
    this.text = '';
    this.label = '';
    this.outcome = null;
  }

  static override styles = controlStyles;

  override render() {
    const { outcome } = this;
    const copy = () => void copyText(this.text, (outcome) => (this.outcome = outcome));
    return html`${iconButton(outcome === null ? 'copy' : ICONS[outcome], this.label, copy)}
      <span class="hidden" role="status">${outcome === null ? '' : copyStrings[outcome]}</span>`;
  }
}
customElements.define('copy-button', CopyButton);
