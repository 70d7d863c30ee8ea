import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Collection } from '../api/collections.ts';
import { createCollection, deleteCollection } from '../api/edit-collections.ts';
import { serviceWorkerInCharge } from '../browser/service-worker-in-charge.ts';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { CollectionsController } from '../common/collections-controller.ts';
import { fromContext, tabserveContext } from '../common/contexts.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';
import { importArchive } from './archive/import-archive.ts';
import './collection-card.ts';
import { adderOf } from './document-adder.ts';
import { storeEmbeddingModel } from './store-embedding-model.ts';
import { forgetFoldersExcept } from './remembered-folders.ts';

/** The collections of documents: create, fill, delete. */
export class DocumentsView extends LitElement {
  static override properties = { news: { state: true }, checking: { state: true } };
  /** The result of the last action, for screen readers. */
  declare news: string;
  /** How far an archive is checked; empty if none is. */
  declare checking: string;
  readonly #actions = new ActionController(this);
  readonly #imports = new ActionController(this);
  readonly #list = new CollectionsController(this);
  readonly #tabserve = fromContext(this, tabserveContext);
  #life = new AbortController();
  #isCreating = false;
  #hasTidied = false;
  #hasStoredModel = false;

  constructor() {
    super();
    // If the focused card is gone, the focus goes to the heading of the list.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('#collections')?.focus());
    this.news = '';
    this.checking = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    css`
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: end;
        gap: var(--space-2);
        max-width: var(--measure);
        margin-top: var(--space-4);
      }
      ul {
        gap: var(--space-3);
      }
      section > .row {
        margin-bottom: var(--space-3);
      }
      .row > h2 {
        flex-basis: 0;
        margin: 0;
      }
      .problem {
        grid-column: 1 / -1;
        color: var(--color-danger);
      }
      .problem:empty {
        display: none;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#life = new AbortController();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  /** Once, stores the embedding model, and forgets the folders of collections that a program has deleted. */
  protected override updated(): void {
    const { collections } = this.#list;
    if (collections !== null && !this.#hasStoredModel) {
      this.#hasStoredModel = true;
      void storeEmbeddingModel(this.#tabserve());
    }
    if (this.#hasTidied || collections === null || globalThis.showDirectoryPicker === undefined) return;
    this.#hasTidied = true;
    forgetFoldersExcept(collections.map(({ id }) => id)).catch((error: unknown) => console.info(error));
  }

  override render() {
    const { collections, problem } = this.#list;
    return html`
      <header>
        <h1>${documentStrings.title}</h1>
        <p>${documentStrings.introduction}</p>
      </header>
      <form novalidate @submit=${(event: SubmitEvent) => this.#actions.run(() => this.#create(event))}>
        <label>
          ${documentStrings.newName}
          <input name="name" maxlength="120" dir="auto" autocomplete="off" placeholder=${documentStrings.nameHint} aria-describedby="problem" />
        </label>
        <button class="primary">${documentStrings.create}</button>
        <p id="problem" class="small problem" role="alert">${this.#actions.problem}</p>
      </form>
      <p class="hidden" role="status">${this.news}</p>
      ${problem === '' ? nothing : html`<p class="error" role="alert">${documentStrings.listFailed} ${problem}</p>`}
      <section aria-labelledby="collections">
        <div class="row">
          <h2 id="collections" class="grow" tabindex="-1">${documentStrings.collections}</h2>
          <input type="file" hidden accept=".zip,application/zip" @change=${this.#archiveChosen} />
          <button title=${documentStrings.importHint} ?disabled=${this.checking !== ''} @click=${() => this.renderRoot.querySelector<HTMLInputElement>('input[type="file"]')?.click()}>${icon('upload')}${documentStrings.import}</button>
        </div>
        ${
          this.checking === ''
            ? nothing
            : html`<p role="status">${this.checking}</p>
              <p class="small quiet">${documentStrings.checkingHere}</p>`
        }
        ${this.#imports.notice}
        ${collections === null ? (problem === '' ? html`<p class="quiet">${documentStrings.reading}</p>` : nothing) : this.#cards(collections)}
      </section>
    `;
  }

  #cards(collections: readonly Collection[]): TemplateResult {
    if (collections.length === 0) return html`<p class="quiet">${documentStrings.none}</p>`;
    return html`<ul>
      ${repeat(
        collections,
        ({ id }) => id,
        (collection) =>
          html`<li>
            <collection-card
              .collection=${collection}
              @changed=${() => this.#list.refresh()}
              @delete=${() => this.#actions.run(() => this.#delete(collection))}
            ></collection-card>
          </li>`,
      )}
    </ul>`;
  }

  /** At the first visit the name may be typed before the service worker is there; then the web server would answer. */
  async #createNamed(name: string): Promise<Collection> {
    await serviceWorkerInCharge();
    return createCollection(name, new AbortController().signal);
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name') ?? '').trim();
    if (name === '') return this.#actions.show(documentStrings.nameNeeded);
    // A double click creates one collection.
    if (this.#isCreating) return;
    this.#isCreating = true;
    const { id } = await this.#createNamed(name).finally(() => (this.#isCreating = false));
    form.reset();
    this.news = documentStrings.created(name);
    await this.#list.refresh();
    // The next step is to add files.
    await this.#focusCard(id);
  }

  readonly #archiveChosen = ({ currentTarget }: Event): void => {
    const field = currentTarget as HTMLInputElement;
    const [file] = field.files ?? [];
    // Clears the field: otherwise choosing the same file again would fire no event.
    field.value = '';
    if (file !== undefined) void this.#imports.run(() => this.#import(file));
  };

  async #import(file: File): Promise<void> {
    try {
      this.checking = documentStrings.checking(0, 0);
      await serviceWorkerInCharge();
      const tell = (done: number, total: number) => (this.checking = documentStrings.checking(done, total));
      const { name, id } = await importArchive(file, this.#life.signal, tell);
      this.news = documentStrings.imported(name, adderOf(id).total);
      await this.#list.refresh();
      await this.#focusCard(id);
    } finally {
      this.checking = '';
    }
  }

  async #focusCard(id: string): Promise<void> {
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll('collection-card')].find(({ collection }) => collection.id === id)?.focus();
  }

  async #delete({ id, name, file_counts: counts, owns_files: isOfPage = false }: Collection): Promise<void> {
    if (!(await askConfirmation(documentStrings.confirmDelete(name, counts.total, isOfPage)))) return;
    await adderOf(id).end();
    try {
      await deleteCollection(id, new AbortController().signal);
      this.news = documentStrings.deleted(name);
    } finally {
      await this.#list.refresh();
      // Forgets its folders, now that the list does not have it any more.
      this.#hasTidied = false;
      this.requestUpdate();
    }
  }
}
customElements.define('documents-view', DocumentsView);
