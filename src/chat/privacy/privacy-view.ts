import { css, html, LitElement, nothing, render, type TemplateResult } from 'lit';
import { ModelManager } from '../../page/model-manager.ts';
import { ActionController } from '../common/action-controller.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { estimateStorage } from '../../shared/storage/estimate-storage.ts';
import { watchUpstreams } from '../../shared/upstreams/watch-upstreams.ts';
import { documentPolicy } from '../browser/document-policy.ts';
import { serviceWorkerInCharge } from '../browser/service-worker-in-charge.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { formatTime } from '../strings/format.ts';
import { leakStrings } from '../strings/leak-strings.ts';
import { wordFor } from '../strings/page-language.ts';
import { privacyStrings } from '../strings/privacy-strings.ts';
import { temporaryStrings } from '../strings/temporary-strings.ts';
import { hasNeutralTitles, rememberNeutralTitles } from '../storage/local-storage-values.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';
import { askedServers } from './asked-servers.ts';
import { deleteEverything } from './delete-everything.ts';
import { outsideTraffic, type OutsideTraffic } from './outside-traffic.ts';
import './leak/leak-test.ts';
import { isStrictSite } from './is-strict-site.ts';
import { isPolicyOfServiceWorker, policyInHtml } from './page-policy.ts';
import './stored-answers-list.ts';
import './upstream-list.ts';
import { storedThings, type StoredThing } from './stored-things.ts';

/** Milliseconds after which all parts of this screen are shown, even if incomplete. */
const PATIENCE = 1000;

/**
 * The privacy promise and its evidence: requests that left the origin, allowed destinations, stored data, and a way to
 * delete it.
 * @slot - What this tab's temporary chat has stored: a `temporary-proof`.
 */
