import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ModelListing } from '../../shared/model-management.ts';
import { ActionController, messageOf } from '../common/action-controller.ts';
import { fieldValue } from '../common/field-value.ts';
import { modelName } from '../common/model-name.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { forgetModel, rememberModel } from '../storage/local-values.ts';
import { modelStrings } from '../strings/models.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';
import './custom-model-form.ts';
import './model-card.ts';
import type { ModelAction, ModelCard } from './model-card.ts';
import {
  EVERYTHING_FITTING,
  familiesOf,
  filterModels,
  type Ability,
  type ModelFilter,
  type Order,
} from './model-filter.ts';
import { ModelLibraryController } from './model-library-controller.ts';
import './storage-panel.ts';

/** Every model this device has or could have: download, load, delete, add. */
export class ModelsView extends LitElement {
  static override properties = {
    filter: { state: true },
    busy: { state: true },
    failures: { state: true },
    news: { state: true },
  };
  declare filter: ModelFilter;
  declare busy: ReadonlyMap<string, ModelAction>;
  declare failures: ReadonlyMap<string, string>;
  declare news: string;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #library = new ModelLibraryController(this, (id) => (this.news = modelStrings.arrived(id)));

  constructor() {
    super();
    // A card that was deleted, or has moved to the other list, leaves the focus with the list it was in.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('#here')?.focus());
    this.filter = EVERYTHING_FITTING;
    this.busy = new Map();
    this.failures = new Map();
    this.news = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    css`
      .cards {
        gap: var(--space-3);
      }
      .cards li {
        min-width: 0;
      }
      /* A hundred and sixty cards: those out of sight cost nothing. */
      .catalogue li {
        content-visibility: auto;
        contain-intrinsic-size: auto 10rem;
      }
      .filters {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr));
        align-items: end;
        gap: var(--space-3);
        margin-bottom: var(--space-3);
      }
      .filters .search {
        grid-column: 1 / -1;
      }
      .now {
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
    const { models, error } = this.#library;
    return html`
      <p class="hidden" role="status">${this.news}</p>
      ${error === null ? nothing : html`<p class="error" role="alert">${modelStrings.listFailed} ${error}</p>`}
      ${models === undefined ? (error === null ? html`<p class="quiet">${modelStrings.reading}</p>` : nothing) : this.#sections(models)}
      <section aria-labelledby="custom">
        <h2 id="custom">${modelStrings.addCustom}</h2>
        <custom-model-form .manager=${this.#library.manager}></custom-model-form>
      </section>
    `;
  }

  #answering(): TemplateResult {
    const { status } = this.#endpoint;
    if (status.state === 'ready') {
      return html`<p class="grow"><strong>${modelStrings.answering(modelName(status.model))}</strong> ${status.gpu === '' ? nothing : modelStrings.answeringOn(status.gpu)}</p>
        <button title=${modelStrings.unloadHint} @click=${() => this.#actions.run(() => this.#library.manager.unload())}>${modelStrings.unload}</button>`;
    }
    if (status.state === 'loading')
      return html`<p class="grow">${modelStrings.loadingNow(modelName(status.model), Math.floor(status.progress * 100))}</p>`;
    return html`<p class="grow quiet">${status.state === 'unsupported' ? modelStrings.unsupported : modelStrings.nothingLoaded}</p>`;
  }

  #sections(models: readonly ModelListing[]): TemplateResult {
    const here = models.filter(({ origin, state }) => origin === 'built-in' || state.kind !== 'absent');
    const further = models.filter((model) => !here.includes(model));
    const shown = filterModels(further, this.filter);
    return html`
      <section aria-labelledby="here">
        <h2 id="here" tabindex="-1">${modelStrings.onDevice}</h2>
        <ul class="cards">${this.#cards(here)}</ul>
      </section>
      <section aria-labelledby="storage">
        <h2 id="storage">${modelStrings.storage}</h2>
        <storage-panel .report=${this.#library.storage}></storage-panel>
      </section>
      <section aria-labelledby="more">
        <h2 id="more">${modelStrings.catalogue}</h2>
        ${this.#filters(further)}
        <p class="small quiet" role="status">${shown.length === 0 ? modelStrings.noneFound : modelStrings.found(shown.length, further.length)}</p>
        <ul class="cards catalogue">${this.#cards(shown)}</ul>
      </section>
    `;
  }

  #cards(models: readonly ModelListing[]) {
    const { status } = this.#endpoint;
    const answering = status.state === 'ready' ? [status.model, status.embeddingModel] : [];
    return repeat(
      models,
      ({ id }) => id,
      (model) => html`<li>
        <model-card
          .model=${model}
          ?answering=${answering.includes(model.id)}
          .busy=${this.busy.get(model.id) ?? null}
          .failure=${this.failures.get(model.id) ?? null}
          @model-action=${this.#act}
        ></model-card>
      </li>`,
    );
  }

  #filters(models: readonly ModelListing[]): TemplateResult {
    const { ability, family, onlyFitting, order, text } = this.filter;
    const change = (change: Partial<ModelFilter>) => (this.filter = { ...this.filter, ...change });
    return html`<form class="filters" role="search" aria-label=${modelStrings.catalogue} @submit=${(event: Event) => event.preventDefault()}>
      <label class="search">${modelStrings.search}
        <input type="search" placeholder=${modelStrings.searchHint} .value=${text} @input=${(event: Event) => change({ text: fieldValue(event) })} />
      </label>
      <label>${modelStrings.family}
        <select .value=${family} @change=${(event: Event) => change({ family: fieldValue(event) })}>
          <option value="">${modelStrings.everyFamily}</option>
          ${familiesOf(models).map((name) => html`<option value=${name}>${name}</option>`)}
        </select>
      </label>
      <label>${modelStrings.ability}
        <select .value=${ability} @change=${(event: Event) => change({ ability: fieldValue(event) as Ability })}>
          ${Object.entries(modelStrings.abilities).map(([name, words]) => html`<option value=${name}>${words}</option>`)}
        </select>
      </label>
      <label>${modelStrings.order}
        <select .value=${order} @change=${(event: Event) => change({ order: fieldValue(event) as Order })}>
          ${Object.entries(modelStrings.orders).map(([name, words]) => html`<option value=${name}>${words}</option>`)}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" .checked=${onlyFitting} @change=${(event: Event) => change({ onlyFitting: (event.target as HTMLInputElement).checked })} />
        ${modelStrings.onlyFitting}
      </label>
    </form>`;
  }

  readonly #act = async (event: CustomEvent<ModelAction>): Promise<void> => {
    const { manager } = this.#library;
    const { id, embedding } = (event.currentTarget as ModelCard).model;
    this.busy = new Map(this.busy).set(id, event.detail);
    this.failures = without(this.failures, id);
    if (event.detail === 'load' && !embedding) rememberModel(id, true);
    try {
      await manager[event.detail](id);
      if (event.detail === 'delete') forgetModel(id);
      if (event.detail === 'size') await this.#library.refresh();
    } catch (thrown) {
      this.failures = new Map(this.failures).set(id, messageOf(thrown));
    } finally {
      this.busy = without(this.busy, id);
    }
  };
}
customElements.define('models-view', ModelsView);

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
