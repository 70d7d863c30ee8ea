import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ListedModel } from '../api/list-models.ts';
import { messageOf } from '../common/action-controller.ts';
import { countText } from '../common/count-tokens.ts';
import { fieldValue } from '../common/field-value.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import type { AttachedPart, Attachment } from '../storage/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { formatBytes } from '../strings/format.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
// What becomes of files once they are sent; one file with this.
import './attachment-list.ts';
import { attachmentTrayStyles } from './attachment-tray-styles.ts';
import { beginningOf, fittingPassages } from './fit-text.ts';
import { readAttachment } from './read-attachment.ts';

/** Files that go with one question. */
const MOST_FILES = 20;

/** Characters whose tokens are counted: of longer texts these tell how long they are, about. */
const MOST_COUNTED = 200_000;

/** Share of the model's window that all files of a question may take: the rest is for the chat and the answer. */
const SHARE = 0.5;

/** The window of a model that does not tell its own. */
const USUAL_WINDOW = 4096;

/** One file on its way to the model. */
interface TrayItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly removal: AbortController;
  /** Undefined while it is read, and where it cannot be. */
  readonly attachment?: Attachment;
  readonly isCut?: boolean;
  /** Tokens of all of its text, for the model that was in use when they were counted. */
  readonly tokens?: { readonly count: number; readonly isExact: boolean };
  /** What the model is given of one that is too long. */
  readonly part: Exclude<AttachedPart, 'whole'>;
  readonly problem?: string;
}

