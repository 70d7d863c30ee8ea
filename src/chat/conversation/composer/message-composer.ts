import { html, LitElement, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import type { ListedModel } from '../../api/list-models.ts';
import type { PageStatus } from '../../../page/index.ts';
import { offerCommands } from '../../common/commands.ts';
import type { Destination } from '../../types/destination.ts';
import { fieldValue } from '../../browser/field-value.ts';
import { loadInBackground } from '../../browser/load-part.ts';
import { isComposing } from '../../browser/is-composing.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { modelName } from '../../common/model-name.ts';
import { conversationStrings, destinationStrings } from '../../strings/conversation-strings.ts';
import { inPageLanguage } from '../../strings/engine-sentences.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { progressStyles } from '../../theme/progress-styles.ts';
import { iconButton, icon } from '../../theme/icons.ts';
import type { AskedQuestion, Message } from '../../types/conversation.ts';
import { drafts } from '../../storage/drafts/drafts.ts';
import { AttachmentController, NO_FILES } from '../../attachments/attachment-controller.ts';
import styles from './message-composer.css?inline';

/** Milliseconds after the end of an answer in which a press of the button that was "Stop" does not send what is half written. */
const JUST_ENDED = 600;

/**
 * The field for the next question, with the choice of the model.
 * @fires stop - end the running answer.
 * @fires settings - open the settings; `detail` is the part to begin with, or null.
 * @fires model - another model was chosen; `detail` is its id.
 * @fires edit-last - arrow up in an empty field.
 */
export class MessageComposer extends LitElement {
  static override properties = {
    conversationId: { attribute: false },
    models: { attribute: false },
    path: { attribute: false },
    model: {},
    answering: { type: Boolean },
    destination: { attribute: false },
    status: { attribute: false },
    isEmpty: { state: true },
    ask: { attribute: false },
  };
  /** Id of the chat; null for a new chat, undefined for the temporary chat. */
  declare conversationId: string | null | undefined;
  declare models: readonly ListedModel[];
  /** The messages before the question. */
  declare path: readonly Message[];
  declare model: string;
  declare answering: boolean;
  /** The server to which the question goes; null for this device. */
  declare destination: Destination | null;
  /** True while there is nothing to send. */
  declare isEmpty: boolean;
  /** Asks the question, perhaps while an answer runs. Resolves to whether it is stored; if not, it is put back. */
  declare ask: (asked: AskedQuestion) => Promise<boolean>;
  /** Status of the endpoint, for the progress of loading and to disable the field. */
  declare status: PageStatus | undefined;
  /** Ends the display of the present draft. */
  #hide: () => void = () => {};
  readonly #attachments = new AttachmentController(this);
  /** When an answer has ended while something was half written (`performance.now()`). */
  #ended = -Infinity;

  constructor() {
    super();
    // The button that queues a question disappears with it. On a phone, focusing the field would open the keyboard.
    keepFocus(this, () => matchMedia('(pointer: coarse)').matches || this.focus());
    offerCommands(this, () => [
      { icon: 'sliders', words: conversationStrings.settings, run: this.#settings },
      { icon: 'paperclip', words: conversationStrings.attach, run: () => this.#attachments.choose() },
    ]);
    this.conversationId = null;
    this.models = [];
    this.path = [];
    this.model = '';
    this.answering = false;
    this.destination = null;
    this.isEmpty = true;
    this.ask = () => Promise.resolve(true);
  }

  static override styles = [controlStyles, progressStyles, unsafeCSS(styles)];

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  override focus(): void {
    void this.updateComplete.then(() => this.#field?.focus());
  }

  /**
   * Puts back a question that could not be sent, before any text that the user has typed since.
   * @param chat Where it was asked; another chat may be open by now.
   * @returns Settles when it is stored here or cannot be.
   */
  async restore({ text, attachments = [] }: AskedQuestion, chat = this.conversationId): Promise<void> {
    drafts.prepend(chat, text);
    this.#showDraft();
    await this.#attachments.restore(attachments, chat);
    // If it cannot be stored, it stays in memory, and the hint below the field says so.
    await drafts.keep((keeper) => keeper.flush()).catch(() => {});
  }

  /** Asks a question in this chat. One that cannot be stored is put back. */
  async send(asked: AskedQuestion, files = NO_FILES): Promise<void> {
    const [chat, { text }] = [this.conversationId, asked];
    // Text and files stay stored until the question is, so that no crash loses them.
    const stored = this.ask(asked);
    drafts.tell((keeper) => keeper.send(chat, text, stored));
    const isStored = await stored;
    files.end(isStored);
    if (!isStored) await this.restore({ text }, chat);
  }

  /**
   * Moves text and files to the draft of the chat `id`. Called when a new chat gets this id because its first question
   * is sent.
   */
  moveTo(id: string | null): void {
    this.#attachments.moveTo(id);
    drafts.move(this.conversationId, id);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    drafts.addEventListener('change', this.#showDraft);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    drafts.removeEventListener('change', this.#showDraft);
    this.#hide();
  }

  protected override firstUpdated(): void {
    const watching = import('../../attachments/watch-long-texts.ts').then(({ watchLongTexts }) =>
      watchLongTexts(this.renderRoot, this.#attachments),
    );
    loadInBackground(watching);
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.get('answering') && !this.#isUnwritten) this.#ended = performance.now();
    if (!changes.has('conversationId')) return;
    const chat = this.conversationId;
    this.#showDraft();
    drafts.tell((keeper) => keeper.show(chat));
    this.#hide();
    this.#hide = () => drafts.tell((keeper) => keeper.hide(chat));
    this.#attachments.open(chat);
  }

  /** Shows the text as it is in memory, and whether it is stored. */
  readonly #showDraft = (): void => {
    const text = drafts.read(this.conversationId);
    // Setting the same value would move the caret.
    if (this.#field !== null && this.#field.value !== text) {
      this.#field.value = text;
      // `watch-long-texts.ts` must not take the draft for a text that was inserted.
      this.#field.dispatchEvent(new Event('draft'));
    }
    this.isEmpty = text.trim() === '';
    this.requestUpdate();
  };

  readonly #settings = (): void => void this.dispatchEvent(new CustomEvent('settings'));

  override render() {
    const ids = this.models.map(({ id }) => id);
    const listed = this.models.find(({ id }) => id === this.model);
    const missing =
      ids.length === 0 ? modelName(this.model) : conversationStrings.modelMissing(modelName(this.model, ids));
    const name = listed === undefined ? missing : labelOf(listed, ids);
    const isEmpty = this.#isUnwritten;
    // One button both sends and stops, so that it keeps the focus when an answer begins or ends.
    const go = this.answering ? conversationStrings.stop : conversationStrings.send;
    return html`<form class=${this.#attachments.isDragOver ? 'drop' : ''} @submit=${this.#go} @paste=${this.#attachments.paste}>
        <attachment-tray .chat=${this.conversationId} @change=${() => this.requestUpdate()} @send=${this.#submit} .model=${listed ?? { id: this.model }} .path=${this.path}></attachment-tray>
        <textarea
          rows="1"
          dir="auto"
          placeholder=${conversationStrings.placeholder}
          aria-label=${conversationStrings.questionLabel}
          aria-describedby="hint"
          autocomplete=${this.conversationId === undefined ? 'off' : nothing}
          @input=${this.#input}
          @keydown=${this.#key}
        ></textarea>
        <input type="file" hidden multiple @change=${this.#attachments.chosen} />
        <div class="tools">
          <div>
            ${iconButton('paperclip', conversationStrings.attach, () => this.#attachments.choose())}
            ${iconButton('sliders', conversationStrings.settings, this.#settings)}
            <span class="model">
              <span aria-hidden="true">${name}</span>
              <select aria-label=${conversationStrings.model} @change=${this.#choose}>
                ${listed === undefined ? html`<option value=${this.model} selected>${missing}</option>` : nothing}
                ${this.models.map((model) => html`<option value=${model.id} .selected=${model.id === this.model}>${labelOf(model, ids)}</option>`)}
              </select>
            </span>
          </div>
          <div class="end">
            <slot name="tools"></slot>
            <span class="space"></span>
            <slot name="meter"></slot>
            ${
              this.answering && !isEmpty
                ? html`<button class="go primary queue" aria-label=${conversationStrings.queue} title=${conversationStrings.queue} @click=${onlyFirst}>
              ${icon('send')}
            </button>`
                : nothing
            }
            <button class="go ${this.answering ? '' : 'primary'}" aria-label=${go} title=${go} aria-disabled=${isEmpty && !this.answering} ?disabled=${this.#cannotRun && !this.answering} @click=${onlyFirst}>
              ${icon(this.answering ? 'stop' : 'send')}
            </button>
          </div>
        </div>
      </form>
      <p id="hint" class="hint">${this.#hint()}</p>`;
  }

  get #isUnwritten(): boolean {
    return this.isEmpty && this.#attachments.isEmpty;
  }

  get #cannotRun(): boolean {
    return this.status?.state === 'unsupported' && !this.models.some(({ tabserve }) => tabserve?.upstream);
  }

  #hint(): TemplateResult {
    const { state } = this.#attachments;
    if (state !== '')
      return html`<span role="status">${state}</span>
        ${this.#attachments.areLost ? html`<button type="button" @click=${this.#sendWithoutFiles}>${conversationStrings.sendWithoutFiles}</button>` : nothing}`;
    if (drafts.unkept.has(this.conversationId) && !this.isEmpty)
      return html`<span role="status">${conversationStrings.draftNotKept}</span>`;
    if (this.answering && !this.isEmpty) return html`<span class="keys">${conversationStrings.queueHint}</span>`;
    if (this.#cannotRun) return html`<span>${conversationStrings.cannotRun}</span>`;
    if (this.destination?.isFallback === false)
      return html`<span class="whole">${destinationStrings.goesTo(this.destination)}</span>`;
    if (this.status?.state === 'loading') {
      return html`<span>${inPageLanguage(this.status.message, this.status.sentences)}</span>
        <progress max="1" .value=${this.status.progress} aria-label=${conversationStrings.loading}></progress>`;
    }
    return this.destination === null
      ? html`<span class="keys">${conversationStrings.composerHint}</span>`
      : html`<span class="whole">${destinationStrings.goesTo(this.destination)}</span>`;
  }

  #input(): void {
    drafts.write(this.conversationId, this.#field?.value ?? '');
    this.isEmpty = this.#field?.value.trim() === '';
  }

  #key(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const isEnter = event.key === 'Enter' && !event.shiftKey;
    // On-screen keyboards have no Shift + Enter, so there Enter starts a new line.
    if (isEnter && !matchMedia('(pointer: coarse)').matches) void this.#submit(event);
    else if (event.key === 'ArrowUp' && this.#field?.value === '') this.dispatchEvent(new CustomEvent('edit-last'));
  }

  #go(event: SubmitEvent): void {
    const isStop = this.answering || event.timeStamp - this.#ended < JUST_ENDED;
    if (!isStop || event.submitter?.matches('.queue') === true) return void this.#submit(event);
    event.preventDefault();
    this.dispatchEvent(new CustomEvent('stop'));
  }

  readonly #sendWithoutFiles = (event: Event): void => {
    this.#attachments.forgetLost();
    void this.#submit(event);
  };

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const field = this.#field;
    const isEmpty = field?.value.trim() === '' && this.#attachments.isEmpty;
    if (field === null || isEmpty || this.#cannotRun) return;
    const [chat, text] = [this.conversationId, field.value];
    const files = this.#attachments.hasNone ? NO_FILES : await this.#attachments.take(text);
    // If the user went elsewhere meanwhile, text and files stay unsent in their chat.
    if (!this.isConnected || this.conversationId !== chat) return files?.end(false);
    if (files === null || (files.attachments.length === 0 && text.trim() === '')) return;
    // Text typed while files were read belongs to the next question.
    const isLonger = field.value.startsWith(text);
    drafts.write(this.conversationId, isLonger ? field.value.slice(text.length).trimStart() : field.value);
    this.#showDraft();
    const { attachments } = files;
    await this.send({ text, ...(attachments.length > 0 && { attachments }) }, files);
  };

  #choose(event: Event): void {
    this.dispatchEvent(new CustomEvent('model', { detail: fieldValue(event) }));
  }
}
customElements.define('message-composer', MessageComposer);

/** Ignores the second click of a double click, which would stop the answer. */
function onlyFirst(click: MouseEvent): void {
  if (click.detail > 1) click.preventDefault();
}

function labelOf(
  { id, tabserve: { state, upstream } = { state: '' } }: ListedModel,
  beside: readonly string[],
): string {
  const name = modelName(id, beside);
  return state === 'upstream' && upstream !== undefined ? conversationStrings.modelElsewhere(name, upstream) : name;
}

declare global {
  interface HTMLElementTagNameMap {
    'message-composer': MessageComposer;
  }
}
