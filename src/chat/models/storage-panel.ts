import { css, html, LitElement, nothing } from 'lit';
import type { StorageReport } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { isPersisted, persist } from '../storage/persistence.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/** Storage used and free, and a button that requests persistent storage. */
export class StoragePanel extends LitElement {
  static override properties = { report: { attribute: false }, persisted: { state: true }, denied: { state: true } };
  declare report: StorageReport | undefined;
  declare persisted: boolean | undefined;
  declare denied: boolean;

  readonly #actions = new ActionController(this);

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('[role=status]')?.focus());
    this.denied = false;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host {
        gap: var(--space-2);
        font-size: var(--text-small);
      }
      .row > p {
        max-width: none;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void isPersisted().then((persisted) => (this.persisted = persisted));
  }

  override render() {
    const { report } = this;
    if (report === undefined) return nothing;
    const { modelBytes, usedBytes, quotaBytes } = report;
    const isLimited = Number.isFinite(quotaBytes);
    return html`
      <p>
        ${modelStrings.storageUse(modelBytes, usedBytes)}
        ${isLimited ? modelStrings.storageFree(Math.max(quotaBytes - usedBytes, 0), quotaBytes) : nothing}
      </p>
      ${isLimited ? html`<progress aria-label=${modelStrings.storageLabel} max=${quotaBytes} .value=${usedBytes}></progress>` : nothing}
      <div class="row">
        <p class="grow quiet" role="status" tabindex="-1">
          ${this.persisted === true ? modelStrings.persisted : this.denied ? modelStrings.persistDenied : modelStrings.notPersisted}
        </p>
        ${this.persisted === false ? html`<button class="small" @click=${() => this.#actions.run(() => this.#persist())}>${modelStrings.persist}</button>` : nothing}
      </div>
      ${this.#actions.notice}
    `;
  }

  async #persist(): Promise<void> {
    this.persisted = await persist();
    this.denied = !this.persisted;
  }
}
customElements.define('storage-panel', StoragePanel);
