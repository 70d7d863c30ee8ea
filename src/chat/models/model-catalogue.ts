import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { fieldValue } from '../browser/field-value.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { formatBytes } from '../strings/format.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { modelCards, modelCardsStyles, type ModelStates } from './model-cards.ts';
import {
  EVERYTHING_THAT_SUITS,
  familiesOf,
  filterModels,
  type Ability,
  type Fit,
  type ModelFilter,
  type Order,
} from './model-filter.ts';

/** Maximum models listed one by one in the order of families; more are grouped. */
const FEW = 6;

/** How many models are shown at a time in another order. */
const PAGE = 12;

/**
 * The downloadable models, with search and filters. If there are many, those in the order of families are grouped, and
 * of those in another order the first are shown, with a button for more.
 * @fires card-gone - the focused card was removed.
 */
export class ModelCatalogue extends LitElement {
  static override properties = {
    models: { attribute: false },
    states: { attribute: false },
    filter: { state: true },
    open: { state: true },
    shown: { state: true },
  };
  declare models: readonly ModelListing[];
  declare states: ModelStates;
  declare filter: ModelFilter;
  /** The open families. Only their cards are rendered. */
  declare open: ReadonlySet<string>;
  /** How many models are listed if they are not grouped. */
  declare shown: number;

  constructor() {
    super();
    keepFocus(this, () => this.dispatchEvent(new CustomEvent('card-gone')));
    this.models = [];
    this.filter = EVERYTHING_THAT_SUITS;
    this.open = new Set();
    this.shown = PAGE;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    modelCardsStyles,
    css`
      :host {
        container-type: inline-size;
      }
      /* Four fields in one row, two rows or four: never three and one. */
      .filters {
        display: grid;
        align-items: end;
        gap: var(--space-3);
      }
      @container (min-width: 19rem) {
        .filters {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      @container (min-width: 38rem) {
        .filters {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }
      }
      .filters .search {
        grid-column: 1 / -1;
      }
      .families {
        gap: var(--space-2);
      }
      summary {
        display: grid;
        grid-template-columns: 0.6em minmax(0, 1fr) auto;
        align-items: baseline;
        gap: 0 var(--space-3);
        padding: var(--space-3) var(--space-4);
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-surface);
        cursor: pointer;
      }
      summary::before {
        content: '›';
        color: var(--color-text-quiet);
        font-weight: 650;
      }
      [open] > summary::before {
        rotate: 90deg;
      }
      summary:hover {
        border-color: var(--color-accent);
      }
      .facts {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--space-3);
      }
      details > ul {
        margin-top: var(--space-3);
        padding-inline-start: var(--space-4);
        padding-block-end: var(--space-4);
      }
      @media (max-width: 40rem) {
        .facts {
          grid-column: 2;
        }
        details > ul {
          padding-inline-start: 0;
        }
      }
    `,
  ];

  override render() {
    const found = filterModels(this.models, this.filter, this.states.device);
    return html`
      ${this.#filters()}
      <p class="small quiet" role="status">
        ${found.length === 0 ? modelStrings.noneFound : modelStrings.found(found.length, this.models.length)}
      </p>
      ${found.length > FEW && this.filter.order === 'family' ? this.#families(found) : this.#list(found)}
    `;
  }

  #list(models: readonly ModelListing[]): TemplateResult {
    return html`<ul class="cards">${modelCards(models.slice(0, this.shown), this.states)}</ul>
      ${
        models.length <= this.shown
          ? nothing
          : html`<button @click=${() => (this.shown += PAGE)}>${modelStrings.showMore(Math.min(PAGE, models.length - this.shown))}</button>`
      }`;
  }

  #families(models: readonly ModelListing[]): TemplateResult {
    return html`<ul class="families">${repeat(
      familiesOf(models),
      (family) => family,
      (family) =>
        this.#family(
          family,
          models.filter((model) => model.family === family),
        ),
    )}</ul>`;
  }

  #family(family: string, models: readonly ModelListing[]): TemplateResult {
    const sizes = models.flatMap(({ downloadBytes }) => downloadBytes ?? []);
    const isOpen = this.open.has(family);
    return html`<li>
      <details ?open=${isOpen} @toggle=${(event: Event) => this.#toggled(family, event)}>
        <summary>
          <h3>${family}</h3>
          <span class="facts small quiet">
            <span>${modelStrings.familySize(models.length)}</span>
            ${sizes.length === 0 ? nothing : html`<span>${modelStrings.sizes(formatBytes(Math.min(...sizes)), formatBytes(Math.max(...sizes)))}</span>`}
          </span>
        </summary>
        ${isOpen ? html`<ul class="cards">${modelCards(models, this.states)}</ul>` : nothing}
      </details>
    </li>`;
  }

  #toggled(family: string, { currentTarget }: Event): void {
    const isOpen = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
    if (isOpen === this.open.has(family)) return;
    const open = new Set(this.open);
    if (isOpen) open.add(family);
    else open.delete(family);
    this.open = open;
  }

  #filters(): TemplateResult {
    const { ability, family, fit, order, text } = this.filter;
    const change = (change: Partial<ModelFilter>) => {
      this.filter = { ...this.filter, ...change };
      this.shown = PAGE;
    };
    // The chosen family stays in the list when its last model has left the catalogue, so that it can be given up.
    const names = familiesOf(this.models).concat(family === '' ? [] : family);
    const families = { '': modelStrings.everyFamily, ...Object.fromEntries(names.map((name) => [name, name])) };
    return html`<form class="filters" role="search" aria-label=${modelStrings.catalogue} @submit=${(event: Event) => event.preventDefault()}>
      <label class="search">${modelStrings.search}
        <input type="search" placeholder=${modelStrings.searchHint} .value=${text} @input=${(event: Event) => change({ text: fieldValue(event) })} />
      </label>
      <label>${modelStrings.fit}
        <select @change=${(event: Event) => change({ fit: fieldValue(event) as Fit })}>${options(modelStrings.fits, fit)}</select>
      </label>
      <label>${modelStrings.family}
        <select @change=${(event: Event) => change({ family: fieldValue(event) })}>${options(families, family)}</select>
      </label>
      <label>${modelStrings.ability}
        <select @change=${(event: Event) => change({ ability: fieldValue(event) as Ability })}>${options(modelStrings.abilities, ability)}</select>
      </label>
      <label>${modelStrings.order}
        <select @change=${(event: Event) => change({ order: fieldValue(event) as Order })}>${options(modelStrings.orders, order)}</select>
      </label>
    </form>`;
  }
}
customElements.define('model-catalogue', ModelCatalogue);

/**
 * Renders the options of a choice. The chosen one is set on each option: `value` of the select would keep the position when
 * options before it are removed.
 */
function options(words: Readonly<Record<string, string>>, chosen: string): unknown {
  return Object.entries(words).map(
    ([name, shown]) => html`<option value=${name} .selected=${name === chosen}>${shown}</option>`,
  );
}
