import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { untilKept } from '../../attachments/until-kept.ts';
import { wholeFiles } from '../../attachments/whole-files.ts';
import { ActionController } from '../../common/action-controller.ts';
import type { QueuedQuestion } from '../../storage/drafts/draft-database.ts';
import { questionQueues, type QueueOwner } from '../../storage/drafts/question-queues.ts';
import { queueStrings } from '../../strings/queue-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import './closed-tab-drafts.ts';
import { keepFocusNear } from './keep-focus-near.ts';
import { questionListStyles } from './question-list-styles.ts';
import type { ConversationController } from '../conversation-controller.ts';
import { READ_AGAIN } from '../../storage/read-again.ts';

/** The members of the displayed chat that this element needs. */
type QueueingChat = Pick<ConversationController, 'id' | 'path' | 'state' | 'answering' | 'isTemporary' | 'refresh'>;

/**
 * The questions that wait for the end of an answer. When the answer is complete or stopped, the element sends the first
 * of them. After a failed answer they wait for the user. In a new chat it shows what closed tabs have left.
 */
export class QueuedQuestions extends LitElement {
  static override properties = {
    // The parent passes the same object on every render, and its content changes.
    chat: { attribute: false, hasChanged: () => true },
    ask: { attribute: false },
    putBack: { attribute: false },
  };
  declare chat: QueueingChat;
  /** Asks a question; `isPressed` tells whether the user has just asked for it. Resolves to whether it could be stored. */
  declare ask: (asked: AskedQuestion, isPressed: boolean) => Promise<boolean>;
  /** Puts a question into the field, to be changed. Resolves when it is stored there or cannot be. */
  declare putBack: (asked: AskedQuestion) => Promise<void>;
  /** Ids of questions that could not be asked. They are not sent again automatically, because that would fail again. */
  readonly #refused = new Set<string | undefined>();
  readonly #actions = new ActionController(this);
  /** Ids of the chats whose first question is being sent. */
  readonly #sending = new Set<string>();
  /** Id of the conversation whose queue was read last. */
  #read: string | null = null;

  constructor() {
    super();
    keepFocusNear(this);
  }

