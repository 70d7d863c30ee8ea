import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { siteLocks } from '../../../shared/locks/site-locks.ts';
import { listenToWindow } from '../../common/listen-to-window.ts';
import {
  queueKey,
  readQueue,
  writeQueue,
  type QueuedQuestion,
  type QueueOwner,
} from '../../storage/queued-questions.ts';
import { queueStrings } from '../../strings/queue.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import type { ConversationController } from '../conversation-controller.ts';

/** What the element needs of the chat on the screen. */
type QueueingChat = Pick<ConversationController, 'id' | 'path' | 'state' | 'answering' | 'isTemporary' | 'refresh'>;

/**
 * The questions that wait for the end of an answer. Sends the first of them once the answer is complete or stopped. After a
 * failure they wait for the user.
 * @fires edit - a question is to be changed; `detail` is an AskedQuestion. It waits no longer.
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
  /** Id of a question that could not be stored. Sending it again at once would fail again. */
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
        --target: 2.25rem;
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

  /** True if the first question may be sent without being asked for. */
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
   * @param isAskedFor Sends it also after a failure. Default: false.
   */
  async #sendFirst(isAskedFor = false): Promise<void> {
    const { chat } = this;
    const { id, isTemporary } = chat;
    if (id === null || this.#isSending) return;
    this.#isSending = true;
    try {
      // Other tabs that show this chat would send the same question.
      await siteLocks().request(`tabserve-queue ${id}`, async () => {
        await chat.refresh();
        if (chat.id !== id || chat.answering || !(isAskedFor || this.#canSend)) return;
        const [first] = readQueue(chat);
        if (first === undefined) return;
        const { id: question, ...asked } = first;
        // It waits until it is stored in the chat, so that it is not lost if the tab is closed meanwhile. By then another
        // chat may be on the screen.
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
 * Lets a question wait for the end of the running answer.
 * @throws Error with a message for the user if it cannot be kept.
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
