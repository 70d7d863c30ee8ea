import { css, html, LitElement } from 'lit';
import { contextStrings } from '../../strings/context-window-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';

/**
 * The line in a chat above which the messages are not sent to the model.
 * @fires undo - send them again.
 */
export class LeftOutLine extends LitElement {
  static override styles = [
    controlStyles,
    css`
      :host {
        display: block;
        margin-top: var(--space-6);
      }
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: var(--space-1) var(--space-3);
        padding-block: var(--space-2);
        border-block: 1px dashed var(--color-line-strong);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        text-align: center;
      }
      button {
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        font-size: inherit;
      }
      @media print {
        button {
          display: none;
        }
      }
    `,
  ];

  override render() {
    return html`<div role="note">
      <span>${contextStrings.leftOut}</span>
      <button type="button" @click=${() => this.dispatchEvent(new CustomEvent('undo'))}>${contextStrings.sendAgain}</button>
    </div>`;
  }
}
customElements.define('left-out-line', LeftOutLine);
