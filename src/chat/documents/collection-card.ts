import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { listFiles } from '../api/collection-files.ts';
import { documentName, type Collection } from '../api/collections.ts';
import { pauseIndexing } from '../api/edit-collections.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { nextChat } from '../storage/next-chat.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { readArchiveMark, removeArchiveMark } from './archive/archive-mark.ts';
import { filesOfDrop, filesOfField, filesOfFolder, type Chosen } from './chosen-files.ts';
import { adderOf, type DocumentAdder } from './document-adder.ts';
import './collection-export.ts';
import './file-list.ts';
import './folder-list.ts';
import { nameFolders, type SameOrOther } from './name-folders.ts';
import { foldersOf, rememberFolder } from './remembered-folders.ts';
import { TimeLeft } from './time-left.ts';

/** A folder of which the person must say whether the collection has it. */
interface FolderQuestion {
  readonly name: string;
  readonly answer: (answer: SameOrOther | null) => void;
}

/** The most remarks about files that are shown. */
const MAX_REMARKS = 50;

/**
 * One collection: its facts, progress, files, and the buttons to add some, to ask about it and to delete it.
 * @fires changed - its files have changed.
 * @fires delete - the person wants to delete it.
 */
export class CollectionCard extends LitElement {
  static override properties = {
    collection: { attribute: false },
    isDragOver: { state: true },
    question: { state: true },
  };
  declare collection: Collection;
  declare isDragOver: boolean;
  /** Null unless one waits for an answer. */
  declare question: FolderQuestion | null;
  readonly #actions = new ActionController(this);
  #adder: DocumentAdder | undefined;
  #timeLeft = new TimeLeft();
  /** Seconds; null if it is not known. */
  #left: number | null = null;

