import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { askAgreement } from '../common/ask-in-dialog.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { loadPart } from '../browser/load-part.ts';
import { modelName } from '../common/model-name.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { RouteController } from '../common/route.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { questionToAskAgain, rememberQuestionToAskAgain } from '../storage/awaited-model.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { offerStrings } from '../strings/offer-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { downloadTime } from './measuring/download-time.ts';
import { DeviceController } from './device-controller.ts';
import { speedOn, type Device } from './judge-model.ts';
import { sizeOf } from './model-facts.ts';
import { DeviceModelsController } from './device-models-controller.ts';
import { startDownload } from './start-download.ts';
import { offerModels, strengthOf, type Offer } from './suggest-models.ts';

/**
 * Offers larger models that suit this device: one or two on the empty chat, one below an answer in which the built-in
 * model declines or fails, or one for files that are attached. Below an answer, the question is sent again, once, when
 * the model is on this device.
 * @fires model - the chat's next questions are for this model; `detail` is its id.
 * @fires ask-again - `detail` is the id of the model that must answer. A listener that cannot send the question now
 * prevents the default.
 */
export class ModelOffer extends LitElement {
  static override properties = {
    answer: {},
    brief: { type: Boolean },
    files: { type: Boolean },
    disabled: { type: Boolean },
  };
  /** Id of the answer above the offer. Default: the offer is for the empty chat. */
  declare answer: string | undefined;
  /** Whether only the button is shown, beside a further refusal. Default: false. */
  declare brief: boolean;
  /** Whether the offer is for files that are attached to the next question. Default: false. */
  declare files: boolean;
  /** Set while another answer runs. Default: false. */
  declare disabled: boolean;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #deviceModels = new DeviceModelsController(this);
  readonly #route = new RouteController(this);
  readonly #device = new DeviceController(this);
  /** The device as it was when this element first offered models; null before. */
  #judged: Device | null = null;

