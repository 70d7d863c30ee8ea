import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { isComposing } from '../../browser/is-composing.ts';
import { askInAnyCase } from '../../common/ask-in-any-case.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { loadInBackground } from '../../browser/load-part.ts';
import { listsDiffer } from '../../storage/lists-differ.ts';
import { dialogStrings } from '../../strings/dialog-strings.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import type { Message, Question } from '../../types/conversation.ts';
import { drafts } from '../../storage/drafts/drafts.ts';
import { temporaryEdits } from '../../storage/drafts/temporary-edits.ts';
import { wasBegun } from '../../storage/drafts/store-drafts.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { branchSwitcher } from './branch-switcher.ts';
import '../../common/copy-button.ts';
import { actionButton, copyAction, deleteAction, type MessageAction } from './message-actions.ts';
import { MessageElement } from './message-element.ts';
import './message-menu.ts';
import { messageStyles } from './message-styles.ts';
import { questionMessageStyles } from './question-message-styles.ts';

/**
 * A question, attached to its answer like a tab.
 * @fires edit - ask the edited text; `detail` is the text.
 * @fires delete - delete the question and what follows it.
 * @fires branch - see branch-switcher.
 */
export class QuestionMessage extends MessageElement {
  static override properties = {
    question: { attribute: false },
    siblings: { attribute: false, hasChanged: listsDiffer },
    disabled: { type: Boolean },
    draftId: { attribute: false },
    editing: { state: true },
    unfolded: { state: true },
  };
  declare question: Question;
  declare siblings: readonly Message[];
  /** True while an answer is generated. Then no question can be asked. */
  declare disabled: boolean;
  declare editing: boolean;
  /** True if a long question is fully shown. */
  declare unfolded: boolean;
  /** Key of the unfinished edit in storage; undefined if it must not be stored, but kept in {@link temporaryEdits}. */
  declare draftId: string | undefined;
  readonly #editing: MessageAction = { icon: 'pencil', words: messageStrings.edit, run: () => this.edit() };
  /** Initial text of the editor. */
  #draft = '';
  /** The version of the question that is being edited; null if none is. */
  #edited: Pick<QuestionMessage, 'question' | 'draftId'> | null = null;

  constructor() {
    super();
    keepFocus(this, () => this.#focusActions());
    this.siblings = [];
    this.disabled = false;
    this.editing = false;
    this.unfolded = false;
  }

  static override styles = [controlStyles, messageStyles, questionMessageStyles];

  readonly actions = (): readonly MessageAction[] => [
    copyAction(this, messageStrings.copyQuestion),
    ...(this.disabled ? [] : [this.#editing]),
    deleteAction(this),
  ];

  /**
   * Closes the editor if the element shows another version of the question, after a search or a change in another tab.
   * The unfinished edit stays stored as a draft of its own version.
   */
  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('question')) return;
    if (this.question.id !== this.#edited?.question.id) this.editing = false;
    if (this.question.id !== changes.get('question')?.id) void this.#editAsBefore();
  }

  protected override updated(): void {
    if (!this.editing) this.#leave();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  /** Ends the display of the draft. Another tab may show it then. */
  #leave(): void {
    const draftId = this.#edited?.draftId;
    if (draftId !== undefined) drafts.tell((keeper) => keeper.hide(draftId));
    this.#edited = null;
  }

  /** Opens the editor if an edit of this question is unfinished, because the page was reloaded or the chat was left. */
  async #editAsBefore(): Promise<void> {
    const { draftId, question } = this;
    // What could not be stored is in memory only.
    const isBegun =
      draftId === undefined
        ? temporaryEdits.has(question.id)
        : drafts.read(draftId) !== '' || (await wasBegun(draftId).catch(() => false));
    if (isBegun && draftId === this.draftId) await this.#open(null);
  }

  override render() {
    if (this.editing) return this.#form();
    const { attachments = [] } = this.question;
    if (attachments.length > 0) loadInBackground(import('../../attachments/attachment-tray.ts'));
    return html`<article aria-label=${messageStrings.question}>
      ${attachments.length === 0 ? nothing : html`<attachment-list .attachments=${attachments}></attachment-list>`}
      <div class="row"><div class="tab">${this.#text()}</div>
      <div class="actions">
        <copy-button .text=${this.question.text} label=${messageStrings.copyQuestion}></copy-button>
        ${actionButton(this.#editing, this.disabled)}
        <message-menu .actions=${this.actions}></message-menu>
        ${branchSwitcher(this.siblings, this.question.id)}
      </div></div>
    </article>`;
  }

  #text(): TemplateResult {
    const { text } = this.question;
    const isFolded = isLong(text) && !this.unfolded;
    return html`<div class="text ${isFolded ? 'folded' : ''}" dir="auto">${text}</div>
      ${
        isLong(text)
          ? html`<button class="fold" aria-expanded=${!isFolded} @click=${() => (this.unfolded = isFolded)}>
            ${isFolded ? messageStrings.unfold : messageStrings.fold}
          </button>`
          : nothing
      }`;
  }

