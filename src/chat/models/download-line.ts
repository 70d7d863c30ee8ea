import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ModelManager } from '../../page/model-manager.ts';
import type { DownloadProgress, ModelEvent } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { modelName } from '../common/model-name.ts';
import { RouteController } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { modelToChatWith, rememberModel, rememberModelToChatWith } from '../storage/local-values.ts';
import { modelStrings } from '../strings/models.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, iconButton } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/**
 * Shows the progress of downloads on every screen except the models screen, whose cards show it. When the model for the
 * next chat has been downloaded, this element loads it.
 */
export class DownloadLine extends LitElement {
  static override properties = { downloads: { attribute: false }, arrived: { attribute: false } };
  /** Downloads by id that are running or that stopped while this page was open. */
  declare downloads: ReadonlyMap<string, DownloadProgress>;
  /** Id of a model that was downloaded while this page was open, but not for the next chat; null if there is none. */
  declare arrived: string | null;

  readonly #actions = new ActionController(this);
  readonly #route = new RouteController(this);
  readonly #endpoint = new TabserveController(this, {
    connected: () => {
      // The model for the next chat may have been downloaded while no page was open.
      if (modelToChatWith() !== null) this.#look();
      return this.#manager.watch((event) => this.#heard(event));
    },
  });

  constructor() {
    super();
    this.downloads = new Map();
    this.arrived = null;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host {
        display: block;
      }
      .line {
        position: relative;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-1) var(--space-3);
        padding: var(--space-1) var(--space-5);
        border-bottom: 1px solid var(--color-line);
        background: var(--color-sunken);
        font-size: var(--text-small);
        font-variant-numeric: tabular-nums;
      }
      .line p {
        flex: 1 1 14rem;
        min-width: 0;
      }
      .line progress {
        flex: 1 1 8rem;
        max-width: 16rem;
      }
      /* Keeps the controls together below the text. */
      @media (max-width: 30rem) {
        .line p:first-child {
          flex-basis: 100%;
        }
        .line progress {
          max-width: none;
        }
      }
      @media (max-width: 52rem) {
        .line {
          padding-inline: var(--space-4);
        }
      }
      .failed {
        background: var(--color-danger-soft);
      }
      button,
      .button {
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        font-size: inherit;
      }
    `,
  ];

  override render() {
    const isThere = this.#route.route.view !== 'models' && (this.downloads.size > 0 || this.arrived !== null);
    return html`<section aria-label=${modelStrings.downloads} ?hidden=${!isThere}>
      ${isThere ? html`${[...this.downloads.values()].map((progress) => this.#line(progress))}${this.#arrival()}${this.#actions.notice}` : nothing}
    </section>`;
  }

  get #manager(): ModelManager {
    return new ModelManager(this.#endpoint.tabserve);
  }

  #line({ id, phase, receivedBytes, totalBytes, secondsLeft, failure }: DownloadProgress): TemplateResult {
    const name = modelName(id);
    const isRunning = phase === 'preparing' || phase === 'downloading';
    return html`<div class="line ${phase === 'failed' ? 'failed' : ''}">
      <p>
        <strong>${name}</strong> ${modelStrings.phases[phase]} · ${modelStrings.progress(receivedBytes, totalBytes)}
        ${isRunning && secondsLeft !== null ? html`· ${modelStrings.left(secondsLeft)}` : nothing}
        ${phase === 'failed' && failure !== null ? html`<span role="alert">· ${modelStrings.failures[failure.cause]}</span>` : nothing}
        ${modelToChatWith() === id ? html`<span class="quiet">${modelStrings.chatsWhenHere}</span>` : nothing}
      </p>
      ${
        isRunning
          ? html`<progress aria-label=${modelStrings.progressOf(name)} max=${totalBytes ?? 1} .value=${totalBytes === null ? 0 : receivedBytes}></progress>`
          : html`<button @click=${() => this.#actions.run(() => this.#manager.download(id))}>
            ${phase === 'failed' ? modelStrings.retry : modelStrings.resume}
          </button>`
      }
      <a class="button" href="#/models">${modelStrings.details}</a>
    </div>`;
  }

  #arrival(): TemplateResult {
    const { arrived } = this;
    // The live region stays in the document, so that screen readers announce its changes.
    return html`<div role="status">
      ${
        arrived === null
          ? nothing
          : html`<div class="line">
            ${icon('check')}
            <p>${modelStrings.arrived(modelName(arrived))}</p>
            <button @click=${() => this.#chatWith(arrived)}>${modelStrings.chatWith(modelName(arrived))}</button>
            ${iconButton('close', modelStrings.dismiss, () => (this.arrived = null))}
          </div>`
      }
    </div>`;
  }

  #heard(event: ModelEvent): void {
    if (event.type === 'progress') this.downloads = new Map(this.downloads).set(event.progress.id, event.progress);
    else if (this.downloads.size > 0 || modelToChatWith() !== null) this.#look();
  }

  /** Reads the state of the downloads that this element shows. */
  readonly #look = (): void => {
    const wanted = modelToChatWith();
    void this.#actions.run(async () => {
      const models = await this.#manager.list();
      const downloads = new Map<string, DownloadProgress>();
      for (const { id, state, embedding } of models) {
        if (state.kind === 'download' && (this.downloads.has(id) || id === wanted)) downloads.set(id, state.progress);
        else if (state.kind === 'present' && id === wanted) this.#chatWith(id);
        else if (state.kind === 'present' && this.downloads.has(id) && !embedding) this.arrived = id;
      }
      if (this.arrived !== null && models.find(({ id }) => id === this.arrived)?.state.kind !== 'present')
        this.arrived = null;
      this.downloads = downloads;
    });
  };

  #chatWith(id: string): void {
    // Another tab may have started the chat with the model first.
    if (modelToChatWith() === id) rememberModelToChatWith(null);
    if (this.arrived === id) this.arrived = null;
    void this.#actions.run(async () => {
      await this.#endpoint.tabserve.load(id);
      rememberModel(id, true);
    });
  }
}
customElements.define('download-line', DownloadLine);
