import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { askAgreement } from '../common/ask-in-dialog.ts';
import { loadPart } from '../browser/load-part.ts';
import { modelName } from '../common/model-name.ts';
import { RouteController } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { questionToAskAgain, rememberQuestionToAskAgain } from '../storage/local-values.ts';
import { offerStrings } from '../strings/offer.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { deviceMemory } from './device-memory.ts';
import { sizeOf } from './model-facts.ts';
import { ModelLibraryController } from './model-library-controller.ts';
import { startDownload } from './start-download.ts';
import { bestModel } from './suggest-models.ts';

/**
 * Offers the real model that fits this device best: on the empty chat, or below an answer in which the built-in model
 * declines. There, the question is asked once more when the model is on this device.
 * @fires ask-again - `detail` is the id of the model that must answer.
 */
export class ModelOffer extends LitElement {
  static override properties = { answer: {} };
  /** Id of the answer in which the built-in model declines. Default: the offer is for the empty chat. */
  declare answer: string | undefined;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #library = new ModelLibraryController(this);
  readonly #route = new RouteController(this);

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host {
        display: block;
      }
      /* Reserves the place of the card, so that nothing below it moves when the models are known. */
      .place,
      .card {
        min-height: var(--height, 0);
      }
      .card {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-3) var(--space-4);
      }
      h2 {
        font-size: 1rem;
      }
      .row {
        gap: var(--space-2) var(--space-4);
      }
    `,
  ];

  protected override updated(): void {
    this.#askAgain();
  }

  override render() {
    const { models } = this.#library;
    const { status } = this.#endpoint;
    if (status.state === 'unsupported') return nothing;
    // The GPU is known only after the built-in model has loaded. Before that, the wrong model might be offered.
    const isMeasured = status.state !== 'starting' && status.state !== 'loading';
    if (models === undefined || !isMeasured)
      return this.answer === undefined ? html`<div class="place"></div>` : nothing;
    const here = models.find(isRealChatModel);
    const best = here ?? bestModel(models, deviceMemory(), status.state === 'ready' ? status.gpu : null);
    if (best === undefined) return nothing;
    return this.answer === undefined ? this.#onEmptyChat(best) : this.#belowAnswer(best);
  }

  #onEmptyChat(model: ModelListing): TemplateResult | typeof nothing {
    const [name, size] = [modelName(model.id), sizeOf(model)];
    // If the model is being downloaded or on this device, it is shown elsewhere: by the download line or in the choice
    // of models.
    if (model.state.kind !== 'absent') return nothing;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title">${offerStrings.title}</h2>
      <p class="small quiet">${offerStrings.fits(name, size)}</p>
      <div class="row">
        <button class="primary" @click=${() => this.#get(model)}>${icon('download')}${offerStrings.get(name, size)}</button>
        <a href="#/models">${offerStrings.others}</a>
        <a href="#/models" @click=${this.#chooseFile}>${offerStrings.ownFile}</a>
      </div>
      ${this.#actions.notice}
    </section>`;
  }

  #belowAnswer(model: ModelListing): TemplateResult {
    const name = modelName(model.id);
    if (model.state.kind === 'download' && /preparing|downloading/.test(model.state.progress.phase))
      return html`<p class="small quiet" role="status">${offerStrings.coming(name)}</p>`;
    const isHere = model.state.kind === 'present';
    return html`<div class="row">
        <p class="small">${offerStrings.declined}</p>
        <button @click=${() => (isHere ? this.#ask(model.id) : this.#get(model))}>
          ${isHere ? offerStrings.askWith(name) : html`${icon('download')}${offerStrings.getAndAsk(name, sizeOf(model))}`}
        </button>
      </div>
      ${this.#actions.notice}`;
  }

  #get(model: ModelListing): void {
    void this.#actions.run(async () => {
      const outcome = await startDownload(this.#library.manager, model, askAgreement, true);
      if (outcome === 'no-room') location.hash = '#/models';
      if (outcome !== 'started' || this.answer === undefined) return;
      const isKept = this.#route.route.view !== 'temporary';
      rememberQuestionToAskAgain({ answer: this.answer, model: model.id }, isKept);
      // Renders again, because the model may be on the device already.
      this.requestUpdate();
    });
  }

  #askAgain(): void {
    const wanted = questionToAskAgain();
    if (this.answer === undefined || wanted?.answer !== this.answer) return;
    const model = this.#library.models?.find(({ id }) => id === wanted.model);
    if (model?.state.kind !== 'present') return;
    // Deleted before asking, so that the question is asked only once even if asking fails.
    rememberQuestionToAskAgain(null);
    this.#ask(model.id);
  }

  #ask(model: string): void {
    this.dispatchEvent(new CustomEvent('ask-again', { detail: model, bubbles: true, composed: true }));
  }

  #chooseFile(event: Event): void {
    event.preventDefault();
    void this.#actions.run(async () => {
      const { openGgufDialog } = await loadPart(import('./gguf-dialog.ts'));
      openGgufDialog(this.#endpoint.tabserve, []);
    });
  }
}
customElements.define('model-offer', ModelOffer);

/** Whether a chat model other than the built-in one is on this device, or is being downloaded. */
function isRealChatModel({ id, embedding, state }: ModelListing): boolean {
  return state.kind !== 'absent' && !embedding && !isBuiltIn(id);
}