/** The files that will go with the next question: read on this device, one after the other. */
export class AttachmentTray extends LitElement {
  static override properties = { model: { attribute: false }, items: { state: true }, notice: { state: true } };
  /** The model that will answer. */
  declare model: ListedModel;
  declare items: readonly TrayItem[];
  declare notice: string;
  readonly #endpoint = new TabserveController(this);
  #reading: Promise<void> = Promise.resolve();

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.items = [];
    this.notice = '';
  }

  static override styles = [controlStyles, attachmentTrayStyles];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** Reads files, and shows them at once. */
  add(files: readonly File[]): void {
    const taken = files.slice(0, Math.max(0, MOST_FILES - this.items.length));
    const left = files.length - taken.length;
    this.notice = left === 0 ? '' : attachmentStrings.tooMany(MOST_FILES, left);
    for (const file of taken) {
      const id = crypto.randomUUID();
      const { name, size } = file;
      this.items = [...this.items, { id, name, size, removal: new AbortController(), part: 'beginning' }];
      // One after the other: two hundred at once would need the memory of all.
      this.#reading = this.#reading.then(() => this.#read(id, file));
    }
  }

  /** Shows attachments that were taken, but not sent. */
  restore(attachments: readonly Attachment[]): void {
    this.items = attachments.map((attachment) => {
      const { id, name, size } = attachment;
      return { id, name, size, removal: new AbortController(), part: 'beginning', attachment };
    });
  }

  /**
   * Empties the tray once all is read.
   * @returns What the model is to be given; null where something cannot be, which is shown then.
   */
  async take(question: string): Promise<readonly Attachment[] | null> {
    await this.#reading;
    const problem = this.items.map((item) => this.#problemOf(item)).find((words) => words !== '');
    if (problem !== undefined) return null;
    const fitted = await Promise.all(this.items.map((item) => this.#fit(item, question))).catch(() => null);
    if (fitted !== null) this.items = [];
    return fitted;
  }

  override render() {
    return html`
      ${this.notice === '' ? nothing : html`<p role="alert">${this.notice}</p>`}
      ${
        this.isEmpty
          ? nothing
          : html`<ul aria-label=${attachmentStrings.attached}>
            ${repeat(
              this.items,
              ({ id }) => id,
              (item) => html`<li class=${this.#problemOf(item) === '' ? '' : 'failed'}>${this.#item(item)}</li>`,
            )}
          </ul>`
      }
    `;
  }

  #item(item: TrayItem): TemplateResult {
    const problem = this.#problemOf(item);
    return html`
      <span class="name" dir="auto" title=${item.name}>${item.name}</span>
      <span class="facts">${this.#factsOf(item).join(' · ')}</span>
      ${iconButton('close', attachmentStrings.remove(item.name), () => this.#remove(item))}
      ${problem === '' ? nothing : html`<span class="words" role="alert">${problem}</span>`}
      ${problem === '' && this.#isTooLong(item) ? this.#choice(item) : nothing}
    `;
  }

  #choice(item: TrayItem): TemplateResult {
    const { parts } = attachmentStrings;
    return html`<span class="words"
      >${attachmentStrings.tooLong(this.#room)}
      <select aria-label=${attachmentStrings.partOf(item.name)} @change=${(event: Event) => this.#change(item.id, { part: fieldValue(event) as TrayItem['part'] })}>
        ${(['beginning', 'passages'] as const).map((part) => html`<option value=${part} ?selected=${part === item.part}>${parts[part]}</option>`)}
      </select></span
    >`;
  }

  #factsOf({ size, attachment, tokens, isCut = false, problem }: TrayItem): readonly string[] {
    const facts = [formatBytes(size)];
    if (attachment?.kind === 'image') facts.push(attachmentStrings.image);
    else if (tokens)
      facts.push(tokens.isExact ? attachmentStrings.tokens(tokens.count) : attachmentStrings.aboutTokens(tokens.count));
    else if (problem === undefined && attachment === undefined) facts.push(attachmentStrings.reading);
    if (isCut) facts.push(attachmentStrings.cut);
    return facts;
  }

  #problemOf({ problem, attachment }: TrayItem): string {
    const isUnseen = attachment?.kind === 'image' && this.model.tabserve?.capabilities?.images !== true;
    return problem ?? (isUnseen ? attachmentStrings.imageUnseen(this.model.id) : '');
  }

  /** Most tokens of one text: what short ones leave over is for the long ones. */
  get #room(): number {
    let left = (this.model.context_window ?? USUAL_WINDOW) * SHARE;
    const counts = this.items.flatMap(({ tokens }) => (tokens ? [tokens.count] : [])).toSorted((a, b) => a - b);
    for (const [index, count] of counts.entries()) {
      const share = left / (counts.length - index);
      if (count > share) return Math.floor(share);
      left -= count;
    }
    return Math.floor(left);
  }

  #isTooLong({ tokens, attachment }: TrayItem): boolean {
    return (
      attachment?.kind === 'text' && attachment.part === 'whole' && tokens !== undefined && tokens.count > this.#room
    );
  }

  async #read(id: string, file: File): Promise<void> {
    const item = this.items.find((item) => item.id === id);
    if (item === undefined) return;
    const { signal } = item.removal;
    try {
      const { attachment, isCut } = await readAttachment(file, signal);
      this.#change(id, { attachment, isCut });
      if (attachment.kind === 'text') this.#change(id, { tokens: await this.#count(attachment.text, signal) });
    } catch (thrown) {
      if (!signal.aborted) this.#change(id, { problem: messageOf(thrown) });
    }
  }

  /** Where nobody counts, an estimate that is none too small: most tokens have three letters or more. */
  async #count(text: string, signal: AbortSignal): Promise<NonNullable<TrayItem['tokens']>> {
    const counted = text.slice(0, MOST_COUNTED);
    const count = await countText(this.#endpoint.tabserve, this.model.id, counted).catch(() => null);
    signal.throwIfAborted();
    if (count === null) return { count: Math.ceil(text.length / 3), isExact: false };
    if (counted.length === text.length) return { count, isExact: true };
    return { count: Math.round((count * text.length) / counted.length), isExact: false };
  }

  async #fit(item: TrayItem, question: string): Promise<Attachment> {
    const { attachment, part, tokens } = item;
    if (attachment === undefined) throw new Error('It has not been read.');
    if (attachment.kind === 'image' || tokens === undefined || !this.#isTooLong(item)) return attachment;
    const most = Math.floor((attachment.text.length * this.#room) / tokens.count);
    const text =
      part === 'beginning'
        ? beginningOf(attachment.text, most)
        : await fittingPassages(attachment.text, question, most, item.removal.signal);
    return { ...attachment, part, text };
  }

  #change(id: string, changes: Partial<TrayItem>): void {
    this.items = this.items.map((item) => (item.id === id ? { ...item, ...changes } : item));
  }

  #remove({ id, removal }: TrayItem): void {
    removal.abort();
    this.items = this.items.filter((item) => item.id !== id);
    this.notice = '';
  }
}
customElements.define('attachment-tray', AttachmentTray);

declare global {
  interface HTMLElementTagNameMap {
    'attachment-tray': AttachmentTray;
  }
}
