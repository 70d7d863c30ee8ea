import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { listenToWindow } from '../../common/listen-to-window.ts';
import { queueKey, readQueue, writeQueue, type QueuedQuestion, type QueueOwner } from '../../storage/question-queue.ts';
import { queueStrings } from '../../strings/queue-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import type { ConversationController } from '../conversation-controller.ts';

/** The members of the displayed chat that this element needs. */
type QueueingChat = Pick<ConversationController, 'id' | 'path' | 'state' | 'answering' | 'isTemporary' | 'refresh'>;

/**
 * The questions that wait for the end of an answer. When the answer is complete or stopped, the element sends the first
 * of them. After a failed answer they wait for the user.
 * @fires edit - the user wants to change a question; `detail` is an AskedQuestion, which has left the queue.
 */
export class QueuedQuestions extends LitElement {
  static override properties = {
    // The parent passes the same object on every render, and its content changes.
    chat: { attribute: false, hasChanged: () => true },
    ask: { attribute: false },
  };
  declare chat: QueueingChat;
  /** Asks a question. Resolves to whether it could be stored. */
  declare ask: (asked: AskedQuestion) => Promise<boolean>;
  /** Id of a question that could not be stored. It is not sent again automatically, because that would fail again. */
  #refused = '';
  #isSending = false;

  constructor() {
    super();
    listenToWindow(this, 'storage', ({ key }) => {
      if (key === null || (this.chat.id !== null && key === queueKey(this.chat.id))) this.requestUpdate();
    });
  }

  static override styles = [
    controlStyles,
    css`
      ul {
        display: grid;
        /* Else a long question would push its buttons out of the window. */
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-1);
        width: min(var(--measure), 100% - 2 * var(--margin, var(--space-4)));
        margin: 0 auto var(--space-2);
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: var(--space-1) var(--space-2);
        padding-inline-start: var(--space-3);
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-surface);
        font-size: var(--text-small);
        --target: var(--target-medium);
        --icon-size: 1rem;
      }
      .next,
      .files {
        flex: none;
        color: var(--color-text-quiet);
      }
      .text {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      button:not(.icon) {
        flex: none;
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        font-size: inherit;
      }
      button.icon {
        flex: none;
      }
    `,
  ];

  protected override updated(): void {
    if (this.#canSend && !this.#isSending) void this.#sendFirst();
  }

  /** True if the first question may be sent without an action of the user. */
  get #canSend(): boolean {
    const { state, answering, path } = this.chat;
    const last = path.at(-1);
    const [first] = readQueue(this.chat);
    if (first === undefined || first.id === this.#refused || state !== 'open' || answering) return false;
    return last?.role === 'assistant' && (last.state === 'complete' || last.state === 'stopped');
  }

  override render(): TemplateResult {
    const { answering } = this.chat;
    const queued = readQueue(this.chat);
    return html`<span class="hidden" role="status">${queued.length === 0 ? '' : queueStrings.waits}</span>
      ${
        queued.length === 0
          ? nothing
          : html`<ul aria-label=${queueStrings.label}>
            ${queued.map((question, index) => this.#item(question, index === 0, answering))}
          </ul>`
      }`;
  }

  #item(question: QueuedQuestion, isFirst: boolean, answering: boolean): TemplateResult {
    const { text, attachments = [] } = question;
    return html`<li>
      ${isFirst ? html`<span class="next">${queueStrings.next}</span>` : nothing}
      <span class="text" dir="auto" title=${text}>${text}</span>
      ${attachments.length === 0 ? nothing : html`<span class="files">${queueStrings.files(attachments.length)}</span>`}
      ${isFirst && !answering ? html`<button type="button" @click=${() => this.#sendFirst(true)}>${queueStrings.sendNow}</button>` : nothing}
      ${iconButton('pencil', queueStrings.edit, () => this.#edit(question))}
      ${iconButton('close', queueStrings.remove, () => this.#remove(question))}
    </li>`;
  }

  #edit(question: QueuedQuestion): void {
    this.#remove(question);
    this.dispatchEvent(new CustomEvent('edit', { detail: question }));
  }

  /** @param owner The chat in which the question waits. Default: the one on the screen. */
  #remove({ id }: QueuedQuestion, owner: QueueOwner = this.chat): void {
    writeQueue(
      owner,
      readQueue(owner).filter((question) => question.id !== id),
    );
    this.requestUpdate();
  }

  /**
   * Sends the first question.
   * @param isAskedFor True if the user asked for it; then it is sent even after a failure. Default: false.
   */
  async #sendFirst(isAskedFor = false): Promise<void> {
    const { chat } = this;
    const { id, isTemporary } = chat;
    if (id === null || this.#isSending) return;
    this.#isSending = true;
    try {
      // The lock keeps other tabs that show this chat from sending the same question.
      await siteLocks().request(`tabserve-queue ${id}`, async () => {
        await chat.refresh();
        if (chat.id !== id || chat.answering || !(isAskedFor || this.#canSend)) return;
        const [first] = readQueue(chat);
        if (first === undefined) return;
        const { id: question, ...asked } = first;
        // The question leaves the queue only after it is stored in the chat, so that it is not lost if the tab is
        // closed. By then another chat may be on the screen.
        if (await this.ask(asked)) this.#remove(first, { id, isTemporary });
        else this.#refused = question;
      });
    } finally {
      this.#isSending = false;
      this.requestUpdate();
    }
  }
}
customElements.define('queued-questions', QueuedQuestions);

/**
 * Adds a question to the queue of a chat.
 * @throws Error with a message for the user if the question cannot be stored.
 */
export function queueQuestion(chat: QueueOwner, asked: AskedQuestion): void {
  try {
    writeQueue(chat, [...readQueue(chat), { ...asked, id: crypto.randomUUID() }]);
  } catch (cause) {
    throw new Error(queueStrings.noRoom, { cause });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'queued-questions': QueuedQuestions;
  }
}
