import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import { loadInBackground } from '../browser/load-part.ts';
import { explainError } from '../strings/answer-errors.ts';
import { inPageLanguage } from '../strings/engine-sentences.ts';
import { statusStrings } from '../strings/status-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { fromContext, storeContext } from '../common/contexts.ts';
import { TabserveController } from '../common/tabserve-controller.ts';

/**
 * Says why the model cannot answer and what to do; empty if the model can answer. The composer shows the progress of
 * loading.
 */
export class StatusBanner extends LitElement {
  // Must be the first field: the controllers below use it when they connect.
  readonly #store = fromContext(this, storeContext);
  readonly #endpoint = new TabserveController(this, {
    connected: () => this.#store().subscribe(() => this.requestUpdate()),
  });

  static override styles = [
    controlStyles,
    css`
      :host {
        display: block;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2) var(--space-3);
        padding: var(--space-2) var(--space-5);
        border-bottom: 1px solid var(--color-line);
        font-size: var(--text-small);
      }
      .line p {
        flex: 1 1 16rem;
        min-width: 0;
        margin: 0;
        overflow-wrap: anywhere;
      }
      .line > p {
        display: flex;
        gap: var(--space-3);
      }
      .line svg {
        flex: none;
      }
      .failed {
        background: var(--color-danger-soft);
        color: var(--color-text);
      }
      .failed p > svg {
        color: var(--color-danger);
      }
      .keeps-nothing svg {
        color: var(--color-warning);
      }
      .keeps-nothing {
        background: var(--color-warning-soft);
      }
      button {
        min-height: var(--target-small);
      }
      /* Aligns the banner with the other content on a phone. */
      @media (max-width: 52rem) {
        .line {
          padding-inline: var(--space-4);
        }
      }
    `,
  ];

  override willUpdate(): void {
    if (this.#endpoint.status.state === 'unsupported') loadInBackground(import('./unsupported-notice.ts'));
  }

  override render() {
    return html`<section aria-label=${statusStrings.label}>
      <div role="status">${this.#state(this.#endpoint.status)}${this.#keepsNothing(this.#endpoint.status)}</div>
    </section>`;
  }

  #state(status: PageStatus): TemplateResult | typeof nothing {
    switch (status.state) {
      case 'failed':
        return html`<div class="line failed">
          <p>${icon(laterIcons.warning)}<span>${this.#failure(status)}</span></p>
          ${
            status.error.code === 'reload_required'
              ? html`<reload-button></reload-button>`
              : html`<button @click=${() => this.#endpoint.tabserve.retry()}>${icon(laterIcons.retry)}${statusStrings.retry}</button>`
          }
        </div>`;
      case 'unsupported':
        // Until the advice has loaded, the notice shows the status message.
        return html`<unsupported-notice .status=${status}>${status.message}</unsupported-notice>`;
      default:
        return nothing;
    }
  }

  #failure({ message, error }: Extract<PageStatus, { state: 'failed' }>): string {
    return statusStrings.failed(inPageLanguage(message, error.sentences), explainError(error.code));
  }

  #keepsNothing(status: PageStatus): TemplateResult | typeof nothing {
    const told = 'keepsNothing' in status && status.keepsNothing;
    if (!told && !this.#store().keepsNothing) return nothing;
    return html`<div class="line keeps-nothing"><p>${icon(laterIcons.warning)}<span>${statusStrings.keepsNothing}</span></p></div>`;
  }
}
customElements.define('status-banner', StatusBanner);