  constructor() {
    super();
    // The pressed button disappears when the download starts, so the focus moves to the text about it.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('[role="status"]')?.focus());
    this.brief = false;
    this.files = false;
    this.disabled = false;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    separatedStyles,
    css`
      :host {
        display: block;
      }
      /* Reserves the place of the card, so that nothing below it moves when the models are known. */
      .place,
      .card:not(.coming) {
        min-height: var(--height, 0);
      }
      .card {
        display: grid;
        align-content: start;
        gap: var(--space-2);
        padding: var(--space-3) var(--space-4);
      }
      h2 {
        font-size: 1rem;
      }
      p {
        text-wrap: pretty;
      }
      button {
        text-wrap: balance;
      }
      [role='status']:empty {
        position: absolute;
      }
      .row {
        gap: var(--space-2) var(--space-4);
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
        gap: var(--space-3) var(--space-5);
      }
      li {
        display: grid;
        grid-template-rows: auto 1fr auto auto;
        gap: var(--space-1);
        min-width: 0;
      }
      li button {
        justify-self: start;
        margin-top: var(--space-1);
      }
      /* On a phone, the button is beside the name. */
      @media (max-width: 40rem) {
        li {
          grid-template: auto 1fr auto / minmax(0, 1fr) auto;
          align-items: center;
          column-gap: var(--space-3);
        }
        li button {
          grid-area: 1 / 2;
          margin: 0;
        }
        li p {
          grid-column: 1 / -1;
        }
      }
      h3 {
        font-size: 0.95rem;
        overflow-wrap: anywhere;
      }
      a {
        align-content: center;
        min-height: var(--target-small);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#judged = null;
  }

  protected override updated(): void {
    this.#askAgain();
  }

  override render() {
    const { models } = this.#deviceModels;
    const { status } = this.#endpoint;
    if (status.state === 'unsupported') return nothing;
    const device = models === undefined ? null : this.#judge(status);
    if (models === undefined || device === null) return this.#isOnEmptyChat ? html`<div class="place"></div>` : nothing;
    const offer = offerModels(models, device);
    // For files, the more capable one: the smallest model loses the thread of a long text.
    const first = this.files ? mostCapable(offer.models) : offer.models[0];
    if (first === undefined)
      return html`<p class="small quiet">${offerStrings.nothingSuits} <a href="#/models">${offerStrings.others}</a></p>`;
    const isComing = first.state.kind === 'download' && /preparing|downloading/.test(first.state.progress.phase);
    if (this.#isOnEmptyChat) return this.#onEmptyChat(offer, isComing, device);
    return this.files ? this.#besideFiles(first, isComing) : this.#belowAnswer(first, isComing);
  }

  /**
   * Returns the device for which models are chosen; null until it is known. While the element is shown, a later
   * measurement does not count: another choice would move what is below it.
   */
  #judge({ state }: PageStatus): Device | null {
    const { device, isMeasuring } = this.#device;
    // The GPU is known once the built-in model runs on it. Before that, an unsuitable model might be offered.
    const isKnown = state !== 'starting' && state !== 'loading' && !isMeasuring;
    const isFinal = this.#judged !== null && (this.#judged.gpu !== null || device.gpu === null);
    if (isKnown && !isFinal) this.#judged = device;
    return this.#judged;
  }

  #onEmptyChat({ models, reason }: Offer, isComing: boolean, device: Device): TemplateResult | typeof nothing {
    const first = models[0]!;
    // The download line already shows a stopped download, and the composer a downloaded model.
    if (first.state.kind !== 'absent' && !isComing) return nothing;
    return html`<section class="card ${isComing ? 'coming' : ''}" aria-labelledby="title">
      <h2 id="title">${offerStrings.title}</h2>
      ${this.#progress(isComing ? offerStrings.comingMeanwhile(modelName(first.id)) : '')}
      ${
        isComing
          ? nothing
          : html`<p class="small quiet">${offerStrings.reasons[reason]}
              <a href="#/models">${offerStrings.others}</a></p>
            <ul>${models.map((model, place) => this.#choice(model, place === 0, device))}</ul>`
      }
      ${this.#actions.notice}
    </section>`;
  }

  #choice(model: ModelListing, isFirst: boolean, device: Device): TemplateResult {
    const [name, size, strength] = [modelName(model.id), sizeOf(model), strengthOf(model)];
    const tokensPerSecond = speedOn(model, device);
    const speed = tokensPerSecond === null ? null : modelStrings.expectedSpeed(tokensPerSecond);
    return html`<li>
      <h3>${name}</h3>
      <p class="small">${strength === undefined ? nothing : modelStrings.strengths[strength]}</p>
      <p class="small quiet">${separated(offerStrings.facts(size, downloadTime(model.downloadBytes), speed))}</p>
      <button class=${isFirst ? 'primary' : ''} aria-label=${offerStrings.get(name, size)} @click=${() => this.#get(model)}>${icon('download')}${offerStrings.download}</button>
    </li>`;
  }

  #belowAnswer(model: ModelListing, isComing: boolean): TemplateResult {
    const name = modelName(model.id);
    const isHere = model.state.kind === 'present';
    return html`${this.#progress(isComing ? offerStrings.coming(name) : '')}
      ${
        isComing
          ? nothing
          : html`<div class="row">
              ${this.brief ? nothing : html`<p class="small">${offerStrings.declined}</p>`}
              <button ?disabled=${isHere && this.disabled} @click=${() => (isHere ? this.#ask(model.id) : this.#get(model))}>
                ${isHere ? offerStrings.askWith(name) : html`${icon('download')}${this.brief ? offerStrings.get(name, sizeOf(model)) : offerStrings.getAndAsk(name, sizeOf(model))}`}
              </button>
              ${isHere || this.brief ? nothing : html`<a class="small" href="#/models" @click=${this.#chooseFile}>${offerStrings.ownFile}</a>`}
            </div>`
      }
      ${this.#actions.notice}`;
  }

  get #isOnEmptyChat(): boolean {
    return this.answer === undefined && !this.files;
  }

  #besideFiles(model: ModelListing, isComing: boolean): TemplateResult {
    const name = modelName(model.id);
    const isHere = model.state.kind === 'present';
    const use = () => this.dispatchEvent(new CustomEvent('model', { detail: model.id, bubbles: true, composed: true }));
    return html`${this.#progress(isComing ? offerStrings.comingForFiles(name) : '')}
      ${
        isComing
          ? nothing
          : html`<button type="button" class="small" @click=${() => (isHere ? use() : this.#get(model))}>
              ${isHere ? offerStrings.askWith(name) : html`${icon('download')}${offerStrings.get(name, sizeOf(model))}`}
            </button>`
      }
      ${this.#actions.notice}`;
  }

  /** The live region must exist before its content, or it is not announced. */
  #progress(words: string): TemplateResult {
    return html`<p class="small quiet" role="status" tabindex="-1">${words}</p>`;
  }

  #get(model: ModelListing): void {
    void this.#actions.run(async () => {
      const outcome = await startDownload(this.#deviceModels.manager, model, askAgreement, true);
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
    const model = this.#deviceModels.models?.find(({ id }) => id === wanted.model);
    if (model?.state.kind !== 'present' || this.disabled) return;
    if (this.#ask(model.id)) rememberQuestionToAskAgain(null);
  }

  /** Requests that the question is sent again. Returns false if that is impossible now. */
  #ask(model: string): boolean {
    return this.dispatchEvent(
      new CustomEvent('ask-again', { detail: model, bubbles: true, composed: true, cancelable: true }),
    );
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

function mostCapable(models: readonly ModelListing[]): ModelListing | undefined {
  return models.toSorted((one, other) => (other.parameters ?? 0) - (one.parameters ?? 0))[0];
}
