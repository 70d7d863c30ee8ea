import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { seesImages, type ListedModel } from '../api/list-models.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { fieldValue } from '../browser/field-value.ts';
import { modelName } from '../common/model-name.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import type { Attachment, Message } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
// Shows the attachments once they are sent. It loads together with the tray.
import './attachment-list.ts';
import { attachmentTrayStyles } from './attachment-tray-styles.ts';
import { beginningOf, fittingPassages } from './fit-text.ts';
import { hasImages } from '../api/message-content.ts';
import { countAttachment, estimateTokens } from './count-attachment.ts';
import { MAX_IN_FIELD } from './long-text.ts';
import { readInEncoding, type EncodingQuestion } from './read-attachment.ts';
import { factsOf, fittingLength, imageTokens, isTooLong, roomForText, type TrayItem } from './tray-item.ts';
import { unsentFiles, type FileOwner } from './unsent-files.ts';
import type { TakenFiles } from './attachment-controller.ts';
import { wholeFiles } from './whole-files.ts';

// Loaded with this file, because the tray shows the files that it moves.
export { leaveMissingChat } from './leave-missing-chat.ts';

const MAX_FILES = 20;

/** Milliseconds that a question waits for its model to count its files; then the estimates of long ones count. */
const COUNTING_TIME = 15_000;

/** Context window in tokens that is assumed if a model does not state its own. */
const USUAL_WINDOW = 4096;

/**
 * Shows the files that the user adds to the next question. They are read on this device, one at a time.
 * @fires change - the files, or their facts, changed.
 * @fires model - see `ModelOffer`, whose code is loaded later.
 * @fires send - send the question without the files that cannot be sent.
 * @fires insert - insert the text `detail`, which was a file, into the question.
 */
