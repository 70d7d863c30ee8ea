import '../theme/web-awesome.ts';
import { css, html, LitElement } from 'lit';
import { dialogStrings, shortcutStrings, showKey } from '../strings/dialog-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { keyStyles } from '../theme/key-styles.ts';

/**
 * Lists the keyboard shortcuts.
 * @fires close - the dialog was closed.
 */
export class ShortcutsDialog extends LitElement {
  static override properties = { open: { type: Boolean } };
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  static override styles = [
    controlStyles,
    keyStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--space-3) var(--space-5);
        align-items: baseline;
        margin: 0;
      }
      dt {
        white-space: nowrap;
      }
      dd {
        margin: 0;
      }
    `,
  ];

  override render() {
    return html`<wa-dialog
      label=${dialogStrings.shortcuts}
      light-dismiss
      ?open=${this.open}
      @wa-after-hide=${this.#hidden}
    >
      <dl>
        ${shortcutStrings.map(
          ([keys, words]) => html`<dt>${keys.map((key) => html`<kbd>${showKey(key)}</kbd> `)}</dt>
            <dd>${words}</dd>`,
        )}
      </dl>
    </wa-dialog>`;
  }

  #hidden(): void {
    this.open = false;
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('shortcuts-dialog', ShortcutsDialog);
