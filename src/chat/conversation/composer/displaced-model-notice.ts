import { css, html, LitElement, nothing } from 'lit';
import { modelName } from '../../common/model-name.ts';
import { chatPartStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { keepFocusNear } from './keep-focus-near.ts';

/**
 * Warns that the next question loads another model in place of the loaded one, and offers to use the loaded one.
 * Renders nothing if no model would be replaced.
 * @fires use - the loaded model was chosen for this chat; `detail` is its id.
 */
export class DisplacedModelNotice extends LitElement {
  static override properties = { model: {}, displaced: { attribute: false } };
  /** Id of the chat's model. */
  declare model: string;
  /** Id of the loaded model; null if it would not be replaced. */
  declare displaced: string | null;

  constructor() {
    super();
    keepFocusNear(this);
    this.model = '';
    this.displaced = null;
  }

  static override styles = [
    controlStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-1) var(--space-3);
        width: min(var(--measure), 100% - 2 * var(--margin, var(--space-4)));
        margin-inline: auto;
        padding-bottom: var(--space-2);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
      p {
        flex: 1 1 16rem;
        min-width: 0;
        margin: 0;
        overflow-wrap: anywhere;
      }
      button {
        min-width: 0;
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        font-size: inherit;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render() {
    const { model, displaced } = this;
    // The live region must exist before its content, or it is not announced.
    return html`<section role="status">${displaced === null ? nothing : this.#words(model, displaced)}</section>`;
  }

  #words(model: string, displaced: string) {
    const name = modelName(model, [displaced]);
    const loaded = modelName(displaced, [model]);
    return html`<div>
      <p>${chatPartStrings.displaces(name, loaded)}</p>
      <button @click=${() => this.dispatchEvent(new CustomEvent('use', { detail: displaced }))}>
        ${chatPartStrings.useModel(loaded)}
      </button>
    </div>`;
  }
}
customElements.define('displaced-model-notice', DisplacedModelNotice);