export class AttachmentTray extends LitElement {
  static override properties = {
    chat: { attribute: false },
    model: { attribute: false },
    path: { attribute: false },
    notice: { state: true },
    refused: { state: true },
  };
  /** Id of the chat whose files are shown; null for a new chat, undefined for the temporary chat. */
  declare chat: FileOwner;
  /** The model that will answer. */
  declare model: ListedModel;
  /** The messages before the question. */
  declare path: readonly Message[];
  declare notice: string;
  /** The question that was not sent, because a file cannot be sent with it; null if there is none. */
  declare refused: string | null;
  readonly #endpoint = new TabserveController(this);
  #counting: Promise<unknown> = Promise.resolve();

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.path = [];
    this.notice = '';
    this.refused = null;
  }

  static override styles = [controlStyles, separatedStyles, attachmentTrayStyles];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /**
   * Id of the model that counts tokens: the one that will answer. Empty while it is not loaded; tokens are then estimated.
   * Two tabs whose files loaded the models of their chats would replace each other's model without an end.
   */
  get #counter(): string {
    const { status } = this.#endpoint;
    return status.state === 'ready' && status.model === this.model.id ? this.model.id : '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    unsentFiles.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unsentFiles.removeEventListener('change', this.#changed);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('chat') && this.hasUpdated) Object.assign(this, { notice: '', refused: null });
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('chat')) this.#changed();
    // Counts the files again if another model counted them, because each model has its own tokenizer.
    const counter = this.#counter;
    for (const { id, attachment, tokens, removal } of this.items) {
      if (attachment === undefined || tokens?.counter === counter || tokens?.counter === this.model.id) continue;
      this.#counting = Promise.all([this.#counting, this.#count(id, attachment, removal.signal)]);
    }
  }

  readonly #changed = (): void => {
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('change'));
  };

  get items(): readonly TrayItem[] {
    return unsentFiles.of(this.chat);
  }

  /** Shows files of a chat at once, and reads them one after the other. */
  add(files: readonly File[], chat: FileOwner): void {
    const taken = files.slice(0, Math.max(0, MAX_FILES - unsentFiles.of(chat).length));
    const left = files.length - taken.length;
    this.notice = left === 0 ? '' : attachmentStrings.tooMany(MAX_FILES, left);
    unsentFiles.add(chat, taken);
  }

  /**
   * Adds a text as a file of a chat.
   * @returns False if there are too many files.
   */
  addText(text: string, chat: FileOwner): boolean {
    if (unsentFiles.of(chat).length >= MAX_FILES) {
      if (text.length > MAX_IN_FIELD) this.notice = attachmentStrings.tooMany(MAX_FILES, 1);
      return false;
    }
    unsentFiles.addText(chat, attachmentStrings.pastedText, text);
    return true;
  }

  /** Whether a file is so long that passages of it have to be chosen before the question is sent. */
  get choosesPassages(): boolean {
    return this.items.some((item) => item.part === 'passages' && isTooLong(item, this.#room));
  }

  /**
   * Shows the files that are stored on the device for the next question of a chat.
   * @throws Error with a message for the user if the stored files cannot be read.
   */
  async open(chat: FileOwner): Promise<void> {
    await unsentFiles.open(chat).catch((cause: unknown) => {
      throw new Error(attachmentStrings.unopened, { cause });
    });
  }

  /** Adds the attachments of a question that is asked again. */
  restore(attachments: readonly Attachment[], chat: FileOwner): Promise<void> {
    return unsentFiles.restore(chat, attachments);
  }

  move(from: FileOwner, to: FileOwner): void {
    unsentFiles.move(from, to);
  }

  /**
   * Empties the tray once all files of the chat are read.
   * @param chat The chat of the question.
   * @returns The attachments, which stay stored until they are sent. Null if one cannot be sent, which the tray explains,
   * or if another chat is on the screen by then.
   */
  async take(question: string, chat: FileOwner): Promise<TakenFiles | null> {
    await unsentFiles.read(chat);
    await this.updateComplete;
    // If the user opened another chat meanwhile, the files stay with the chat to which they were added.
    if (this.chat !== chat) return null;
    await withTimeout(COUNTING_TIME, this.#countAll(), undefined);
    if (this.chat !== chat) return null;
    this.#estimateUncounted();
    this.refused = this.#failed.length === 0 ? null : question;
    if (this.refused !== null) return this.#showRefusal();
    const { items } = this;
    const taken = new Set(items.map(({ id }) => id));
    this.notice = '';
    const fitted = await Promise.all(items.map((item) => this.#fit(item, question))).catch((error: unknown) => {
      console.error('The question was not sent.', error);
      return null;
    });
    if (this.chat !== chat) return null;
    // Selecting the passages of a file aborts when the user removes the file. The other files are sent.
    if (fitted === null && items.some(({ removal }) => removal.signal.aborted)) return this.take(question, chat);
    if (fitted === null) this.notice = attachmentStrings.notFitted;
    // Files that the user added meanwhile wait for the next question.
    return fitted && { attachments: fitted, end: unsentFiles.take(chat, taken) };
  }

  get #failed(): readonly TrayItem[] {
    return this.items.filter((item) => this.#problemOf(item) !== '');
  }

  async #showRefusal(): Promise<null> {
    await this.updateComplete;
    this.renderRoot.querySelector('.failed')?.scrollIntoView({ block: 'nearest' });
    return null;
  }

  readonly #sendWithout = (): void => {
    for (const item of this.#failed) this.#remove(item);
    this.refused = null;
    this.dispatchEvent(new CustomEvent('send'));
  };

  #refusal(question: string): unknown {
    const failed = this.#failed;
    if (failed.length === 0) return nothing;
    const isAnythingLeft = question.trim() !== '' || failed.length < this.items.length;
    return html`<div class="refusal" role="alert">
      <span>${attachmentStrings.refused(failed.map(({ name }) => name))}</span>
      ${isAnythingLeft ? html`<button type="button" @click=${this.#sendWithout}>${attachmentStrings.sendWithout(failed.length)}</button>` : nothing}
    </div>`;
  }

  override render() {
    return html`
      ${this.refused === null ? nothing : this.#refusal(this.refused)}
      ${this.notice === '' ? nothing : html`<p role="alert">${this.notice}</p>`}
      ${this.isEmpty || this.model.id !== BUILT_IN_MODEL_ID ? nothing : html`<p role="status">${attachmentStrings.hardlyReads(modelName(this.model.id))} <model-offer files></model-offer></p>`}
      ${seesImages(this.model) || !this.path.some(hasImages) ? nothing : html`<p role="status">${attachmentStrings.imagesUnseen(modelName(this.model.id))} ${modelsLink()}</p>`}
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
      <span class="facts">${separated(factsOf(item))}</span>
      ${iconButton('close', attachmentStrings.remove(item.name), ({ detail }) => detail < 2 && this.#remove(item))}
      ${problem === '' ? nothing : html`<span class="words" role="alert">${problem} ${attachment?.kind === 'image' && !seesImages(this.model) ? modelsLink() : nothing}</span>`}
      ${item.isText ? html`<span class="words choice" role="status">${attachmentStrings.longText} <button type="button" @click=${() => this.#insert(item)}>${attachmentStrings.insertText}</button></span>` : nothing}
      ${item.isUnkept ? html`<span class="words" role="status">${attachmentStrings.unkept}</span>` : nothing}
      ${item.encoding === undefined ? nothing : this.#encodings(item, item.encoding)}
      ${problem === '' && isTooLong(item, this.#room) ? this.#choice(item) : nothing}
    `;
  }

  #encodings(item: TrayItem, { chosen, offered }: EncodingQuestion): TemplateResult {
    return html`<span class="words choice" role="status"
      >${attachmentStrings.encodingAsked}
      <select aria-label=${attachmentStrings.encodingOf(item.name)} @change=${(event: Event) => this.#readIn(item.id, fieldValue(event))}>
        ${offered.map(({ encoding, preview }) => html`<option value=${encoding} ?selected=${encoding === chosen}>${preview} (${encoding})</option>`)}
      </select></span
    >`;
  }

  async #readIn(id: string, chosen: string): Promise<void> {
    const item = this.#itemOf(id);
    const question = item?.encoding;
    if (item === undefined || question === undefined) return;
    const { signal } = item.removal;
    const text = await readInEncoding(question.file, chosen, signal).catch((thrown: unknown) => {
      if (!signal.aborted) unsentFiles.change(id, { problem: errorMessage(thrown) });
      return null;
    });
    if (text === null) return;
    const attachment = this.#itemOf(id)?.attachment;
    if (attachment?.kind !== 'text') return;
    const read = { ...attachment, text };
    const tokens = { ...estimateTokens(read), counter: '' };
    unsentFiles.change(id, { attachment: read, tokens, encoding: { ...question, chosen } });
  }

  #itemOf(id: string): TrayItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  #choice(item: TrayItem): TemplateResult {
    const { parts } = attachmentStrings;
    return html`<span class="words choice"
      >${attachmentStrings.tooLong(this.#room)}
      <select aria-label=${attachmentStrings.partOf(item.name)} @change=${(event: Event) => unsentFiles.change(item.id, { part: fieldValue(event) as TrayItem['part'] })}>
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

  async #countAll(): Promise<void> {
    await this.#countWithModel();
    // The model that was loaded for that counts the others.
    await this.updateComplete;
    await this.#counting;
  }

  /**
   * Counts the files that may not fit with the model that will answer, also if it is not loaded: the question needs it in any
   * case.
   */
  async #countWithModel(): Promise<void> {
    const { id: model } = this.model;
    for (const { id, attachment, tokens, removal } of this.items) {
      if (attachment === undefined || tokens?.counter === model) continue;
      // No text has more tokens than bytes. Models that have learned English only take several for a Chinese character.
      if (attachment.kind === 'text' && new Blob([attachment.text]).size < this.#room) continue;
      await this.#count(id, attachment, removal.signal, model, estimateTokens(attachment).count);
    }
  }

  /** Estimates the texts that are not counted yet. They count as empty, so a long one would be sent whole. */
  #estimateUncounted(): void {
    for (const { id, attachment, tokens } of this.items) {
      if (attachment?.kind !== 'text' || (tokens !== undefined && tokens.count > 0)) continue;
      unsentFiles.change(id, { tokens: { ...estimateTokens(attachment), counter: tokens?.counter ?? '' } });
    }
  }

  /** @param provisional What counts until the tokens are counted. Default: nothing, and nothing is shown. */
  async #count(
    id: string,
    attachment: Attachment,
    signal: AbortSignal,
    counter = this.#counter,
    provisional = 0,
  ): Promise<void> {
    const estimate = { ...estimateTokens(attachment), counter };
    // Sets a provisional count, so that the next update does not count the file a second time.
    unsentFiles.change(id, { tokens: { ...estimate, count: provisional } });
    const canCount = counter !== '' && (attachment.kind === 'text' || seesImages(this.model));
    const counted = canCount
      ? await countAttachment(this.#endpoint.tabserve, counter, attachment).catch(() => null)
      : null;
    if (!signal.aborted) unsentFiles.change(id, { tokens: counted ? { ...counted, counter } : estimate });
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
    const fitted: Attachment = { ...attachment, part, text };
    // A question that waits can be edited again, and then other passages may fit.
    wholeFiles.set(fitted, attachment);
    return fitted;
  }

  #insert(item: TrayItem): void {
    if (item.attachment?.kind !== 'text') return;
    this.#remove(item);
    this.dispatchEvent(new CustomEvent('insert', { detail: item.attachment.text }));
  }

  #remove({ id, removal }: TrayItem): void {
    removal.abort();
    const rest = this.items.filter((item) => item.id !== id);
    void unsentFiles.set(this.chat, rest);
    this.notice = '';
  }
}
customElements.define('attachment-tray', AttachmentTray);

declare global {
  interface HTMLElementTagNameMap {
    'attachment-tray': AttachmentTray;
  }
}

function modelsLink(): TemplateResult {
  return html`<a href="#/models">${attachmentStrings.models}</a>`;
}