export class PrivacyView extends LitElement {
  static override properties = {
    servers: { state: true },
    traffic: { state: true },
    policy: { state: true },
    added: { state: true },
    strict: { state: true },
    things: { state: true },
    totals: { state: true },
    deleting: { state: true },
    unseen: { state: true },
  };
  /** Hosts of the servers that may answer or have answered; undefined before they are known. */
  declare servers: readonly string[] | undefined;
  declare traffic: OutsideTraffic | undefined;
  /** The page's Content-Security-Policy header; undefined before it is read, null if there is none. */
  declare policy: string | null | undefined;
  /** See {@link isPolicyOfServiceWorker}. */
  declare added: boolean;
  /** See {@link isStrictSite}. */
  declare strict: boolean;
  declare things: readonly StoredThing[];
  declare totals: { readonly used: number; readonly quota: number } | undefined;
  declare deleting: boolean;
  /** Hides the parts that would still be shifted by a part above them. */
  declare unseen: boolean;
  readonly #looking = new ActionController(this);
  readonly #deletion = new ActionController(this);
  readonly #endpoint = new TabserveController(this, {
    connected: () => {
      this.#look();
      const readServers = () => void this.#looking.run(() => this.#readServers());
      const unwatch = watchUpstreams(readServers);
      // On a first visit no service worker controls the page yet; its report is read once one does.
      if (!navigator.serviceWorker?.controller) void serviceWorkerInCharge().then(this.#look);
      return unwatch;
    },
  });

  constructor() {
    super();
    this.things = [];
    this.added = false;
    this.strict = false;
    this.deleting = false;
    this.unseen = true;
  }

  protected override firstUpdated(): void {
    // Shows all parts after this time even if data are missing: in some browsers a request of `#gather` never settles.
    setTimeout(() => (this.unseen = false), PATIENCE);
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    css`
      ul {
        gap: var(--space-1);
        margin: var(--space-3) 0;
        font-size: var(--text-small);
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 1fr);
        gap: var(--space-1) var(--space-4);
        padding: var(--space-2) 0;
        border-top: 1px solid var(--color-line);
        overflow-wrap: anywhere;
      }
      .requests {
        max-height: 22rem;
        overflow: auto;
      }
      .policy li {
        grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
      }
      .verdict {
        font-weight: 550;
      }
      .unseen {
        opacity: 0;
      }
      /* Takes the place of a sentence that is not known yet, so that nothing below it is shifted. */
      .unknown {
        visibility: hidden;
      }
      @media (max-width: 36rem) {
        li,
        .policy li {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  override render() {
    return html`
      <header>
        <h1>${privacyStrings.title}</h1>
        <p>
          <span class=${this.servers === undefined ? 'unknown' : ''}>${privacyStrings.asked(this.servers ?? [])}</span>
          ${privacyStrings.introduction}
        </p>
      </header>
      <div class=${this.unseen ? 'unseen' : ''}>
      <upstream-list></upstream-list>
      <section aria-labelledby="outside">
        <h2 id="outside">${privacyStrings.outside}</h2>
        ${this.traffic === undefined ? html`<p class="verdict">${privacyStrings.looking}</p>` : this.#requests(this.traffic)}
        <p class="small quiet">${privacyStrings.outsideNote}</p>
        <button @click=${this.#look}>${privacyStrings.again}</button>
        ${this.#looking.notice}
      </section>
      <section aria-labelledby="policy">
        <h2 id="policy">${privacyStrings.policy}</h2>
        ${this.strict ? html`<p class="verdict">${privacyStrings.strict}</p>` : nothing}
        ${this.policy === undefined ? nothing : this.#policy(this.policy)}
      </section>
      <section aria-labelledby="leak">
        <h2 id="leak">${leakStrings.title}</h2>
        <p>${leakStrings.introduction}</p>
        <leak-test></leak-test>
      </section>
      <section aria-labelledby="stored">
        <h2 id="stored">${privacyStrings.stored}</h2>
        <p>${privacyStrings.storedNote} ${this.totals === undefined ? nothing : privacyStrings.totals(this.totals.used, this.totals.quota)}</p>
        <ul>
          ${this.things.map(
            ({ kind, name, meaning, entries }) => html`<li>
              <span>${meaning}</span>
              <code>${name}</code>
              <span class="quiet">${privacyStrings[kind]}${entries === null ? nothing : html`, ${privacyStrings.entries(entries)}`}</span>
            </li>`,
          )}
        </ul>
      </section>
      <section aria-labelledby="temporary">
        <h2 id="temporary">${temporaryStrings.proof}</h2>
        <slot></slot>
      </section>
      <section aria-labelledby="answers">
        <h2 id="answers">${privacyStrings.answers.title}</h2>
        <stored-answers-list></stored-answers-list>
      </section>
      <section aria-labelledby="history">
        <h2 id="history">${privacyStrings.history.title}</h2>
        <p>${privacyStrings.history.note}</p>
        <label>
          <input
            type="checkbox"
            .checked=${hasNeutralTitles()}
            @change=${({ target }: Event) => rememberNeutralTitles((target as HTMLInputElement).checked)}
          />
          ${privacyStrings.history.neutral}
        </label>
      </section>
      <section aria-labelledby="delete">
        <h2 id="delete">${privacyStrings.delete}</h2>
        <p>${privacyStrings.deleteNote}</p>
        ${
          this.deleting
            ? html`<p role="status">${privacyStrings.deleting}</p>`
            : html`<button class="danger" @click=${() => this.#deletion.run(() => this.#delete())}>${privacyStrings.delete}</button>`
        }
        ${this.#deletion.notice}
      </section>
      </div>
    `;
  }

  #requests({ requests, complete }: OutsideTraffic): TemplateResult {
    const none = complete ? privacyStrings.outsideNone : privacyStrings.outsideNoneYet;
    const hosts = new Set(requests.map(({ address }) => new URL(address).host)).size;
    return html`
      <p class="verdict" role="status">${requests.length === 0 ? none : privacyStrings.outsideSome(requests.length, hosts)}</p>
      ${complete ? nothing : html`<p class="error">${privacyStrings.unseen}</p>`}
      ${
        requests.length === 0
          ? nothing
          : html`<ul class="requests" tabindex="0" aria-label=${privacyStrings.outside}>
            ${requests.map(
              ({ address, source, time }) => html`<li>
                <code>${address}</code><span>${privacyStrings.sources[source]}</span><time>${formatTime(time)}</time>
              </li>`,
            )}
          </ul>`
      }
    `;
  }

  #policy(header: string | null): TemplateResult {
    if (header !== null)
      return this.#directives(header, this.added ? privacyStrings.policyAdded : privacyStrings.policyNote);
    const written = policyInHtml();
    return html`<p class="error">${privacyStrings.policyMissing}</p>
      ${written === null ? nothing : this.#directives(written, privacyStrings.policyInHtml)}`;
  }

  #directives(policy: string, note: string): TemplateResult {
    const directives = policy
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean);
    return html`<p class="small quiet">${note}</p>
      <ul class="policy">
        ${directives.map((directive) => {
          const [name = ''] = directive.split(/\s/);
          return html`<li><span>${wordFor(name, privacyStrings.directives) ?? nothing}</span><code>${directive}</code></li>`;
        })}
      </ul>`;
  }

  readonly #look = (): void => void this.#looking.run(() => this.#gather());

  /** Shows each part as soon as its data are known, so that a failure in one part does not hide the others. */
  async #gather(): Promise<void> {
    await Promise.all([
      this.#readServers(),
      outsideTraffic(this.#manager).then((traffic) => (this.traffic = traffic)),
      Promise.all([documentPolicy(), isPolicyOfServiceWorker()]).then(
        ([policy, added]) => ([this.policy, this.added] = [policy, added]),
      ),
      isStrictSite().then((strict) => (this.strict = strict)),
      storedThings().then((things) => (this.things = things)),
      estimateStorage().then(({ usage: used, quota }) => (this.totals = used > 0 ? { used, quota } : undefined)),
    ]).finally(() => (this.unseen = false));
  }

  async #readServers(): Promise<void> {
    this.servers = await askedServers();
  }

  async #delete(): Promise<void> {
    if (!(await askConfirmation(privacyStrings.confirm))) return;
    this.deleting = true;
    try {
      await deleteEverything(this.#endpoint.tabserve);
      replacePage();
    } catch (thrown) {
      this.deleting = false;
      this.#look();
      throw new Error(privacyStrings.deleteFailed(errorMessage(thrown)), { cause: thrown });
    }
  }

  get #manager(): ModelManager {
    return new ModelManager(this.#endpoint.tabserve);
  }
}
customElements.define('privacy-view', PrivacyView);

/** Replaces the whole page, because its code would store data again. */
function replacePage(): void {
  const words = html`<main style="display:grid;place-content:center;gap:1rem;height:100dvh;padding:1.5rem;text-align:center">
    <h1 tabindex="-1" style="margin:0">${privacyStrings.deleted}</h1>
    <p style="margin:0">${privacyStrings.deletedNote}</p>
    <p style="margin:0"><a href=${new URL('.', document.baseURI).pathname} style="color:var(--color-accent)">${privacyStrings.startAnew}</a></p>
  </main>`;
  document.body.replaceChildren();
  render(words, document.body);
  document.querySelector('h1')?.focus();
}
