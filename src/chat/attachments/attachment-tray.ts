import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { seesImages, type ListedModel } from '../api/list-models.ts';
import { fieldValue } from '../browser/field-value.ts';
import { modelName } from '../common/model-name.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import type { Attachment, Message } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
// What becomes of files once they are sent; one file with this.
import './attachment-list.ts';
import { attachmentTrayStyles } from './attachment-tray-styles.ts';
import { beginningOf, fittingPassages } from './fit-text.ts';
import { hasImages } from '../api/message-content.ts';
import { countTokens, estimateTokens } from './count-attachment.ts';
import { factsOf, fittingLength, imageTokens, isTooLong, roomForText, type TrayItem } from './tray-item.ts';
import { waitingFiles, type FileOwner } from './waiting-files.ts';

/** Files that go with one question. */
const MOST_FILES = 20;

/** The window of a model that does not tell its own. */
const USUAL_WINDOW = 4096;

/**
 * The files that will go with the next question: read on this device, one after the other.
 * @fires change - there are others, or more is known of them.
 */
export class AttachmentTray extends LitElement {
  static override properties = {
    chat: { attribute: false },
    model: { attribute: false },
    path: { attribute: false },
    notice: { state: true },
  };
  /** Id of the chat whose files are shown: each keeps its own. Null for a new one, undefined for the temporary one. */
  declare chat: FileOwner;
  /** The model that will answer. */
  declare model: ListedModel;
  /** What has been said before. */
  declare path: readonly Message[];
  declare notice: string;
  readonly #endpoint = new TabserveController(this);
  #counting: Promise<unknown> = Promise.resolve();

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.path = [];
    this.notice = '';
  }

  static override styles = [controlStyles, attachmentTrayStyles];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** The model that counts: the one that will answer, unless another one is loaded, which would have to go for it. */
  get #counter(): string {
    const { status } = this.#endpoint;
    return status.state === 'ready' && status.model !== this.model.id ? '' : this.model.id;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    waitingFiles.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    waitingFiles.removeEventListener('change', this.#changed);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('chat') && this.hasUpdated) this.notice = '';
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('chat')) this.#changed();
    // What another model has counted says nothing of this one.
    const counter = this.#counter;
    for (const { id, attachment, tokens, removal } of this.items) {
      if (attachment === undefined || tokens?.counter === counter) continue;
      this.#counting = Promise.all([this.#counting, this.#count(id, attachment, removal.signal)]);
    }
  }

  readonly #changed = (): void => {
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('change'));
  };

  get items(): readonly TrayItem[] {
    return waitingFiles.of(this.chat);
  }

  /** Reads files, and shows them at once. */
  add(files: readonly File[]): void {
    const taken = files.slice(0, Math.max(0, MOST_FILES - this.items.length));
    const left = files.length - taken.length;
    this.notice = left === 0 ? '' : attachmentStrings.tooMany(MOST_FILES, left);
    waitingFiles.add(this.chat, taken);
  }

  /**
   * Shows what waits on the device for a chat, too.
   * @throws Error in words for the person.
   */
  async open(chat: FileOwner): Promise<void> {
    await waitingFiles.open(chat).catch((cause: unknown) => {
      throw new Error(attachmentStrings.unopened, { cause });
    });
  }

  /** Puts attachments that were taken, but not sent, back to the chat they were taken from. */
  restore(attachments: readonly Attachment[], chat: FileOwner): void {
    waitingFiles.restore(chat, attachments);
  }

  /** Gives what waits to another chat. */
  keep(chat: FileOwner): void {
    waitingFiles.move(this.chat, chat);
  }

  /**
   * Empties the tray once all is read.
   * @returns What the model is to be given; null where something cannot be, which is shown then.
   */
  async take(question: string): Promise<readonly Attachment[] | null> {
    const { chat } = this;
    await waitingFiles.read();
    await this.updateComplete;
    await this.#counting;
    if (this.chat !== chat) return null;
    const problem = this.items.map((item) => this.#problemOf(item)).find((words) => words !== '');
    if (problem !== undefined) return null;
    const taken = new Set(this.items.map(({ id }) => id));
    const fitted = await Promise.all(this.items.map((item) => this.#fit(item, question))).catch(() => null);
    // They wait in their own chat, where the question stands, too.
    if (fitted === null || this.chat !== chat) return null;
    // Whatever has come meanwhile waits for the next one.
    const rest = this.items.filter(({ id }) => !taken.has(id));
    waitingFiles.set(chat, rest);
    return fitted;
  }

  override render() {
    return html`
      ${this.notice === '' ? nothing : html`<p role="alert">${this.notice}</p>`}
      ${seesImages(this.model) || !this.path.some(hasImages) ? nothing : html`<p role="status">${attachmentStrings.imagesUnseen(modelName(this.model.id))}</p>`}
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
    const { name, attachment } = item;
    return html`
      <span class="name" title=${name}>${attachment?.kind === 'image' ? html`<img src=${attachment.url} alt="" />` : nothing}<bdi>${name}</bdi></span>
      <span class="facts">${factsOf(item).join(' · ')}</span>
      ${iconButton('close', attachmentStrings.remove(item.name), () => this.#remove(item))}
      ${problem === '' ? nothing : html`<span class="words" role="alert">${problem}</span>`}
      ${item.isUnkept ? html`<span class="words" role="status">${attachmentStrings.unkept}</span>` : nothing}
      ${problem === '' && isTooLong(item, this.#room) ? this.#choice(item) : nothing}
    `;
  }

  #choice(item: TrayItem): TemplateResult {
    const { parts } = attachmentStrings;
    return html`<span class="words choice"
      >${attachmentStrings.tooLong(this.#room)}
      <select aria-label=${attachmentStrings.partOf(item.name)} @change=${(event: Event) => waitingFiles.change(item.id, { part: fieldValue(event) as TrayItem['part'] })}>
        ${(['beginning', 'passages'] as const).map((part) => html`<option value=${part} ?selected=${part === item.part}>${parts[part]}</option>`)}
      </select></span
    >`;
  }

  #problemOf({ problem, attachment }: TrayItem): string {
    if (problem !== undefined || attachment?.kind !== 'image') return problem ?? '';
    if (!seesImages(this.model)) return attachmentStrings.imageUnseen(modelName(this.model.id));
    const [tokens, window] = [imageTokens(this.items), this.#window];
    return tokens < window ? '' : attachmentStrings.imagesTooLong(tokens, window);
  }

  get #window(): number {
    return this.model.context_window ?? USUAL_WINDOW;
  }

  get #room(): number {
    return roomForText(this.items, this.#window);
  }

  async #count(id: string, attachment: Attachment, signal: AbortSignal): Promise<void> {
    const counter = attachment.kind === 'text' || seesImages(this.model) ? this.#counter : '';
    const estimate = { ...estimateTokens(attachment), counter: this.#counter };
    // It is being counted: nobody else is to begin.
    waitingFiles.change(id, { tokens: { ...estimate, count: 0 } });
    const counted = counter && (await countTokens(this.#endpoint.tabserve, counter, attachment).catch(() => null));
    if (!signal.aborted) waitingFiles.change(id, { tokens: counted ? { ...counted, counter } : estimate });
  }

  async #fit(item: TrayItem, question: string): Promise<Attachment> {
    const { attachment, part } = item;
    if (attachment === undefined) throw new Error('It has not been read.');
    if (attachment.kind === 'image' || !isTooLong(item, this.#room)) return attachment;
    const most = fittingLength(item, this.#room);
    const text =
      part === 'beginning'
        ? beginningOf(attachment.text, most)
        : await fittingPassages(attachment.text, question, most, item.removal.signal);
    return { ...attachment, part, text };
  }

  #remove({ id, removal }: TrayItem): void {
    removal.abort();
    const rest = this.items.filter((item) => item.id !== id);
    waitingFiles.set(this.chat, rest);
    this.notice = '';
  }
}
customElements.define('attachment-tray', AttachmentTray);

declare global {
  interface HTMLElementTagNameMap {
    'attachment-tray': AttachmentTray;
  }
}