  static override styles = [controlStyles, questionListStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    questionQueues.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    questionQueues.removeEventListener('change', this.#changed);
  }

  readonly #changed = (): void => this.requestUpdate();

  protected override willUpdate(): void {
    const { id, isTemporary } = this.chat;
    if (id === this.#read) return;
    this.#read = id;
    this.#actions.show('');
    void questionQueues.read({ id, isTemporary }).catch((error: unknown) => {
      console.info('No queue is read.', error);
      setTimeout(() => this.#readAgain(id), READ_AGAIN);
    });
  }

  #readAgain(id: string | null): void {
    if (this.#read !== id || !this.isConnected) return;
    this.#read = null;
    this.requestUpdate();
  }

  protected override updated(): void {
    if (this.#canSend) void this.#sendFirst();
  }

  /** True if the first question may be sent without an action of the user. */
  get #canSend(): boolean {
    const { state, answering, path } = this.chat;
    const last = path.at(-1);
    const [first] = questionQueues.of(this.chat);
    if (first === undefined || this.#refused.has(first.id) || state !== 'open' || answering) return false;
    return last?.role === 'assistant' && (last.state === 'complete' || last.state === 'stopped');
  }

  override render(): TemplateResult {
    const { answering, id, isTemporary } = this.chat;
    if (id === null)
      return html`${isTemporary ? nothing : html`<closed-tab-drafts .putBack=${this.putBack}></closed-tab-drafts>`}`;
    const queued = questionQueues.of(this.chat);
    return html`<span class="hidden" role="status">${queued.length === 0 ? '' : queueStrings.waits}</span>
      ${
        queued.length === 0
          ? nothing
          : html`<ul aria-label=${queueStrings.label}>
            ${queued.map((question, index) => this.#item(question, index === 0, answering))}
          </ul>`
      }${this.#actions.notice}`;
  }

  #item(question: QueuedQuestion, isFirst: boolean, answering: boolean): TemplateResult {
    const { text, attachments = [] } = question;
    return html`<li>
      ${isFirst ? html`<span class="next">${queueStrings.next}</span>` : nothing}
      <span class="text" dir="auto" title=${text}>${text}</span>
      ${attachments.length === 0 ? nothing : html`<span class="files">${queueStrings.files(attachments.length)}</span>`}
      ${isFirst && !answering ? html`<button type="button" @click=${() => this.#sendFirst(true)}>${queueStrings.sendNow}</button>` : nothing}
      ${iconButton('pencil', queueStrings.edit, ({ detail }) => detail < 2 && this.#edit(question))}
      ${iconButton('close', queueStrings.remove, ({ detail }) => detail < 2 && this.#remove(question))}
    </li>`;
  }

  async #edit(question: QueuedQuestion): Promise<void> {
    const { id, isTemporary } = this.chat;
    questionQueues.hide({ id, isTemporary }, question.id);
    const { text, attachments, whole = attachments } = question;
    await this.putBack({ text, attachments: whole });
    await untilKept(isTemporary ? undefined : id);
    this.#remove(question, { id, isTemporary });
  }

  /** @param owner The chat in which the question waits. Default: the one on the screen. */
  #remove({ id }: QueuedQuestion, owner: QueueOwner = this.chat): void {
    void questionQueues
      .remove({ id: owner.id, isTemporary: owner.isTemporary }, id)
      .catch((error: unknown) => console.info('A question is still kept in the queue.', error));
  }

  /**
   * Sends the first question.
   * @param isAskedFor True if the user asked for it; then it is sent even after a failure. Default: false.
   */
  async #sendFirst(isAskedFor = false): Promise<void> {
    const { chat } = this;
    const { id, isTemporary } = chat;
    if (id === null || this.#sending.has(id)) return;
    this.#sending.add(id);
    const owner = { id, isTemporary };
    // Held, so that no other tab that shows this chat sends the same question.
    const send = () => questionQueues.hold(id, () => this.#sendInTurn(owner, isAskedFor));
    if (!(await this.#actions.run(send, queueStrings.unread))) this.#refused.add(questionQueues.of(owner)[0]?.id);
    // A failure in a chat that is no longer on the screen says nothing about the one that is.
    if (chat.id !== id) this.#actions.show('');
    this.#sending.delete(id);
    this.requestUpdate();
  }

  async #sendInTurn(owner: QueueOwner, isAskedFor: boolean): Promise<void> {
    const { chat } = this;
    const maySend = () => chat.id === owner.id && !chat.answering && (isAskedFor || this.#canSend);
    await chat.refresh();
    if (!maySend()) return;
    const [first] = await questionQueues.read(owner);
    // During each of these steps the person may ask another question, or open another chat.
    if (first === undefined || !maySend()) return;
    const { id, whole: _, ...asked } = first;
    // The question leaves the queue only after it is stored in the chat, so that it is not lost if the tab is closed. By
    // then another chat may be on the screen.
    if (await this.ask(asked, isAskedFor)) this.#remove(first, owner);
    else this.#refused.add(id);
  }
}
customElements.define('queued-questions', QueuedQuestions);

/**
 * Adds a question to the queue of a chat, with its whole files if there is room for them.
 * @throws Error with a message for the user if the question cannot be stored.
 */
export async function queueQuestion(chat: QueueOwner, asked: AskedQuestion): Promise<void> {
  const { attachments = [] } = asked;
  const whole = attachments.map((attachment) => wholeFiles.get(attachment) ?? attachment);
  const add = () => questionQueues.add(chat, asked);
  const hasParts = attachments.some((attachment) => wholeFiles.has(attachment));
  const adding = hasParts ? questionQueues.add(chat, { ...asked, whole }).catch(add) : add();
  await adding.catch((cause: unknown) => {
    throw new Error(queueStrings.noRoom, { cause });
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'queued-questions': QueuedQuestions;
  }
}
