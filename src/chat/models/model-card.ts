import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import { downloadStrings } from '../strings/download-strings.ts';
import { inPageLanguage } from '../strings/engine-sentences.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import './download-status.ts';
import { badgeStyles } from './badge-styles.ts';
import { judgeModel, speedOn, type Device } from './judge-model.ts';
import { strengthOf } from './suggest-models.ts';
import { modelFacts, modelFactsStyles } from './model-facts.ts';
import { contextWindowChoice } from './context-window-choice.ts';
import { keepAliveChoice, parallelChoice } from './loading-choices.ts';

/** `chat` starts a chat with the model, after downloading it if necessary; `window`, `parallel` and `keep-alive` set
 * what the user can set. */
export type ModelAction =
  | 'download'
  | 'pause'
  | 'cancel'
  | 'delete'
  | 'load'
  | 'chat'
  | 'window'
  | 'parallel'
  | 'keep-alive';

export interface ModelActionDetail {
  readonly action: ModelAction;
  readonly model: ModelListing;
  /** The chosen tokens for `window`, requests at once for `parallel`, and seconds for `keep-alive`. */
  readonly value?: number;
}

/** Requests an action from the models screen by a bubbling event. */
export function requestModelAction(from: EventTarget, detail: ModelActionDetail): void {
  from.dispatchEvent(new CustomEvent('model-action', { detail, bubbles: true, composed: true }));
}

/**
 * A model: its facts, its state, and buttons for the actions on it.
 * @fires model-action - see {@link ModelActionDetail}.
 */
export class ModelCard extends LitElement {
  static override properties = {
    model: { attribute: false },
    name: {},
    answering: { type: Boolean },
    device: { attribute: false },
    busy: { attribute: false },
    failure: { attribute: false },
  };
  declare model: ModelListing;
  /** The model's display name, unique on the screen. */
  declare name: string;
  /** True while this model is loaded. */
  declare answering: boolean;
  /** The device that the card judges the model for. Default: an average one of unknown speed. */
  declare device: Device;
  declare busy: ModelAction | null;
  declare failure: string | null;