  async edit(): Promise<void> {
    await this.#open(this.question.text);
    await this.updateComplete;
    const field = this.renderRoot.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  /**
   * Shows the editor with the unfinished edit.
   * @param otherwise The text of the editor without one; null if the editor is shown for an unfinished edit only. That of a
   * question with files may be empty.
   */
  async #open(otherwise: string | null): Promise<void> {
    const { question, draftId } = this;
    const shown =
      draftId === undefined
        ? temporaryEdits.get(question.id)
        : await drafts.keep((keeper) => keeper.show(draftId)).catch(() => '');
    const draft = shown || otherwise;
    // Meanwhile the element may show another version of the question.
    if (draft !== null && question.id === this.question.id && !this.editing) {
      this.#draft = draft;
      this.#edited = { question, draftId };
      this.editing = true;
    } else if (draftId !== undefined) drafts.tell((keeper) => keeper.hide(draftId));
  }

  #form() {
    return html`<form @submit=${this.#submit} @keydown=${this.#key}>
      <textarea dir="auto" aria-label=${messageStrings.editLabel} .value=${this.#draft} @input=${this.#keep}></textarea>
      <div>
        <button class="primary" ?disabled=${this.disabled}>${messageStrings.editSend}</button>
        <button type="button" @click=${this.#close}>${messageStrings.cancel}</button>
      </div>
    </form>`;
  }

  /** Stores the unfinished edit as a draft, so that it survives a reload. */
  #keep({ target }: Event): void {
    if (target instanceof HTMLTextAreaElement) this.#write(target.value);
  }

  #write(draft: string): void {
    if (this.#edited === null) return;
    const { draftId, question } = this.#edited;
    if (draftId !== undefined) drafts.write(draftId, draft);
    else if (draft === '') temporaryEdits.delete(question.id);
    else temporaryEdits.set(question.id, draft);
  }

  #submit(event: Event): void {
    event.preventDefault();
    const text = this.renderRoot.querySelector('textarea')?.value ?? '';
    if ((text.trim() === '' && !this.question.attachments) || this.disabled) return;
    // The editor belongs to another version of the question.
    if (this.question.id !== this.#edited?.question.id) return;
    // The draft stays stored until the question is. In memory nothing fails.
    this.#write(this.draftId === undefined ? '' : text);
    this.editing = false;
    this.dispatchEvent(new CustomEvent('edit', { detail: text }));
  }

  #key(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      void this.#escape();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
      // As in the composer: on-screen keyboards have no Shift + Enter, so there Enter starts a new line.
      if (!matchMedia('(pointer: coarse)').matches) this.#submit(event);
    }
  }

  /** Leaves the editor. Asks before a changed text is lost: a person may press Escape to stop an answer. */
  async #escape(): Promise<void> {
    const edited = this.#edited;
    // A field has LF line ends.
    const before = this.question.text.replaceAll(/\r\n?/g, '\n');
    const isChanged = this.renderRoot.querySelector('textarea')?.value !== before;
    const mayClose = !isChanged || (await askInAnyCase(dialogStrings.discard));
    // Meanwhile the element may show another version of the question.
    if (mayClose && edited === this.#edited) await this.#close();
  }

  async #close(): Promise<void> {
    this.#write('');
    this.editing = false;
    await this.updateComplete;
    this.#focusActions();
  }

  #focusActions(): void {
    this.renderRoot.querySelector<HTMLElement>('.actions button')?.focus();
  }
}
customElements.define('question-message', QuestionMessage);

/**
 * Whether a text takes more than about eight lines. It is estimated, because measuring would force a layout of every
 * question.
 */
function isLong(text: string): boolean {
  return text.length > 600 || text.split('\n', 10).length > 9;
}

declare global {
  interface HTMLElementTagNameMap {
    'question-message': QuestionMessage;
  }
}
