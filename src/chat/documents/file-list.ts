import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { deleteFile, listFiles, type CollectionFile } from '../api/collection-files.ts';
import { documentName, type Collection } from '../api/collections.ts';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { formatBytes } from '../strings/format.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/** Number of files that are shown at first, and added by each press of the button below them. */
const STEP = 50;

/**
 * The files of a collection, behind a summary. They are listed when it is opened, and again when their number or state
 * changes.
 * @fires changed - a file was removed.
 */
export class FileList extends LitElement {
  static override properties = {
    collection: { attribute: false },
    files: { state: true },
    shown: { state: true },
    isOpen: { state: true },
    news: { state: true },
  };
  declare collection: Collection;
  /** Null until they are listed. */
  declare files: readonly CollectionFile[] | null;
  /** Number of files that are shown. */
  declare shown: number;
  declare isOpen: boolean;
  declare news: string;
  readonly #actions = new ActionController(this);
  #listing: AbortController | null = null;

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('summary')?.focus());
    this.files = null;
    this.shown = STEP;
    this.isOpen = false;
    this.news = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    separatedStyles,
    css`
      summary {
        width: fit-content;
        padding-block: calc((var(--target-small) - 1lh) / 2);
        cursor: pointer;
      }
      ul {
        gap: 0;
      }
      li {
        padding-block: var(--space-1);
        border-top: 1px solid var(--color-line);
      }
      .row {
        flex-wrap: nowrap;
      }
      .failed {
        color: var(--color-danger);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listing?.abort();
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (!this.isOpen || !(changes.has('collection') || changes.has('isOpen'))) return;
    // A large collection is not listed again after each file that is indexed.
    const isSmall = this.collection.file_counts.total <= STEP;
    if (this.files === null || isSmall || this.collection.file_counts.in_progress === 0)
      void this.#actions.run(() => this.#list());
  }

  override render() {
    return html`<details @toggle=${({ currentTarget }: Event) => (this.isOpen = (currentTarget as HTMLDetailsElement).open)}>
        <summary>${documentStrings.fileList}</summary>
        ${this.#actions.notice} ${this.files === null ? nothing : this.#files(this.files)}
      </details>
      <p class="hidden" role="status">${this.news}</p>`;
  }

  #files(files: readonly CollectionFile[]): TemplateResult {
    const rest = files.length - this.shown;
    return html`<ul>
        ${repeat(
          files.slice(0, this.shown),
          ({ id }) => id,
          (file) => html`<li class="row">${this.#file(file)}</li>`,
        )}
      </ul>
      ${rest > 0 ? html`<button class="small" @click=${() => (this.shown += STEP)}>${documentStrings.more(Math.min(rest, STEP))}</button>` : nothing}`;
  }

  #file(file: CollectionFile): TemplateResult {
    const { attributes, status, last_error: error } = file;
    const name = documentName(attributes, file.id);
    const facts = [
      ...(typeof attributes.size === 'number' ? [formatBytes(attributes.size)] : []),
      ...(status === 'completed' ? [] : [documentStrings.fileStates[status]]),
    ];
    return html`<div class="grow small">
        <span dir="auto">${name}</span> <span class="quiet">${separated(facts)}</span>
        ${error === null ? nothing : html`<p class="failed">${error.message}</p>`}
      </div>
      ${iconButton('trash', documentStrings.remove(name), ({ detail }) => detail < 2 && this.#actions.run(() => this.#remove(file, name)))}`;
  }

  async #list(): Promise<void> {
    this.#listing?.abort();
    const { signal } = (this.#listing = new AbortController());
    try {
      this.files = await listFiles(this.collection.id, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #remove({ id, attributes }: CollectionFile, name: string): Promise<void> {
    // This page reads its own files on the device, where they stay. What a program has stored may exist nowhere else.
    const isOfPage = typeof attributes.sha256 === 'string';
    if (!isOfPage && !(await askConfirmation(documentStrings.confirmRemove(name)))) return;
    await deleteFile(id, new AbortController().signal);
    this.files = this.files?.filter((file) => file.id !== id) ?? null;
    this.news = documentStrings.removed(name);
    this.dispatchEvent(new CustomEvent('changed'));
  }
}
customElements.define('file-list', FileList);

declare global {
  interface HTMLElementTagNameMap {
    'file-list': FileList;
  }
}
