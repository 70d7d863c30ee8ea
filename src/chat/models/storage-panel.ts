import { css, html, LitElement, nothing } from 'lit';
import type { StorageReport } from '../../shared/model-management.ts';
import { modelStrings } from '../strings/models.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';

/** Storage used and free, and the wish that the browser keeps it. */
export class StoragePanel extends LitElement {
  static override properties = { report: { attribute: false }, persisted: { state: true }, denied: { state: true } };
  declare report: StorageReport | undefined;
  declare persisted: boolean | undefined;
  declare denied: boolean;

  constructor() {
    super();
    this.denied = false;
  }

  static override styles = [
    controlStyles,
    viewStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
        max-width: none;
        margin: 0;
        padding: 0;
        font-size: var(--text-small);
      }
      p {
        margin: 0;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void navigator.storage?.persisted().then((persisted) => (this.persisted = persisted));
  }

  override render() {
    const { report } = this;
    if (report === undefined) return nothing;
    const { modelBytes, usedBytes, quotaBytes } = report;
    return html`
      <p>${modelStrings.storageUse(modelBytes, usedBytes, quotaBytes)}</p>
      <progress aria-label=${modelStrings.storageLabel} max=${Number.isFinite(quotaBytes) ? quotaBytes : 1} .value=${usedBytes}></progress>
      <div class="row">
        <p class="grow quiet" role="status">
          ${this.persisted === true ? modelStrings.persisted : this.denied ? modelStrings.persistDenied : modelStrings.notPersisted}
        </p>
        ${this.persisted === false ? html`<button class="small" @click=${this.#persist}>${modelStrings.persist}</button>` : nothing}
      </div>
    `;
  }

  async #persist(): Promise<void> {
    this.persisted = await navigator.storage.persist();
    this.denied = !this.persisted;
  }
}
customElements.define('storage-panel', StoragePanel);
