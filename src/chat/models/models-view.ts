import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import { isOnProcessor } from '../../shared/engine/is-on-processor.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { ActionController } from '../common/action-controller.ts';
import { askAgreement } from '../common/ask-in-dialog.ts';
import { modelName } from '../common/model-name.ts';
import { processorName } from '../common/processor-name.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { forgetModel } from '../storage/awaited-model.ts';
import { rememberModel } from '../storage/local-storage-values.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import { ggufStrings } from '../strings/gguf-strings.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';
import './add-gguf.ts';
import './custom-model-form.ts';
import './model-catalogue.ts';
import type { ModelAction, ModelActionDetail } from './model-card.ts';
import { modelCards, modelCardsStyles, type ModelStates } from './model-cards.ts';
import { DeviceController } from './device-controller.ts';
import { DeviceModelsController } from './device-models-controller.ts';
import './model-suggestions.ts';
import { startDownload } from './start-download.ts';
import './storage-panel.ts';

/** All models of this device and the catalogue: download, load, delete, add. */
export class ModelsView extends LitElement {
  static override properties = {
    busy: { state: true },
    failures: { state: true },
    news: { state: true },
  };
  declare busy: ReadonlyMap<string, ModelAction>;
  declare failures: ReadonlyMap<string, string>;
  declare news: string;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #device = new DeviceController(this);
  /** Set once the models have been shown. A later measurement then does not hide them. */
  #wereShown = false;
  readonly #deviceModels = new DeviceModelsController(this, (id) => (this.news = modelStrings.arrived(id)));

  constructor() {
    super();
    // If the focused card is gone, the focus goes to the heading of the models on this device.
    keepFocus(this, this.#focusHere);
    this.busy = new Map();
    this.failures = new Map();
    this.news = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    modelCardsStyles,
    css`
      .now,
      .now ~ .quiet {
        margin-top: var(--space-4);
      }
    `,
  ];

  override render() {
    return html`
      <header>
        <h1>${modelStrings.title}</h1>
        <p>${modelStrings.introduction}</p>
      </header>
      <div class="card row now">${this.#answering()}</div>
      ${this.#actions.notice}
      ${this.#endpoint.status.state === 'unsupported' ? nothing : this.#manager()}
    `;
  }

  #manager(): TemplateResult {
    const { models, error } = this.#deviceModels;
    // Renders only a note before the list is read and the device measured, because both would shift the content below.
    const isReading = models === undefined || (this.#device.isMeasuring && !this.#wereShown);
    if (isReading && error === null) return html`<p class="quiet">${modelStrings.reading}</p>`;
    this.#wereShown = true;
    return html`
      <p class="hidden" role="status">${this.news}</p>
      ${error === null ? nothing : html`<p class="error" role="alert">${modelStrings.listFailed} ${error}</p>`}
      ${models === undefined ? nothing : this.#sections(models)}
      <section aria-labelledby="gguf">
        <h2 id="gguf">${ggufStrings.title}</h2>
        <add-gguf .manager=${this.#deviceModels.manager}></add-gguf>
      </section>
      <section aria-labelledby="custom">
        <h2 id="custom">${modelStrings.addCustom}</h2>
        <custom-model-form .manager=${this.#deviceModels.manager}></custom-model-form>
      </section>
    `;
  }

  #answering(): TemplateResult {
    const { status } = this.#endpoint;
    if (status.state === 'ready') {
      return html`<p class="grow"><strong>${modelStrings.answering(modelName(status.model))}</strong> ${placeOf(status)}</p>
        <button title=${modelStrings.unloadHint} @click=${() => this.#actions.run(() => this.#deviceModels.manager.unload())}>${modelStrings.unload}</button>`;
    }
    if (status.state === 'loading')
      return html`<p class="grow">${modelStrings.loadingNow(modelName(status.model), Math.floor(status.progress * 100))}</p>`;
    return html`<p class="grow quiet">${status.state === 'unsupported' ? modelStrings.unsupported : modelStrings.nothingLoaded}</p>`;
  }

  #sections(models: readonly ModelListing[]): TemplateResult {
    const here = models.filter(
      ({ origin, state, leftBytes }) => origin === 'built-in' || state.kind !== 'absent' || leftBytes !== undefined,
    );
    const further = models.filter((model) => !here.includes(model));
    const states = this.#states();
    return html`<div @model-action=${this.#act}>
      <section aria-labelledby="suggestions">
        <h2 id="suggestions">${modelStrings.suggestions}</h2>
        <model-suggestions .models=${models} .states=${states}></model-suggestions>
      </section>
      <section aria-labelledby="here">
        <h2 id="here" tabindex="-1">${modelStrings.onDevice}</h2>
        <ul class="cards">${modelCards(here, states)}</ul>
      </section>
      <section aria-labelledby="storage">
        <h2 id="storage">${modelStrings.storage}</h2>
        <storage-panel .report=${this.#deviceModels.storage}></storage-panel>
      </section>
      <section aria-labelledby="more">
        <h2 id="more">${modelStrings.catalogue}</h2>
        <model-catalogue .models=${further} .states=${states} @card-gone=${this.#focusHere}></model-catalogue>
      </section>
    </div>`;
  }

  #states(): ModelStates {
    const { status } = this.#endpoint;
    const answering = status.state === 'ready' ? [status.model, status.embeddingModel ?? status.model] : [];
    return { answering, busy: this.busy, failures: this.failures, device: this.#device.device };
  }

  readonly #act = async ({ detail: { action, model, value } }: CustomEvent<ModelActionDetail>): Promise<void> => {
    const { id } = model;
    this.busy = new Map(this.busy).set(id, action);
    this.failures = without(this.failures, id);
    try {
      await this.#do(action, model, value);
    } catch (thrown) {
      this.failures = new Map(this.failures).set(id, errorInPageLanguage(thrown));
    } finally {
      this.busy = without(this.busy, id);
    }
  };

  async #do(action: ModelAction, model: ModelListing, value = 0): Promise<void> {
    const { manager } = this.#deviceModels;
    const { id, state, embedding } = model;
    if (action === 'download' || (action === 'chat' && state.kind !== 'present')) {
      const outcome = await startDownload(manager, model, askAgreement, action === 'chat');
      if (outcome === 'no-room') this.#focusHere();
      if (outcome !== 'started' || action === 'download') return;
    } else if (action === 'load' || action === 'chat') {
      // The model is remembered only after it has loaded: otherwise the next page would load a model that fails or
      // crashes the engine.
      const loaded = manager.load(id).then(() => void (embedding || rememberModel(id, true)));
      // The chat screen shows the progress and any failure.
      if (action === 'chat') loaded.catch(() => {});
      else return loaded;
    } else if (action === 'window') await manager.setContextWindow(id, value);
    else if (action === 'parallel') await manager.setParallel(id, value);
    else if (action === 'keep-alive') await manager.setKeepAlive(id, value);
    else {
      // Before the model is gone: a new chat that is on the screen by then reads which one to use.
      if (action !== 'pause') forgetModel(id);
      await manager[action](id);
    }
    if (action === 'chat') location.hash = '#/';
  }

  readonly #focusHere = (): void => this.renderRoot.querySelector<HTMLElement>('#here')?.focus();
}
customElements.define('models-view', ModelsView);

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** Returns the GPU or CPU on which the loaded model runs. */
function placeOf({ gpu, engine }: Extract<PageStatus, { state: 'ready' }>): string | typeof nothing {
  if (isOnProcessor(engine)) return modelStrings.answeringOnProcessor;
  return gpu === '' ? nothing : modelStrings.answeringOn(processorName(gpu));
}
