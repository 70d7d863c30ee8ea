import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { allowUpstream, type PageStatus, type UpstreamState } from '../../page/index.ts';
import { ActionController } from '../common/action-controller.ts';
import { UpstreamsController } from '../common/upstreams-controller.ts';
import { appStrings } from '../strings/app.ts';
import { explainError } from '../strings/answer-errors.ts';
import { statusStrings, unsupportedReasons } from '../strings/status.ts';
import { upstreamStrings } from '../strings/upstreams.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { unsupportedAdvice } from './unsupported-advice.ts';
import { fromContext, storeContext } from '../common/contexts.ts';
import { TabserveController } from '../common/tabserve-controller.ts';

/**
 * Says why the model cannot answer and what to do; empty if all is well. Without WebGPU it shows the steps for this browser.
 * The composer shows the progress of loading.
 */
export class StatusBanner extends LitElement {
  // Must be the first field: the controllers below use it when they connect.
  readonly #store = fromContext(this, storeContext);
  readonly #endpoint = new TabserveController(this, {
    connected: () => this.#store().subscribe(() => this.requestUpdate()),
  });

  readonly #upstreams = new UpstreamsController(this);
  readonly #actions = new ActionController(this);

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
      .unsupported {
        padding: var(--space-4) var(--space-5);
        border-bottom: 1px solid var(--color-line);
        background: var(--color-warning-soft);
        max-height: 45dvh;
        overflow: auto;
        outline-offset: -2px;
      }
      .unsupported > * {
        max-width: var(--measure);
      }
      .unsupported p,
      .unsupported ul {
        margin: var(--space-2) 0 0;
      }
      .unsupported ul {
        display: grid;
        gap: var(--space-1);
        font-size: 0.95rem;
        padding-inline-start: 1.2rem;
      }
      .unsupported li {
        max-width: var(--measure);
      }
      /* Moves a browser flag to the next line as a whole, instead of breaking it at its hyphens. */
      .unsupported code {
        display: inline-block;
        max-width: 100%;
        overflow-wrap: anywhere;
      }
      .unsupported a {
        display: inline-block;
      }
      .unsupported button {
        margin-inline-end: var(--space-2);
      }
      button {
        min-height: var(--target-small);
      }
      /* Aligns the banner with the other content on a phone. */
      @media (max-width: 52rem) {
        .line,
        .unsupported {
          padding-inline: var(--space-4);
        }
      }
    `,
  ];

  override render() {
    return html`<section aria-label=${statusStrings.label}>
      <div role="status">${this.#state(this.#endpoint.status)}${this.#keepsNothing(this.#endpoint.status)}</div>
    </section>`;
  }

  #state(status: PageStatus): TemplateResult | typeof nothing {
    switch (status.state) {
      case 'failed':
        return html`<div class="line failed">
          <p>${icon('warning')}<span>${statusStrings.failed(status.message, explainError(status.error.code))}</span></p>
          ${
            status.error.code === 'reload_required'
              ? html`<button @click=${() => location.reload()}>${appStrings.reload}</button>`
              : html`<button @click=${() => this.#endpoint.tabserve.retry()}>${icon('retry')}${statusStrings.retry}</button>`
          }
        </div>`;
      case 'unsupported':
        return this.#unsupported(status);
      default:
        return nothing;
    }
  }

  #keepsNothing(status: PageStatus): TemplateResult | typeof nothing {
    const told = 'keepsNothing' in status && status.keepsNothing;
    if (!told && !this.#store().keepsNothing) return nothing;
    return html`<div class="line keeps-nothing"><p>${icon('warning')}<span>${statusStrings.keepsNothing}</span></p></div>`;
  }

  #unsupported(status: PageStatus & { state: 'unsupported' }): TemplateResult {
    const { title, steps } = unsupportedAdvice(status.reason, navigator.userAgent);
    return html`<div class="unsupported" tabindex="0" role="group" aria-label=${statusStrings.label}>
      <h2>${title}</h2>
      ${status.reason === 'no-webgpu' ? this.#upstreams.upstreams.map((upstream) => this.#offer(upstream)) : nothing}
      ${
        status.reason === 'no-webgpu'
          ? html`<ul>
            ${steps.map((step) => html`<li>${withFlags(step)}</li>`)}
          </ul>`
          : html`<p>${unsupportedReasons[status.reason](status.message)}</p>`
      }
      <p class="quiet">${statusStrings.stillUsable}</p>
    </div>`;
  }

  /** Offers an upstream to a browser that cannot run a model. */
  #offer({ name, origin, allowed, when }: UpstreamState): TemplateResult | typeof nothing {
    if (when === 'local') return nothing;
    if (allowed) return html`<p>${upstreamStrings.inPlace(name, origin)}</p>`;
    return html`<p>${upstreamStrings.offer(name, origin)}</p>
      <p>
        <button @click=${() => this.#actions.run(() => allowUpstream(name))}>${upstreamStrings.allow(name)}</button>
        <a href="#/privacy">${upstreamStrings.withKey}</a>
      </p>
      ${this.#actions.notice}`;
  }
}

/** Renders the browser flags and addresses in a step as code. */
function withFlags(step: string): unknown {
  return step
    .split(/(--[\w=-]+\w|chrome:\/\/\w+)/)
    .map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
}
customElements.define('status-banner', StatusBanner);
