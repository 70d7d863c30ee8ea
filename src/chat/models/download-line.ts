import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ModelManager } from '../../page/model-manager.ts';
import type { DownloadProgress, ModelEvent } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { modelName } from '../common/model-name.ts';
import { RouteController } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { modelToChatWith, rememberModelToChatWith } from '../storage/awaited-model.ts';
import { rememberModel } from '../storage/local-storage-values.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, iconButton } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { rememberDownloadSpeed } from './measuring/download-time.ts';
import { failureWords, progressFacts } from './progress-facts.ts';
import { strengthOf } from './suggest-models.ts';

/** A model that was downloaded while the page was open. */
interface Arrival {
  readonly id: string;
  /** A sample question for the model of the next chats; null for any other model. */
  readonly question: string | null;
}

/**
 * Shows the progress of downloads on every screen except the models screen, which shows it on its cards. When the model
 * for the next chat is downloaded, this element loads it, and offers a first question to it.
 */
export class DownloadLine extends LitElement {
  static override properties = { downloads: { attribute: false }, arrived: { attribute: false } };
  /** Downloads by id that are running or that stopped while this page was open. */
  declare downloads: ReadonlyMap<string, DownloadProgress>;
  /** Null if there is none. */
  declare arrived: Arrival | null;

  /** The last speed of each download. */
  readonly #speeds = new Map<string, number>();
  readonly #actions = new ActionController(this);
  readonly #route = new RouteController(this);
  readonly #endpoint = new TabserveController(this, {
    connected: () => {
      // The model for the next chat may have been downloaded while no page was open.
      if (modelToChatWith() !== null) this.#look();
      return this.#manager.watch((event) => this.#heard(event));
    },
    // The engine may have ended, and its downloads with it. The next one tells how far they are.
    statusChanged: ({ state }) => void (state !== 'loading' && this.downloads.size > 0 && this.#look()),
  });

  constructor() {
    super();
    // When a pressed button is replaced, the focus moves to the button that replaces it.
    keepFocus(this, () => this.renderRoot.querySelector('button')?.focus());
    this.downloads = new Map();
    this.arrived = null;
  }

  static override styles = [
    controlStyles,
    separatedStyles,
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

  #line(progress: DownloadProgress): TemplateResult {
    const { id, phase, receivedBytes, totalBytes, bytesPerSecond, secondsLeft, failure } = progress;
    const name = modelName(id);
    const isRunning = phase === 'preparing' || phase === 'downloading';
    return html`<div class="line ${phase === 'failed' ? 'failed' : ''}">
      <p>
        <strong>${name}</strong> ${separated([
          ...progressFacts(progress),
          ...(phase === 'downloading' && bytesPerSecond > 0 ? [modelStrings.speed(bytesPerSecond)] : []),
          ...(isRunning && secondsLeft !== null ? [modelStrings.left(secondsLeft)] : []),
          ...(phase === 'failed' && failure !== null
            ? [html`<span role="alert">${failureWords(failure, progress)}</span>`]
            : []),
        ])}
        ${modelToChatWith() === id && phase !== 'failed' ? html`<span class="quiet">${modelStrings.chatsWhenHere}</span>` : nothing}
      </p>
      ${
        isRunning
          ? html`<progress aria-label=${modelStrings.progressOf(name)} max=${totalBytes ?? 1} value=${totalBytes === null ? nothing : receivedBytes}></progress>
            <button aria-label=${modelStrings.pauseOf(name)} @click=${() => this.#actions.run(() => this.#manager.pause(id))}>${modelStrings.pause}</button>`
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
            ${icon(laterIcons.check)}
            <p>${modelStrings.arrived(modelName(arrived.id))} ${arrived.question === null ? nothing : html`<span class="quiet">${modelStrings.newChatsAsk}</span>`}</p>
            ${this.#next(arrived)}
            ${iconButton('close', modelStrings.dismiss, () => (this.arrived = null))}
          </div>`
      }
    </div>`;
  }

  #next({ id, question }: Arrival): TemplateResult | typeof nothing {
    if (question === null)
      return html`<button @click=${() => this.#chatWith(id)}>${modelStrings.chatWith(modelName(id))}</button>`;
    const { route } = this.#route;
    // An empty chat suggests questions itself.
    if (route.view === 'chat' && route.conversation === null) return nothing;
    return html`<button @click=${() => this.#tryIt(question)}>${modelStrings.tryIt(question)}</button>`;
  }

  /** Opens a new chat with the question in its field, before any text that waits there. */
  #tryIt(question: string): void {
    this.arrived = null;
    drafts.prepend(null, question);
    location.hash = '#/';
  }

  #heard(event: ModelEvent): void {
    if (event.type === 'progress') {
      const { id, bytesPerSecond } = event.progress;
      this.downloads = new Map(this.downloads).set(id, event.progress);
      if (bytesPerSecond > 0) this.#speeds.set(id, bytesPerSecond);
    } else if (this.downloads.size > 0 || modelToChatWith() !== null) this.#look();
  }

  /** Reads the state of the downloads that this element shows. */
  readonly #look = (): void => {
    const wanted = modelToChatWith();
    void this.#actions.run(async () => {
      const models = await this.#manager.list();
      const downloads = new Map<string, DownloadProgress>();
      for (const model of models) {
        const { id, state, embedding, origin } = model;
        // The speed is stored only for models of the catalogue, because a model that the user added may have been
        // copied from this device.
        if (state.kind === 'present' && origin === 'catalogue') rememberDownloadSpeed(this.#speeds.get(id) ?? 0);
        if (state.kind === 'download' && (this.downloads.has(id) || id === wanted)) downloads.set(id, state.progress);
        else if (state.kind === 'present' && id === wanted) {
          const strength = strengthOf(model);
          this.arrived = {
            id,
            question: strength ? modelStrings.firstQuestions[strength] : modelStrings.firstQuestion,
          };
          this.#chatWith(id);
        } else if (state.kind === 'present' && this.downloads.has(id) && !embedding)
          this.arrived = { id, question: null };
      }
      if (this.arrived !== null && models.find(({ id }) => id === this.arrived?.id)?.state.kind !== 'present')
        this.arrived = null;
      this.downloads = downloads;
    });
  };

  #chatWith(id: string): void {
    // Another tab may have started the chat with the model first.
    if (modelToChatWith() === id) rememberModelToChatWith(null);
    if (this.arrived?.question === null) this.arrived = null;
    void this.#actions.run(async () => {
      await this.#endpoint.tabserve.load(id);
      rememberModel(id, true);
    });
  }
}
customElements.define('download-line', DownloadLine);
