import { css, html, LitElement } from 'lit';
import type { Collection } from '../api/collections.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { fileName, saveFile } from '../transfer/save-file.ts';
import { writeArchive } from './archive/write-archive.ts';

/** The most names of files that are told. */
const MAX_NAMES = 10;

/** Exports a collection as an archive, and shows how far that is. */
export class CollectionExport extends LitElement {
  static override properties = { collection: { attribute: false }, words: { state: true }, news: { state: true } };
  declare collection: Collection;
  /** How far the export is; empty if there is none. */
  declare words: string;
  declare news: string;
  readonly #actions = new ActionController(this);
  #run: AbortController | null = null;

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.words = '';
    this.news = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2) var(--space-3);
      }
      .error {
        overflow-wrap: anywhere;
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#run?.abort();
  }

  override render() {
    const { name } = this.collection;
    return html`${
      this.words === ''
        ? html`<button aria-label=${documentStrings.exportOf(name)} @click=${() => this.#actions.run(() => this.#export())}>${icon('download')}${documentStrings.export}</button>`
        : html`<span class="small" role="status">${this.words}</span>
            <button class="small" aria-label=${documentStrings.cancelExport} @click=${() => this.#run?.abort()}>${documentStrings.cancel}</button>`
    }${this.#actions.notice}
      <span class="hidden" role="status">${this.news}</span>`;
  }

  async #export(): Promise<void> {
    const { signal } = (this.#run = new AbortController());
    const tell = (done: number, total: number) => (this.words = documentStrings.exporting(done, total));
    tell(0, this.collection.file_counts.total);
    try {
      const { archive, leftOut } = await writeArchive(this.collection, signal, tell);
      saveFile(fileName(this.collection.name, 'zip'), 'application/zip', archive);
      this.news = documentStrings.exported(this.collection.name);
      const names = leftOut.length > MAX_NAMES ? [...leftOut.slice(0, MAX_NAMES), '…'] : leftOut;
      if (names.length > 0) this.#actions.show(documentStrings.notExported(leftOut.length, names.join(', ')));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.words = '';
    }
  }
}
customElements.define('collection-export', CollectionExport);

declare global {
  interface HTMLElementTagNameMap {
    'collection-export': CollectionExport;
  }
}
