import { css, html, LitElement, nothing } from 'lit';
import { ActionController } from '../common/action-controller.ts';
import { loadPart } from '../browser/load-part.ts';
import { statusStrings } from '../strings/status-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { fromContext, storeContext, tabserveContext, updatesContext } from '../common/contexts.ts';

/**
 * Offers to reload into a newer build. The reload waits until running answers have ended.
 * @fires dismissed - the user closed the prompt, so the focus must move elsewhere.
 */
export class UpdatePrompt extends LitElement {
  static override properties = { dismissed: { state: true } };
  declare dismissed: boolean;
  readonly #actions = new ActionController(this);
  readonly #tabserve = fromContext(this, tabserveContext);
  readonly #store = fromContext(this, storeContext);
  readonly #getUpdates = fromContext(this, updatesContext);

  constructor() {
    super();
    this.dismissed = false;
  }

  static override styles = [
    controlStyles,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2) var(--space-3);
        padding: var(--space-2) var(--space-5);
        border-bottom: 1px solid var(--color-line);
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
        font-size: var(--text-small);
      }
      p {
        flex: 1 1 16rem;
        margin: 0;
      }
      button {
        min-height: var(--target-small);
      }
      /* Keeps the buttons together, below the text. */
      @media (max-width: 30rem) {
        p {
          flex-basis: 100%;
        }
      }
      @media (max-width: 52rem) {
        div {
          padding-inline: var(--space-4);
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#getUpdates().addEventListener('available', this.#refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#getUpdates().removeEventListener('available', this.#refresh);
  }

  readonly #refresh = (): void => this.requestUpdate();

  override render() {
    if (!this.#getUpdates().available || this.dismissed) return nothing;
    return html`<div role="status">
      <p>${statusStrings.updateReady}</p>
      <button class="primary" @click=${() => this.#actions.run(() => this.#apply())}>${statusStrings.update}</button>
      <button @click=${this.#later}>${statusStrings.updateLater}</button>
      ${this.#actions.notice}
    </div>`;
  }

  async #apply(): Promise<void> {
    const { mayReload } = await loadPart(import('../temporary/temporary-session.ts'));
    if (await mayReload(this.#store())) await this.#tabserve().applyUpdate();
  }

  #later(): void {
    this.dismissed = true;
    this.dispatchEvent(new CustomEvent('dismissed'));
  }
}
customElements.define('update-prompt', UpdatePrompt);
