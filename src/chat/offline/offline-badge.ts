import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ModelManager } from '../../page/model-manager.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { ActionController } from '../common/action-controller.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { modelName } from '../common/model-name.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { UpstreamsController } from '../common/upstreams-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { offlineStrings } from '../strings/offline-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { offlineReadiness, type OfflineReadiness } from './offline-readiness.ts';

/** Shows whether the page works offline, with the evidence on request. */
export class OfflineBadge extends LitElement {
  static override properties = { readiness: { state: true }, online: { state: true } };
  declare readiness: OfflineReadiness | undefined;
  declare online: boolean;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this, {
    connected: () => {
      void this.#check();
      return this.#manager.watch(({ type }) => void (type === 'changed' && this.#check()));
    },
    // A load that has just ended may have filled the caches.
    statusChanged: ({ state }) =>
      void ((state === 'ready' || state === 'failed' || state === 'unsupported') && this.#check()),
  });
  readonly #upstreams = new UpstreamsController(this);
  #checks = 0;

  constructor() {
    super();
    listenToWindow(this, 'online', this.#networkChanged);
    listenToWindow(this, 'offline', this.#networkChanged);
    this.online = navigator.onLine;
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    css`
      :host {
        display: block;
        font-size: var(--text-small);
      }
      summary {
        display: flex;
        align-items: center;
        gap: var(--space-2);
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        border-radius: var(--radius-normal);
        color: var(--color-text-quiet);
        cursor: pointer;
        list-style: none;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary:hover {
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      .light {
        flex: none;
        width: 0.6rem;
        height: 0.6rem;
        border-radius: 50%;
        background: transparent;
        box-shadow: inset 0 0 0 2px var(--color-text-quiet);
      }
      .ready .light {
        background: var(--color-accent);
        box-shadow: none;
      }
      @media (forced-colors: active) {
        .light {
          border: 2px solid CanvasText;
        }
        .ready .light {
          background: Highlight;
          forced-color-adjust: none;
        }
      }
      .evidence {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-2) var(--space-3);
      }
      ul {
        display: grid;
        gap: var(--space-1);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        gap: var(--space-2);
        overflow-wrap: anywhere;
      }
      li svg {
        flex: none;
        width: 1rem;
        height: 1.2rem;
        color: var(--color-accent);
      }
      li.missing svg {
        color: var(--color-warning);
      }
      p {
        margin: 0;
      }
      button {
        min-height: var(--target-small);
        padding: 0 var(--space-3);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    navigator.serviceWorker?.addEventListener('controllerchange', this.#check);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    navigator.serviceWorker?.removeEventListener('controllerchange', this.#check);
  }

  get #manager(): ModelManager {
    return new ModelManager(this.#endpoint.tabserve);
  }

  override render() {
    const { readiness } = this;
    const words =
      readiness === undefined ? offlineStrings.checking : readiness.ready ? this.#readyWords : offlineStrings.notReady;
    return html`<details>
      <summary class=${readiness?.ready === true ? 'ready' : ''}>
        <span class="light" aria-hidden="true"></span>
        <span role="status">${separated([words, ...(this.online ? [] : [offlineStrings.offlineNow])])}</span>
      </summary>
      ${readiness === undefined ? nothing : this.#evidence(readiness)}
    </details>`;
  }

  /** If the user has allowed upstreams, the text says that their models need the network. */
  get #readyWords(): string {
    const allowed = this.#upstreams.upstreams.filter((upstream) => upstream.allowed).map(({ name }) => name);
    return allowed.length === 0 ? offlineStrings.ready : offlineStrings.readyExcept(allowed);
  }

  #evidence(readiness: OfflineReadiness): TemplateResult {
    const { controlled, missing, models, time } = readiness;
    return html`<div class="evidence">
      <ul aria-label=${offlineStrings.proof}>
        ${line(controlled, controlled ? offlineStrings.controlled : offlineStrings.uncontrolled)}
        ${controlled ? line(missing.length === 0, filesWords(readiness)) : nothing}
        ${line(models.length > 0, models.length > 0 ? offlineStrings.modelsHere(models.map((id) => modelName(id, models))) : offlineStrings.noModel)}
      </ul>
      <p class="quiet">${offlineStrings.checked(time)}</p>
      ${models.length > 0 || this.#endpoint.status.state === 'unsupported' ? nothing : html`<button @click=${() => this.#actions.run(() => this.#manager.download(BUILT_IN_MODEL_ID))}>${offlineStrings.getBuiltIn}</button>`}
      ${this.#actions.notice}
      <button @click=${this.#check}>${offlineStrings.again}</button>
    </div>`;
  }

  readonly #networkChanged = (): void => {
    this.online = navigator.onLine;
  };

  readonly #check = async (): Promise<void> => {
    const check = ++this.#checks;
    const readiness = await offlineReadiness(this.#manager).catch(() => undefined);
    if (check === this.#checks && readiness !== undefined) this.readiness = readiness;
  };
}
customElements.define('offline-badge', OfflineBadge);

function filesWords({ files, missing }: OfflineReadiness): string {
  if (missing.length === 0) return offlineStrings.filesHere(files);
  // The service worker stores all files or, if the device has no storage left, none.
  return missing.length === files ? offlineStrings.noRoom : offlineStrings.filesMissing(missing);
}

function line(good: boolean, words: string): TemplateResult {
  return html`<li class=${good ? '' : 'missing'}>${icon(good ? laterIcons.check : laterIcons.warning)}${words}</li>`;
}
