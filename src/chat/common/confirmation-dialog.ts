import '../theme/web-awesome.ts';
import { css, html, LitElement, nothing } from 'lit';
import { dialogStrings } from '../strings/dialog-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { showDialog } from './show-dialog.ts';

/**
 * Asks for a confirmation, or for a line of text if `label` is set.
 * @fires answer - `detail` is the text; empty for a confirmation, null if dismissed.
 */
class ConfirmationDialog extends LitElement {
  static override properties = {
    heading: {},
    words: {},
    action: {},
    label: {},
    value: {},
    danger: { type: Boolean },
    open: { state: true },
  };
  declare heading: string;
  declare words: string;
  /** Label of the confirming button. */
  declare action: string;
  declare label: string;
  declare value: string;
  /** True if data would be deleted. The other button then says that they are kept. */
  declare danger: boolean;
  declare open: boolean;
  #answer: string | null = null;

  constructor() {
    super();
    this.heading = '';
    this.words = '';
    this.action = '';
    this.label = '';
    this.value = '';
    this.danger = false;
    this.open = true;
  }

  static override styles = [
    controlStyles,
    css`
      wa-dialog {
        overflow-wrap: anywhere;
      }
      p {
        margin: 0;
        text-wrap: pretty;
      }
      label {
        display: grid;
        gap: var(--space-2);
      }
      wa-dialog::part(body) {
        padding-bottom: var(--space-3);
      }
      wa-dialog::part(footer) {
        padding-top: var(--space-3);
      }
    `,
  ];

  override render() {
    return html`<wa-dialog
      label=${this.heading}
      ?open=${this.open}
      @wa-after-hide=${() => this.dispatchEvent(new CustomEvent('answer', { detail: this.#answer }))}
    >
      <form id="question" @submit=${this.#agree}>
        ${this.words === '' ? nothing : html`<p>${this.words}</p>`}
        ${
          this.label === ''
            ? nothing
            : html`<label>${this.label}<input name="text" autofocus dir="auto" maxlength="200" required .value=${this.value} /></label>`
        }
      </form>
      <button slot="footer" type="button" ?autofocus=${this.label === ''} @click=${() => (this.open = false)}>
        ${this.danger ? dialogStrings.keep : dialogStrings.cancel}
      </button>
      <button slot="footer" form="question" class=${this.danger ? 'danger' : 'primary'}>${this.action}</button>
    </wa-dialog>`;
  }

  /** Sets the focus, because some browsers, such as Firefox, ignore `autofocus` in slotted content. */
  protected override async firstUpdated(): Promise<void> {
    await this.renderRoot.querySelector<LitElement>('wa-dialog')?.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[autofocus]')?.focus();
  }

  #agree(event: Event): void {
    event.preventDefault();
    this.#answer = this.renderRoot.querySelector('input')?.value ?? '';
    this.open = false;
  }
}
customElements.define('confirmation-dialog', ConfirmationDialog);

/** Opens the dialog. Resolves to the `detail` of its `answer` event; null if a question is open already. */
export function openConfirmation(properties: object): Promise<string | null> {
  const dialog = Object.assign(new ConfirmationDialog(), properties);
  return new Promise((resolve) => {
    dialog.addEventListener('answer', (event) => resolve((event as CustomEvent<string | null>).detail));
    if (!showDialog(dialog, 'answer')) resolve(null);
  });
}
