import { html, LitElement } from 'lit';
import { conversationStrings } from '../strings/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';

/** Copies a text, and says so for a moment. */
export class CopyButton extends LitElement {
  static override properties = { text: { attribute: false }, label: {}, copied: { state: true } };
  declare text: string;
  declare label: string;
  declare copied: boolean;

  constructor() {
    super();
    this.text = '';
    this.label = '';
    this.copied = false;
  }

  static override styles = controlStyles;

  override render() {
    return html`${iconButton(this.copied ? 'check' : 'copy', this.label, () => void this.#copy())}
      <span class="hidden" role="status">${this.copied ? conversationStrings.copied : ''}</span>`;
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(this.text);
    this.copied = true;
    setTimeout(() => (this.copied = false), 1500);
  }
}
customElements.define('copy-button', CopyButton);
