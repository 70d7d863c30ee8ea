import { html, LitElement } from 'lit';
import { copyStrings } from '../strings/message-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton, type Icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';

/** Milliseconds for which the button shows the outcome. */
const SHOWN = 1500;

export type CopyOutcome = 'copied' | 'failed';

/** Copies a text; never rejects. `show` is called with the outcome, and with null when its display time is over. */
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

export const COPY_ICONS = { copied: laterIcons.check, failed: laterIcons.warning } as const satisfies Record<
  CopyOutcome,
  Icon
>;

/** Copies a text and briefly shows whether that worked. */
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

  /**
   * Copies the text, as a click does.
   * @param show See {@link copyText}. Default: shows the outcome on this button.
   */
  copy(show: (outcome: CopyOutcome | null) => void = (outcome) => (this.outcome = outcome)): Promise<void> {
    return copyText(this.text, show);
  }

  override render() {
    const { outcome } = this;
    return html`${iconButton(outcome === null ? laterIcons.copy : COPY_ICONS[outcome], this.label, () => void this.copy())}
      <span class="hidden" role="status">${outcome === null ? '' : copyStrings[outcome]}</span>`;
  }
}
customElements.define('copy-button', CopyButton);

declare global {
  interface HTMLElementTagNameMap {
    'copy-button': CopyButton;
  }
}
