import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { listsDiffer } from '../storage/keep-known.ts';
import { conversationStrings } from '../strings/conversation.ts';
import type { Message, Question } from '../storage/conversation.ts';
import { readDraft, writeDraft } from '../storage/local-values.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
import './branch-switcher.ts';
import '../common/copy-button.ts';
import { messageStyles } from './message-styles.ts';

/**
 * A question: the tab on the sheet of its answer.
 * @fires edit - an edited text is to be asked; `detail` is the text.
 * @fires delete - it and what follows is to be deleted.
 * @fires branch - see branch-switcher.
 */
export class QuestionMessage extends LitElement {
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
  /** True while an answer is being written: then nothing is asked anew. */
  declare disabled: boolean;
  declare editing: boolean;
  /** True while all of a long question is shown. */
  declare unfolded: boolean;
  /** What its unfinished edit is kept under; undefined where none is kept. */
  declare draftId: string | undefined;
  /** What the field shows as it opens. */
  #draft = '';

  constructor() {
    super();
    this.siblings = [];
    this.disabled = false;
    this.editing = false;
    this.unfolded = false;
  }

  static override styles = [
    controlStyles,
    messageStyles,
    css`
      .row {
        display: flex;
        align-items: flex-end;
        gap: 0 var(--space-4);
        border-bottom: 2px solid var(--color-accent-soft);
      }
      .tab {
        position: relative;
        min-width: 3rem;
        max-width: 40rem;
        padding: 0.6rem 1rem 0.55rem;
        border-radius: 0.9rem 0.9rem 0 0;
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      .text {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .folded {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 8;
      }
      .fold {
        min-height: 1.75rem;
        margin-top: var(--space-1);
        padding: 0;
        border: 0;
        background: none;
        color: inherit;
        font-size: var(--text-small);
        text-decoration: underline;
        text-underline-offset: 0.18em;
      }
      /* The foot by which a tab widens into its sheet. */
      .tab::after {
        content: '';
        position: absolute;
        inset-block-end: 0;
        inset-inline-start: 100%;
        width: 0.8rem;
        height: 0.8rem;
        background: radial-gradient(circle at 100% 0, transparent 0.8rem, var(--color-accent-soft) calc(0.8rem + 0.5px));
      }
      :host(:dir(rtl)) .tab::after {
        background: radial-gradient(circle at 0 0, transparent 0.8rem, var(--color-accent-soft) calc(0.8rem + 0.5px));
      }
      .actions {
        flex: none;
        flex-wrap: nowrap;
        margin-inline-start: auto;
      }
      /* No room beside the tab: it takes the whole width, and the buttons go below. */
      @media (max-width: 40rem) {
        .row {
          flex-direction: column;
          border: 0;
        }
        .tab {
          width: 100%;
          border-radius: 0.9rem;
        }
        .tab::after {
          display: none;
        }
      }
      form {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-3);
        border-radius: var(--radius-large) var(--radius-large) 0 0;
        background: var(--color-accent-soft);
      }
      textarea {
        field-sizing: content;
        min-height: 4rem;
        max-height: 50vh;
        resize: vertical;
      }
      form div {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
    `,
  ];

  override render() {
    if (this.editing) return this.#form();
    const { attachments = [] } = this.question;
    if (attachments.length > 0) void import('../attachments/attachment-tray.ts');
    return html`<article aria-label=${conversationStrings.question}>
      ${attachments.length === 0 ? nothing : html`<attachment-list .attachments=${attachments}></attachment-list>`}
      <div class="row"><div class="tab">${this.#text()}</div>
      <div class="actions">
        <copy-button .text=${this.question.text} label=${conversationStrings.copyQuestion}></copy-button>
        ${iconButton('pencil', conversationStrings.edit, () => void this.edit(), this.disabled)}
        <branch-switcher .siblings=${this.siblings} current=${this.question.id}></branch-switcher>
        <span class="apart">${iconButton('trash', conversationStrings.deleteMessage, () => this.dispatchEvent(new CustomEvent('delete')))}</span>
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
            ${isFolded ? conversationStrings.unfold : conversationStrings.fold}
          </button>`
          : nothing
      }`;
  }

  /** Opens the question for editing. */
  async edit(): Promise<void> {
    this.#draft = readDraft(this.draftId) || this.question.text;
    this.editing = true;
    await this.updateComplete;
    const field = this.renderRoot.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  #form() {
    return html`<form @submit=${this.#submit} @keydown=${this.#key}>
      <textarea dir="auto" aria-label=${conversationStrings.editLabel} .value=${this.#draft} @input=${this.#keep}></textarea>
      <div>
        <button class="primary" ?disabled=${this.disabled}>${conversationStrings.editSend}</button>
        <button type="button" @click=${this.#close}>${conversationStrings.cancel}</button>
      </div>
    </form>`;
  }

  /** A reload in the middle of it loses nothing: the next edit goes on from there. */
  #keep({ target }: Event): void {
    if (target instanceof HTMLTextAreaElement) writeDraft(this.draftId, target.value);
  }

  #submit(event: Event): void {
    event.preventDefault();
    const text = this.renderRoot.querySelector('textarea')?.value ?? '';
    if ((text.trim() === '' && !this.question.attachments) || this.disabled) return;
    writeDraft(this.draftId, '');
    this.editing = false;
    this.dispatchEvent(new CustomEvent('edit', { detail: text }));
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation();
      void this.#close();
    } else if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      !event.isComposing &&
      event.target instanceof HTMLTextAreaElement
    ) {
      this.#submit(event);
    }
  }

  async #close(): Promise<void> {
    writeDraft(this.draftId, '');
    this.editing = false;
    await this.updateComplete;
    this.renderRoot.querySelectorAll('button')[0]?.focus();
  }
}
customElements.define('question-message', QuestionMessage);

/** Longer than some eight lines, by what fits into one: to measure it, each question of a long chat would be laid out. */
function isLong(text: string): boolean {
  return text.length > 600 || text.split('\n', 10).length > 9;
}

declare global {
  interface HTMLElementTagNameMap {
    'question-message': QuestionMessage;
  }
}
