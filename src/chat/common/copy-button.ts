import { html, LitElement } from 'lit';
import { copyStrings } from '../strings/app.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton, type IconName } from '../theme/icons.ts';

/** Milliseconds for which the outcome of copying is shown. */
const SHOWN = 1500;

export type CopyOutcome = 'copied' | 'failed';

/** Copies a text. `show` is told how that went, and with null that it has been shown for long enough. Never rejects. */
export async function copyText(text: string, show: (outcome: CopyOutcome | null) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    show('copied');
  } catch (thrown) {
    console.error(thrown);
    show('failed');
  }
  setTimeout(() => show(null), SHOWN);
}

/** How the outcome is shown. */
export const COPY_ICONS = { copied: 'check', failed: 'warning' } as const satisfies Record<CopyOutcome, IconName>;

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

  /** Does what pressing it does. @param show See {@link copyText}. Default: it is shown here. */
  copy(show: (outcome: CopyOutcome | null) => void = (outcome) => (this.outcome = outcome)): Promise<void> {
    return copyText(this.text, show);
  }

  override render() {
    const { outcome } = this;
    return html`${iconButton(outcome === null ? 'copy' : COPY_ICONS[outcome], this.label, () => void this.copy())}
      <span class="hidden" role="status">${outcome === null ? '' : copyStrings[outcome]}</span>`;
  }
}
customElements.define('copy-button', CopyButton);

declare global {
  interface HTMLElementTagNameMap {
    'copy-button': CopyButton;
  }
}