  constructor() {
    super();
    keepFocus(this, () => this.focus());
    this.isDragOver = false;
    this.question = null;
    this.addEventListener('dragover', (event) => this.#dragged(event, true));
    this.addEventListener('dragleave', (event) => {
      if (!this.contains(event.relatedTarget as Node | null)) this.isDragOver = false;
    });
    this.addEventListener('drop', (event) => this.#dropped(event));
  }

  static override styles = [
    controlStyles,
    panelStyles,
    separatedStyles,
    css`
      article {
        display: grid;
        gap: var(--space-3);
      }
      .over {
        border-color: var(--color-accent);
        background: var(--color-accent-soft);
      }
      h3 {
        overflow-wrap: anywhere;
      }
      .remarks li {
        overflow-wrap: anywhere;
      }
      summary {
        width: fit-content;
        padding-block: calc((var(--target-small) - 1lh) / 2);
        cursor: pointer;
      }
      /* Files cannot be dragged on a touch screen. */
      @media (pointer: coarse) {
        .drop {
          display: none;
        }
      }
      .row > .end {
        margin-inline-start: auto;
      }
    `,
  ];

  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.add')?.focus());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#adder?.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#adder?.removeEventListener('change', this.#changed);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('collection')) return;
    const adder = adderOf(this.collection.id);
    if (adder !== this.#adder) this.#timeLeft = new TimeLeft();
    this.#left = this.#timeLeft.update(this.collection.indexing, performance.now());
    if (adder === this.#adder) return;
    this.#adder?.removeEventListener('change', this.#changed);
    this.#adder = adder;
    adder.addEventListener('change', this.#changed);
  }

  override render() {
    const { name, status, file_counts: counts, usage_bytes: bytes, indexing } = this.collection;
    const isWhole = readArchiveMark(this.collection) === null;
    const canAsk = counts.completed > 0 && status !== 'expired';
    const facts = [
      ...(counts.total > 0 ? [documentStrings.files(counts.total)] : []),
      ...(indexing.passages > 0 ? [documentStrings.passages(indexing.passages)] : []),
      ...(bytes > 0 ? [documentStrings.size(bytes)] : []),
    ];
    return html`<article class="card ${this.isDragOver ? 'over' : ''}" aria-labelledby="name">
      <div class="row">
        <div class="grow">
          <h3 id="name" dir="auto">${name}</h3>
          <p class="small quiet">${separated(facts)}</p>
        </div>
        ${canAsk ? html`<a class="button" href="#/" aria-label=${documentStrings.askAbout(name)} @click=${this.#ask}>${icon('chat')}${documentStrings.ask}</a>` : nothing}
      </div>
      ${this.#progress()} ${this.#unfinished()} ${this.#folderQuestion()} ${this.#actions.notice} ${this.#remarks()}
      <folder-list .collection=${this.collection} @changed=${this.#tell}></folder-list>
      ${counts.total === 0 ? nothing : html`<file-list .collection=${this.collection} @changed=${this.#tell}></file-list>`}
      <div class="row">
        <input type="file" class="files" hidden multiple @change=${this.#chosen} />
        <input type="file" class="folder" hidden webkitdirectory @change=${this.#chosen} />
        <button class="add" aria-label=${documentStrings.addFilesTo(name)} @click=${() => this.#choose('.files')}>${icon('plus')}${documentStrings.addFiles}</button>
        <button aria-label=${documentStrings.addFolderTo(name)} @click=${this.#chooseFolder}>${icon('folder')}${documentStrings.addFolder}</button>
        ${counts.total > 0 && isWhole ? html`<collection-export .collection=${this.collection}></collection-export>` : nothing}
        <button class="danger end" aria-label=${documentStrings.deleteOf(name)} @click=${() => this.dispatchEvent(new CustomEvent('delete'))}>${documentStrings.delete}</button>
      </div>
    </article>`;
  }

  /** Renders what happens to the files: they are read by this page, then indexed by the endpoint. */
  #progress(): TemplateResult {
    const { state, total, done, isWaiting, problem } = this.#adder!;
    const { status, file_counts: counts, indexing } = this.collection;
    if (this.isDragOver) return html`<p role="status">${documentStrings.dropHere}</p>`;
    if (status === 'expired') return html`<p>${documentStrings.expired}</p>`;
    if (state !== 'idle') {
      const words =
        state === 'paused'
          ? documentStrings.paused(done, total)
          : isWaiting
            ? documentStrings.otherTab
            : documentStrings.adding(done, total);
      return html`<div class="row">
          <p class="grow" role="status">${words}</p>
          <div class="row">
            <button class="small" @click=${() => (state === 'paused' ? this.#adder?.resume() : this.#adder?.pause())}>${state === 'paused' ? documentStrings.resume : documentStrings.pause}</button>
            ${this.#cancelButton()}
          </div>
        </div>
        <progress max=${total} .value=${done} aria-label=${words}></progress>
        ${problem === '' ? html`<p class="small quiet">${documentStrings.keepOpen}</p>` : html`<p class="error" role="alert">${problem}</p>`}`;
    }
    if (counts.in_progress > 0) {
      const indexed = counts.total - counts.in_progress;
      const { paused } = indexing;
      const words = (paused ? documentStrings.indexingPaused : documentStrings.indexing)(indexed, counts.total);
      const notes = [
        ...(this.#left === null || paused ? [] : [documentStrings.timeLeft(this.#left)]),
        ...(counts.completed > 0 ? [documentStrings.canAskAlready] : []),
        ...this.#outcome(),
      ];
      return html`<div class="row">
          <p class="grow">${words}</p>
          <div class="row">
            <button class="small" @click=${() => this.#actions.run(() => this.#pauseIndexing(!paused))}>${paused ? documentStrings.resume : documentStrings.pause}</button>
            ${this.#cancelButton()}
          </div>
        </div>
        <progress max=${indexing.indexed_bytes + indexing.waiting_bytes} .value=${indexing.indexed_bytes} aria-label=${words}></progress>
        <p class="small quiet">${separated(notes)}</p>`;
    }
    if (counts.total === 0)
      return html`<p class="quiet">${documentStrings.noFiles} <span class="drop">${documentStrings.orDrop}</span></p>`;
    const isReady = counts.completed === counts.total;
    const words = isReady
      ? documentStrings.ready(counts.total)
      : counts.failed > 0
        ? documentStrings.failed(counts.failed)
        : '';
    return html`<p class="small quiet" role="status">${[words, ...this.#outcome()].join(' ')}</p>`;
  }

  /** Says that the import of this collection has begun and does not go on here. */
  #unfinished(): TemplateResult | typeof nothing {
    const archive = readArchiveMark(this.collection);
    const { state, hasEnded } = this.#adder!;
    // The list of collections may be older than the end of the import.
    if (archive === null || state !== 'idle' || hasEnded) return nothing;
    const { name, file_counts: counts } = this.collection;
    return html`<div class="row">
      <p class="grow error" role="status">${documentStrings.unfinished(counts.total, archive.files)}</p>
      <button class="small" aria-label=${documentStrings.keepUnfinishedOf(name)} @click=${() => this.#actions.run(() => this.#keepUnfinished())}>${documentStrings.keepUnfinished}</button>
    </div>`;
  }

  #folderQuestion(): TemplateResult | typeof nothing {
    if (this.question === null) return nothing;
    const { name, answer } = this.question;
    return html`<div>
      <p role="alert">${documentStrings.sameFolder(name)}</p>
      <div class="row">
        <button class="small" @click=${() => answer('same')}>${documentStrings.isSameFolder}</button>
        <button class="small" @click=${() => answer('other')}>${documentStrings.isOtherFolder}</button>
        <button class="small" @click=${() => answer(null)}>${documentStrings.cancel}</button>
      </div>
    </div>`;
  }

  /** Says what happened to the files of the last round besides being added. */
  #outcome(): readonly string[] {
    const { unchanged, computedAnew } = this.#adder!;
    return [
      ...(unchanged > 0 ? [documentStrings.unchanged(unchanged)] : []),
      ...(computedAnew > 0 ? [documentStrings.computedAnew(computedAnew)] : []),
    ];
  }

  #cancelButton(): TemplateResult {
    return html`<button class="small" title=${documentStrings.cancelHint} @click=${() => this.#actions.run(() => this.#cancel())}>${documentStrings.cancel}</button>`;
  }

  /** Lists the files of the last round that were not added, or only in part. */
  #remarks(): TemplateResult | typeof nothing {
    const { remarks } = this.#adder!;
    if (remarks.length === 0) return nothing;
    const refused = remarks.filter(({ isRefused }) => isRefused).length;
    return html`<details class="remarks">
      <summary>${documentStrings.remarks(refused, remarks.length - refused)}</summary>
      <ul class="small">
        ${remarks.slice(0, MAX_REMARKS).map(({ name, words }) => html`<li><strong dir="auto">${name}</strong>: ${words}</li>`)}
      </ul>
      ${remarks.length > MAX_REMARKS ? html`<p class="small quiet">${documentStrings.furtherRemarks(remarks.length - MAX_REMARKS)}</p>` : nothing}
    </details>`;
  }

  readonly #changed = (): void => {
    this.requestUpdate();
    this.#tell();
  };

  readonly #tell = (): void => void this.dispatchEvent(new CustomEvent('changed'));

  readonly #ask = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
    // The new chat is in another tab or window.
    if (ctrlKey || metaKey || shiftKey) return;
    const { id, name } = this.collection;
    nextChat.documents = { id, name };
  };

  #choose(field: '.files' | '.folder'): void {
    this.renderRoot.querySelector<HTMLInputElement>(field)?.click();
  }

  readonly #chooseFolder = (): void => {
    const { showDirectoryPicker } = globalThis;
    if (showDirectoryPicker === undefined) return this.#choose('.folder');
    void this.#actions.run(async () => {
      const folder = await showDirectoryPicker({ mode: 'read' }).catch((error: unknown) => {
        // The person has closed the picker.
        if (error instanceof DOMException && error.name === 'AbortError') return null;
        throw error;
      });
      if (folder === null) return;
      const files = await filesOfFolder(folder);
      await this.#add({ files: [], folders: [{ name: folder.name, handle: folder, files }] });
    });
  };

  readonly #chosen = ({ currentTarget }: Event): void => {
    const field = currentTarget as HTMLInputElement;
    const files = filesOfField(field.files ?? []);
    // Clears the field: otherwise choosing the same files again would fire no event.
    field.value = '';
    void this.#actions.run(() => this.#add(files));
  };

  #dragged(event: DragEvent, isOver: boolean): void {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    this.isDragOver = isOver;
  }

  #dropped(event: DragEvent): void {
    this.isDragOver = false;
    if (event.dataTransfer === null) return;
    event.preventDefault();
    const found = filesOfDrop(event.dataTransfer);
    void this.#actions.run(async () => this.#add(await found));
  }

  async #add({ files, folders }: Chosen): Promise<void> {
    const named = folders.length === 0 ? [] : await this.#nameFolders(folders);
    const all = [...files, ...named.flatMap((folder) => folder.files)];
    if (all.length > 0) this.#adder?.add(all);
    // The person may have left out the only folder.
    else if (named.length === folders.length) this.#actions.show(documentStrings.nothingToAdd);
    for (const { name, handle } of named) {
      if (handle === null) continue;
      // It is added even if it cannot be remembered.
      await rememberFolder(this.collection.id, name, handle).catch((error: unknown) => console.error(error));
      await this.renderRoot.querySelector('folder-list')?.refresh();
    }
  }

  /** Keeps the files of folders apart that have the same name. */
  async #nameFolders(folders: Chosen['folders']): Promise<Chosen['folders']> {
    const { id } = this.collection;
    const remembered = await foldersOf(id).catch((error: unknown) => {
      console.error(error);
      return [];
    });
    const known = (await listFiles(id, new AbortController().signal)).map(({ attributes }) =>
      documentName(attributes, '').normalize('NFC'),
    );
    const has = (name: string) =>
      this.#adder!.isAddingFolder(name) || known.some((file) => file.startsWith(`${name}/`.normalize('NFC')));
    return nameFolders(folders, { has, remembered, ask: (name) => this.#askAbout(name) });
  }

  /** Asks whether a folder is the one of its name that the collection has. */
  #askAbout(name: string): Promise<SameOrOther | null> {
    this.question?.answer(null);
    return new Promise((resolve) => {
      this.question = {
        name,
        answer: (answer) => {
          this.question = null;
          resolve(answer);
        },
      };
    });
  }

  async #keepUnfinished(): Promise<void> {
    await removeArchiveMark(this.collection.id);
    this.#tell();
  }

  async #pauseIndexing(isPaused: boolean): Promise<void> {
    await pauseIndexing(this.collection.id, isPaused);
    this.#tell();
  }

  async #cancel(): Promise<void> {
    await this.#adder?.cancel();
    // Otherwise the next files would wait.
    if (this.collection.indexing.paused) await pauseIndexing(this.collection.id, false);
    this.#tell();
  }
}
customElements.define('collection-card', CollectionCard);

declare global {
  interface HTMLElementTagNameMap {
    'collection-card': CollectionCard;
  }
  /** See https://wicg.github.io/file-system-access/#api-showdirectorypicker; only in Chromium. */
  var showDirectoryPicker: ((options: { mode: 'read' }) => Promise<FileSystemDirectoryHandle>) | undefined;
}