  readonly #confirmation = new ActionController(this);

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('article')?.focus());
    this.name = '';
    this.answering = false;
    this.device = { memory: null };
    this.busy = null;
    this.failure = null;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    modelFactsStyles,
    badgeStyles,
    css`
      article {
        display: grid;
        gap: var(--space-3);
        min-width: 0;
      }
      h3 {
        overflow-wrap: anywhere;
      }
      p:has(> svg) {
        display: flex;
        gap: var(--space-2);
      }
      .window {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2);
      }
      .badges {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
    `,
  ];

  override render() {
    const { fit, state, origin, leftBytes } = this.model;
    const actions = this.#actions();
    const strength = strengthOf(this.model);
    const fitness = judgeModel(this.model, this.device);
    const tokensPerSecond = origin === 'built-in' ? null : speedOn(this.model, this.device);
    const reasons = inPageLanguage(fit.reasons.join(' '), fit.sentences);
    const remark = modelStrings.fitnessRemarks[fitness];
    return html`<article class="card" aria-labelledby="name" tabindex="-1">
      <div class="row">
        <h3 class="grow" id="name">${this.name}</h3>
        <div class="badges">
          ${this.answering ? html`<span class="badge now">${icon(laterIcons.check)}${this.model.embedding ? modelStrings.loadedNow : modelStrings.answersNow}</span>` : nothing}
          ${modelStrings.origins[origin] === '' ? nothing : html`<span class="badge">${modelStrings.origins[origin]}</span>`}
          <span class="badge ${fitness}">${modelStrings.fitness[fitness]}</span>
        </div>
      </div>
      ${strength === undefined ? nothing : html`<p class="small">${modelStrings.strengths[strength]}</p>`}
      ${modelFacts(this.model, this.name, tokensPerSecond)} ${reasons === '' && remark === '' ? nothing : html`<p class="small">${reasons} ${remark}</p>`}
      ${state.kind === 'download' ? html`<download-status .progress=${state.progress}></download-status>` : nothing}
      ${state.kind === 'present' ? this.#presence(state.missing) : nothing}
      ${leftBytes === undefined ? nothing : html`<p class="small">${downloadStrings.left(leftBytes)}</p>`}
      ${this.failure === null ? nothing : html`<p class="error small" role="alert">${this.failure}</p>`}
      ${this.#confirmation.notice}
      ${actions.length === 0 ? nothing : html`<div class="row">${actions}</div>`}
    </article>`;
  }

  #presence(missing: readonly string[]): TemplateResult {
    if (missing.length > 0)
      return html`<p class="small">${icon(laterIcons.warning)} ${modelStrings.missing(missing)}</p>`;
    return html`<p class="small quiet">${modelStrings.ready}</p>
      ${contextWindowChoice(this.model, (tokens) => this.#act('window', tokens))}
      ${parallelChoice(this.model, (requests) => this.#act('parallel', requests))}
      ${keepAliveChoice(this.model, (seconds) => this.#act('keep-alive', seconds))}`;
  }

  #actions(): readonly TemplateResult[] {
    const { name } = this;
    const { id, state, origin, fit, leftBytes, settings } = this.model;
    const asking = this.busy === 'download';
    const builtIn = origin === 'built-in';
    const remove = html`<button class="danger" aria-label=${modelStrings.deleteOf(name)} @click=${() => this.#ask('delete')}>${icon('trash')}${modelStrings.delete}</button>`;
    switch (state.kind) {
      case 'absent':
        // A model that the site does not provide any more.
        if (leftBytes !== undefined && fit.verdict === 'no') return [remove];
        return [
          ...(builtIn
            ? [...this.#loadButton(), html`<p class="grow small quiet">${modelStrings.builtInNote}</p>`]
            : []),
          html`<button ?disabled=${asking || (!builtIn && fit.verdict === 'no')} aria-label=${builtIn || asking ? nothing : modelStrings.downloadOf(name)} @click=${() => this.#act('download')}>
            ${icon('download')}${asking ? modelStrings.asking : builtIn ? modelStrings.keepOffline : modelStrings.download}
          </button>`,
          ...(leftBytes === undefined ? [] : [remove]),
        ];
      case 'download': {
        const running = state.progress.phase === 'preparing' || state.progress.phase === 'downloading';
        const failed = state.progress.phase === 'failed';
        // One button pauses and resumes, so that it keeps the focus when its action changes.
        return [
          html`<button
            class=${running ? '' : 'primary'}
            aria-label=${running ? modelStrings.pauseOf(name) : failed ? modelStrings.retryOf(name) : modelStrings.resumeOf(name)}
            @click=${() => this.#act(running ? 'pause' : 'download')}
          >
            ${running ? modelStrings.pause : failed ? modelStrings.retry : modelStrings.resume}
          </button>`,
          // A repair of the user's model loses nothing: the model stays.
          html`<button aria-label=${modelStrings.cancelOf(name)} @click=${() => (settings ? this.#act('cancel') : this.#ask('cancel'))}>${modelStrings.cancel}</button>`,
        ];
      }
      case 'present':
        return [
          ...(state.missing.length > 0
            ? [
                html`<button class="primary" aria-label=${modelStrings.repairOf(name)} @click=${() => this.#act('download')}>${modelStrings.repair}</button>`,
              ]
            : this.#loadButton()),
          // A built-in model is small, and the next page would fetch it again.
          ...(builtIn && isBuiltIn(id) ? [] : [remove]),
        ];
    }
  }

  #loadButton(): readonly TemplateResult[] {
    // A search by meaning or a request loads an embedding model, which has no chat to load it for.
    if (this.answering || this.model.embedding) return [];
    const loading = this.busy === 'load';
    return [
      html`<button ?disabled=${loading || this.model.fit.verdict === 'no'} aria-label=${loading ? modelStrings.loadingOf(this.name) : modelStrings.loadOf(this.name)} @click=${() => this.#act('load')}>
        ${loading ? modelStrings.loading : modelStrings.load}
      </button>`,
    ];
  }

  #ask(action: 'delete' | 'cancel'): void {
    void this.#confirmation.run(async () => {
      if (await askConfirmation(modelStrings.confirm[action](this.name))) this.#act(action);
    });
  }

  #act(action: ModelAction, value?: number): void {
    requestModelAction(this, { action, model: this.model, ...(value !== undefined && { value }) });
  }
}
customElements.define('model-card', ModelCard);

declare global {
  interface HTMLElementTagNameMap {
    'model-card': ModelCard;
  }
}
