import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { allowUpstream, type PageStatus, type UpstreamState } from '../../page/index.ts';
import { ActionController } from '../common/action-controller.ts';
import { UpstreamsController } from '../common/upstreams-controller.ts';
import { statusStrings } from '../strings/status-strings.ts';
import { unsupportedReasons, unsupportedStrings } from '../strings/unsupported-strings.ts';
import { upstreamStrings } from '../strings/upstream-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { unsupportedAdvice } from './unsupported-advice.ts';

/**
 * Says why this browser cannot run a model: what is missing, the steps to take, and an upstream that could answer
 * instead.
 */
export class UnsupportedNotice extends LitElement {
  static override properties = { status: { attribute: false } };
  declare status: PageStatus & { state: 'unsupported' };
  readonly #upstreams = new UpstreamsController(this);
  readonly #actions = new ActionController(this);

  static override styles = [
    controlStyles,
    css`
      div {
        padding: var(--space-4) var(--space-5);
        border-bottom: 1px solid var(--color-line);
        background: var(--color-warning-soft);
        max-height: 45dvh;
        overflow: auto;
        outline-offset: -2px;
      }
      div > *,
      li {
        max-width: var(--measure);
      }
      p,
      ul {
        margin: var(--space-2) 0 0;
      }
      ul {
        display: grid;
        gap: var(--space-1);
        font-size: 0.95rem;
        padding-inline-start: 1.2rem;
      }
      /* Moves a browser flag to the next line as a whole, instead of breaking it at its hyphens. */
      code {
        display: inline-block;
        max-width: 100%;
        overflow-wrap: anywhere;
      }
      a {
        display: inline-block;
      }
      /* The button that allows an upstream, and the link beside it, or below it on a phone. */
      .offer {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2);
      }
      button {
        min-height: var(--target-small);
      }
      /* The same text takes more height on a phone. The notice is aligned with the other content. */
      @media (max-width: 52rem) {
        div {
          max-height: 60dvh;
          padding-inline: var(--space-4);
        }
      }
    `,
  ];

  override render() {
    const { reason, message } = this.status;
    const browser = { userAgent: navigator.userAgent, hasApi: 'gpu' in navigator };
    const { title, cause, steps } = unsupportedAdvice(reason, browser);
    return html`<div tabindex="0" role="group" aria-label=${statusStrings.label}>
      <h2>${title}</h2>
      ${
        reason === 'no-webgpu'
          ? html`${this.#upstreams.upstreams.map((upstream) => this.#offer(upstream))}
            <p>${cause}</p>
            <ul>
              ${steps.map((step) => html`<li>${withFlags(step)}</li>`)}
            </ul>`
          : html`<p>${unsupportedReasons[reason](message)}</p>`
      }
      <p class="quiet">${unsupportedStrings.stillUsable}</p>
    </div>`;
  }

  /** Offers an upstream to a browser that cannot run a model. */
  #offer({ name, origin, allowed, when }: UpstreamState): TemplateResult | typeof nothing {
    if (when === 'local') return nothing;
    if (allowed) return html`<p>${upstreamStrings.inPlace(name, origin)}</p>`;
    return html`<p>${upstreamStrings.offer(name, origin)}</p>
      <p class="offer">
        <button @click=${() => this.#actions.run(() => allowUpstream(name))}>${upstreamStrings.allow(name)}</button>
        <a href="#/privacy">${upstreamStrings.withKey}</a>
      </p>
      ${this.#actions.notice}`;
  }
}
customElements.define('unsupported-notice', UnsupportedNotice);

/** Renders the flags and addresses of a browser in a step as code. */
function withFlags(step: string): unknown {
  return step
    .split(/(--[\w=-]+\w|chrome:\/\/\w+|about:config|dom\.webgpu\.enabled)/)
    .map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
}

declare global {
  interface HTMLElementTagNameMap {
    'unsupported-notice': UnsupportedNotice;
  }
}
