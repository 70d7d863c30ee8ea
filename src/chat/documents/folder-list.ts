import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { deleteFile, listFiles, type CollectionFile } from '../api/collection-files.ts';
import type { Collection } from '../api/collections.ts';
import { ActionController } from '../common/action-controller.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, iconButton } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { absentFiles } from './absent-files.ts';
import { filesOfFolder } from './chosen-files.ts';
import { adderOf } from './document-adder.ts';
import { forgetFolder, foldersOf, type RememberedFolder } from './remembered-folders.ts';

/** The most names of files that are listed before they are removed. */
const MAX_NAMES = 50;

/** Files of a collection that were in a folder and are no longer. */
interface Absent {
  readonly folder: string;
  readonly files: readonly CollectionFile[];
}

/**
 * The folders from which files of a collection come, as far as the browser lets the page remember them. Each can be
 * checked for new, changed and deleted files.
 * @fires changed - files were removed.
 */
export class FolderList extends LitElement {
  static override properties = {
    collection: { attribute: false },
    folders: { state: true },
    absent: { state: true },
    news: { state: true },
  };
  declare collection: Collection;
  declare folders: readonly RememberedFolder[];
  /** Null unless a check has found some. */
  declare absent: Absent | null;
  declare news: string;
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.folders = [];
    this.absent = null;
    this.news = '';
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host(:not([filled])) {
        display: none;
      }
      ul {
        gap: var(--space-1);
      }
      .folders .row {
        flex-wrap: nowrap;
      }
      .name {
        display: flex;
        gap: var(--space-2);
      }
      .absent {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-3);
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
      }
      .absent ul {
        max-height: 10rem;
        overflow: auto;
      }
      .absent li {
        overflow-wrap: anywhere;
      }
    `,
  ];

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('collection') && changes.get('collection')?.id !== this.collection.id) void this.refresh();
  }

  protected override updated(): void {
    const hasWords = this.#actions.problem !== '' || this.news !== '' || this.absent !== null;
    this.toggleAttribute('filled', this.folders.length > 0 || hasWords);
  }

  /** Lists the folders again. */
  async refresh(): Promise<void> {
    // Only such browsers can remember folders.
    if (globalThis.showDirectoryPicker === undefined) return;
    await this.#actions.run(async () => (this.folders = await foldersOf(this.collection.id)));
  }

  override render() {
    return html`<ul class="folders" aria-label=${documentStrings.folders}>
        ${this.folders.map((folder) => html`<li class="row">${this.#folder(folder)}</li>`)}
      </ul>
      ${this.#actions.notice} ${this.absent === null ? nothing : this.#absence(this.absent)}
      <p class="hidden" role="status">${this.news}</p>`;
  }

  #folder(folder: RememberedFolder): TemplateResult {
    const { name } = folder;
    return html`<span class="name grow small">${icon('folder')}<span dir="auto">${name}</span></span>
      <button class="small" aria-label=${documentStrings.checkOf(name)} @click=${() => this.#actions.run(() => this.#check(folder))}>${documentStrings.check}</button>
      ${iconButton('close', documentStrings.forget(name), ({ detail }) => detail < 2 && this.#actions.run(() => this.#forget(folder)))}`;
  }

  #absence({ folder, files }: Absent): TemplateResult {
    return html`<div class="absent small">
      <p role="status">${documentStrings.absent(files.length, folder)}</p>
      <ul tabindex="0" aria-label=${documentStrings.absentFiles}>
        ${files.slice(0, MAX_NAMES).map(({ attributes }) => html`<li dir="auto">${attributes.name}</li>`)}
      </ul>
      ${files.length > MAX_NAMES ? html`<p class="quiet">${documentStrings.furtherRemarks(files.length - MAX_NAMES)}</p>` : nothing}
      <div class="row">
        <button class="small danger" @click=${() => this.#actions.run(() => this.#removeAbsent(files))}>${documentStrings.removeAbsent}</button>
        <button class="small" @click=${() => (this.absent = null)}>${documentStrings.keepAbsent}</button>
      </div>
    </div>`;
  }

  /** Adds what is new or has changed in a folder, and finds what is gone. */
  async #check({ name, handle }: RememberedFolder): Promise<void> {
    this.absent = null;
    const isGranted =
      (await handle.queryPermission({ mode: 'read' })) === 'granted' ||
      (await handle.requestPermission({ mode: 'read' })) === 'granted';
    if (!isGranted) return this.#actions.show(documentStrings.folderDenied(name));
    const found = await filesOfFolder(handle, name).catch((cause: unknown) => {
      throw new Error(documentStrings.folderGone(name), { cause });
    });
    const known = await listFiles(this.collection.id, new AbortController().signal);
    const files = absentFiles(known, found, name);
    if (files.length > 0) this.absent = { folder: name, files };
    adderOf(this.collection.id).add(found.map((file) => ({ ...file, isChecked: true })));
  }

  async #forget({ id, name }: RememberedFolder): Promise<void> {
    await forgetFolder(id);
    this.news = documentStrings.forgotten(name);
    await this.refresh();
  }

  async #removeAbsent(files: readonly CollectionFile[]): Promise<void> {
    for (const { id } of files) await deleteFile(id, new AbortController().signal);
    this.absent = null;
    this.news = documentStrings.absentRemoved(files.length);
    this.dispatchEvent(new CustomEvent('changed'));
  }
}
customElements.define('folder-list', FolderList);

declare global {
  interface HTMLElementTagNameMap {
    'folder-list': FolderList;
  }
  /** See https://wicg.github.io/file-system-access/; only in Chromium. */
  interface FileSystemHandle {
    queryPermission(descriptor: { mode: 'read' }): Promise<PermissionState>;
    requestPermission(descriptor: { mode: 'read' }): Promise<PermissionState>;
  }
}
