import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { allowUpstream, type UpstreamState } from '../../page/index.ts';
import type { SentRequest } from '../../shared/upstreams/sent-request.ts';
import { deleteUpstreamPermission, listUpstreamPermissions } from '../../shared/upstreams/upstream-database.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { UpstreamsController } from '../common/upstreams-controller.ts';
import { formatDateTime } from '../strings/format.ts';
import { privacyStrings } from '../strings/privacy-strings.ts';
import { upstreamStrings } from '../strings/upstream-strings.ts';
import { sentRequests } from '../storage/sent-in-memory.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/** The permission for a server that is not among those of the site: it is no longer named, or the service worker did not reply. */
type Leftover = Pick<UpstreamState, 'origin' | 'hasKey'>;

/**
 * The upstream servers that the site names: a consent switch for each, and all requests sent to them. Those to servers
 * that the site no longer names stay listed, and their permissions can be revoked.
 */
export class UpstreamList extends LitElement {
  static override properties = { sent: { state: true }, leftovers: { state: true } };
  declare sent: readonly SentRequest[];
  declare leftovers: readonly Leftover[];
  readonly #actions = new ActionController(this);
  readonly #upstreams = new UpstreamsController(this, () => void this.#actions.run(() => this.#read()));

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('h2')?.focus());
    this.sent = [];
    this.leftovers = [];
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      section {
        display: grid;
        gap: var(--space-3);
        margin-top: var(--space-5);
      }
      section > p {
        max-width: var(--measure);
      }
      ul {
        gap: var(--space-1);
        font-size: var(--text-small);
      }
      form,
      .requests li {
        display: grid;
        gap: var(--space-1) var(--space-4);
        padding: var(--space-3) 0;
        border-top: 1px solid var(--color-line);
        overflow-wrap: anywhere;
      }
      form p {
        margin: 0;
      }
      .requests {
        max-height: 22rem;
        overflow: auto;
      }
      .requests li {
        grid-template-columns: minmax(0, 3fr) minmax(0, 1fr) minmax(0, 1fr);
      }
      form {
        row-gap: var(--space-2);
      }
      /* Size and time side by side below the address. */
      @media (max-width: 36rem) {
        .requests li {
          grid-template-columns: minmax(0, 1fr) auto;
        }
        .requests code {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  override render() {
    const { upstreams } = this.#upstreams;
    if (upstreams.length + this.sent.length + this.leftovers.length === 0) return nothing;
    const bytes = this.sent.reduce((sum, request) => sum + request.bytes, 0);
    return html`<section aria-labelledby="title">
      <h2 id="title" tabindex="-1">${upstreamStrings.title}</h2>
      <p>${upstreams.length === 0 ? upstreamStrings.formerly : upstreamStrings.introduction}</p>
      ${this.#actions.notice} ${upstreams.map((upstream) => this.#upstream(upstream))}
      ${this.leftovers.map((leftover) => this.#leftover(leftover))}
      <h3>${upstreamStrings.sent}</h3>
      <p role="status">
        ${this.sent.length === 0 ? upstreamStrings.sentNone : upstreamStrings.sentSome(this.sent.length, bytes)}
      </p>
      ${
        this.sent.length === 0
          ? nothing
          : html`<ul class="requests" tabindex="0" aria-label=${upstreamStrings.sent}>
            ${this.sent.map(
              ({ method, address, bytes, time }) => html`<li>
                <code>${method} ${address}</code><span>${upstreamStrings.bytes(bytes)}</span><time>${formatDateTime(time)}</time>
              </li>`,
            )}
          </ul>`
      }
    </section>`;
  }

  #upstream({ name, origin, models, when, allowed, hasKey }: UpstreamState): TemplateResult {
    const change = (key: string | null) => (allowed ? deleteUpstreamPermission(origin) : allowUpstream(name, { key }));
    return html`<form tabindex="-1" @submit=${(event: SubmitEvent) => this.#submit(event, change)}>
      <p><strong>${name}</strong> <code>${origin}</code></p>
      <p class="small quiet">${upstreamStrings.models(models)} – ${upstreamStrings.rules[when]}</p>
      <p class="small">
        ${allowed ? upstreamStrings.allowed : upstreamStrings.notAllowed} ${hasKey ? upstreamStrings.hasKey : nothing}
      </p>
      ${
        allowed
          ? nothing
          : html`<label class="small">
            ${upstreamStrings.key}
            <input name="key" type="password" autocomplete="off" aria-describedby="note-${name}" />
          </label>
          <p class="small quiet" id="note-${name}">${upstreamStrings.keyNote}</p>`
      }
      <div><button class=${allowed ? '' : 'primary'}>${allowed ? upstreamStrings.revoke(name) : upstreamStrings.allow(name)}</button></div>
    </form>`;
  }

  #leftover({ origin, hasKey }: Leftover): TemplateResult {
    return html`<form @submit=${(event: SubmitEvent) => this.#submit(event, () => deleteUpstreamPermission(origin))}>
      <p><code>${origin}</code></p>
      <p class="small">${privacyStrings.leftover} ${hasKey ? upstreamStrings.hasKey : nothing}</p>
      <div><button>${upstreamStrings.revoke(origin)}</button></div>
    </form>`;
  }

  /** @param change Called with the key in the form; null without one. */
  #submit(event: SubmitEvent, change: (key: string | null) => Promise<void>): void {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = new FormData(form).get('key');
    void this.#actions.run(async () => {
      await change(typeof key === 'string' && key.trim() !== '' ? key.trim() : null);
      // Only now: a key that could not be stored stays in its field.
      form.reset();
      // The field of the key disappears. Not to the button: the next Enter would withdraw the permission.
      form.focus();
    });
  }

  async #read(): Promise<void> {
    const permissions = await listUpstreamPermissions();
    const { upstreams } = this.#upstreams;
    this.leftovers = permissions.filter(({ origin }) => upstreams.every((upstream) => upstream.origin !== origin));
    this.sent = await sentRequests();
  }
}
customElements.define('upstream-list', UpstreamList);
