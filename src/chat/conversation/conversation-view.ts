import { html, LitElement, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { answersContext, fromContext } from '../common/contexts.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { listenToEscape } from '../common/listen-to-window.ts';
import { loadInBackground, loadPart } from '../browser/load-part.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { ActionController } from '../common/action-controller.ts';
import { MediaController, NARROW } from '../common/media-controller.ts';
import type { Answer, AskedQuestion, CollectionName, Message, Question } from '../types/conversation.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import type { PresetSettings } from '../storage/presets.ts';
import { conversationStrings } from '../strings/conversation-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { ChatModel } from './chat-model.ts';
import { ConversationController, DeletedChat } from './conversation-controller.ts';
import styles from './conversation-view.css?inline';
import './first-questions.ts';
import { HideUntilDrawnController } from './scrolling/hide-until-drawn-controller.ts';
import { FoundMessageController } from './scrolling/found-message-controller.ts';
import { LatestMessagesFirstController } from './scrolling/latest-messages-first-controller.ts';
import { MessageRemovalController } from './scrolling/message-removal-controller.ts';
import './composer/message-composer.ts';
import { firstRefusal } from './messages/needs-real-model.ts';
import { UsableModelsController } from '../common/usable-models-controller.ts';
import { StayAtEndController } from './scrolling/stay-at-end-controller.ts';

const chatCommands = () => loadPart(import('./chat-commands.ts'));

export class ConversationView extends LitElement {
  static override properties = {
    conversationId: { attribute: false },
    announced: { state: true },
  };
  declare conversationId: string | null;
  /** Finished parts of the growing answer, for screen readers. */
  declare announced: readonly string[];
  #lastAsked = Infinity;
  /** See {@link firstRefusal}. Computed once for all messages. */
  #firstRefusal = Infinity;
  readonly #chat = new ConversationController(this, (...asked) => this.#models.messagesFor(...asked));
  readonly #actions = new ActionController(this);
  readonly #messages = new ActionController(this);
  readonly #answers = fromContext(this, answersContext);
  readonly #models = new UsableModelsController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #model = new ChatModel(this.#chat, this.#models, this.#endpoint);
  readonly #end = new StayAtEndController(this);
  readonly #narrow = new MediaController(this, NARROW);
  readonly #found = new FoundMessageController(this, this.#chat, this.#end);
  readonly #left = new MessageRemovalController(this);
  readonly #sight = new HideUntilDrawnController(this);
  // Older messages are rendered after the visible ones are drawn.
  readonly #latest = new LatestMessagesFirstController(
    this,
    () => !this.#sight.isHidden,
    () => this.#chat.answering,
  );

  static override styles = [controlStyles, unsafeCSS(styles)];

  constructor() {
    super();
    listenToEscape(this, () => this.#chat.stop());
    keepFocus(this, () => this.#focusComposer());
    this.conversationId = null;
    this.announced = [];
    const offering = chatCommands().then(({ offerChatCommands }) =>
      offerChatCommands(this, this.#chat, (preset) => this.#do(() => this.#openSettings(null, preset))),
    );
    loadInBackground(offering);
  }

  /** Loads the elements of messages after the first render, because an empty chat does not need them. */
  protected override firstUpdated(): void {
    void this.#messages.run(() =>
      loadPart(Promise.all([import('./messages/question-message.ts'), import('./messages/answer-message.ts')])),
    );
  }

  get #composer() {
    return this.renderRoot.querySelector('message-composer');
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('conversationId')) return;
    if (!this.#chat.open(this.conversationId)) return this.#composer?.moveTo(this.conversationId);
    this.#left.open();
    this.#sight.open(this.conversationId);
    this.#actions.show('');
    this.announced = [];
  }

  protected override updated(changes: PropertyValues<this>): void {
    // An empty conversation is not scrolled to its end.
    this.#end.follow(this.#chat.path.length === 0 ? null : this.renderRoot.querySelector('.scroller'));
    if (changes.has('conversationId') && this.#found.place === null) {
      this.#end.goToEnd();
      this.#focusComposer();
    }
  }

  /** Called before another screen replaces the chat; see {@link MessageRemovalController.leave}. */
  readonly leave = (): Promise<void> | null => this.#left.leave();

  #do(action: () => Promise<void>): void {
    void this.#actions.run(action);
  }

  #focusComposer(): void {
    // On a phone, focusing the field would open the keyboard over the messages.
    if (!matchMedia('(pointer: coarse)').matches) this.#composer?.focus();
  }

  /** True if no model can answer here. Suggested questions are then disabled; only the scroll region takes focus. */
  get #cannotAsk(): boolean {
    return (
      this.#endpoint.status.state === 'unsupported' && !this.#models.models.some(({ tabserve }) => tabserve?.upstream)
    );
  }

  override render() {
    const { conversation, path, state, answering } = this.#chat;
    const { destination } = this.#model;
    const showsEnd = !this.#end.atEnd && path.length > 0;
    // If there is room, the context meter is in the header of the chat, otherwise in the composer.
    const isInBar = conversation !== null && !this.#narrow.matches;
    const meter = html`<context-meter slot=${isInBar ? '' : 'meter'} .chat=${this.#chat} .model=${this.#model.listed}></context-meter>`;
    return html`
      <conversation-header .conversation=${conversation} model=${this.#model.id} .destination=${destination}>${isInBar ? meter : nothing}</conversation-header>
      <div class="scroller" tabindex=${path.length === 0 && !this.#cannotAsk ? -1 : 0} role="region" aria-label=${conversationStrings.messages}>
        <div class="content">${this.#left.beside(this.#content(path, state))}</div>
      </div>
      <nearly-full-notice ?raised=${showsEnd} @make-room=${() => this.#makeRoom()}></nearly-full-notice>
      <div class="below">
        ${
          !showsEnd
            ? nothing
            : html`<button class="to-end" aria-label=${conversationStrings.jumpToEnd} @click=${() => this.#end.goToEnd()}>${icon('down')}</button>`
        }
        ${this.#messages.notice} ${this.#actions.notice}
        ${this.#chat.hasUnsavedAnswer ? html`<p class="error" role="alert">${conversationStrings.answerNotStored}</p>` : nothing}
        <displaced-model-notice
          model=${this.#model.id}
          .displaced=${this.#model.displaced}
          @use=${(event: CustomEvent<string>) => this.#do(() => this.#model.choose(event.detail))}
        ></displaced-model-notice>
        <queued-questions
          .chat=${this.#chat}
          .ask=${(asked: AskedQuestion, isPressed: boolean) => this.#begin(() => this.#chat.ask(asked, () => this.#model.id), isPressed)}
          .putBack=${async (asked: AskedQuestion) => {
            this.#focusComposer();
            await this.#composer?.restore(asked);
          }}
        ></queued-questions>
        <message-composer
          .conversationId=${this.#chat.isTemporary ? undefined : state === 'missing' ? null : this.conversationId}
          .models=${this.#model.usable} .path=${path}
          model=${this.#model.id}
          .destination=${destination}
          ?answering=${answering}
          .status=${this.#endpoint.status}
          .ask=${(asked: AskedQuestion) => this.#ask(asked)}
          @stop=${() => this.#chat.stop()}
          @model=${(event: CustomEvent<string>) => this.#do(() => this.#model.choose(event.detail))}
          @settings=${(event: CustomEvent<'tools' | null>) => this.#do(() => this.#openSettings(event.detail))}
          @edit-last=${() => void [...this.renderRoot.querySelectorAll('question-message')].at(-1)?.edit()}
          @documents=${({ detail: documents }: CustomEvent<CollectionName | undefined>) => this.#do(() => this.#chat.changeSettings({ documents }))}
          ><documents-chip slot="tools" .settings=${this.#chat.settings}></documents-chip><tools-chip slot="tools" .settings=${this.#chat.settings}></tools-chip>${isInBar ? nothing : meter}</message-composer
        >
      </div>
      <div class="hidden" role="log" aria-live="polite">${
        // The key differs from that of the last answer, so that an equal text is added again and announced.
        repeat(
          this.announced,
          (_, index) => `${this.#lastAsked} ${index}`,
          (part) => html`<p>${part}</p>`,
        )
      }</div>
    `;
  }

  #content(path: readonly Message[], state: ConversationController['state']): unknown {
    if (state === 'missing') return html`<div class="note"><h1>${conversationStrings.missing}</h1></div>`;
    if (state === 'unreadable')
      return html`<div class="note" role="alert"><h1>${conversationStrings.unreadable}</h1></div>`;
    if (state === 'opening') return nothing;
    if (path.length === 0) {
      return html`<first-questions
        ?disabled=${this.#cannotAsk}
        .status=${this.#endpoint.status}
        model=${this.#model.id}
        .destination=${this.#model.destination}
        @question=${(event: CustomEvent<string>) => this.#composer?.send({ text: event.detail })}
      ></first-questions>`;
    }
    const last = path.slice(-2);
    this.#firstRefusal = firstRefusal(path);
    return html`<div class="messages ${this.#sight.isHidden ? 'unseen' : ''}">
      ${repeat(
        this.#latest.of(path, this.#found.place?.message),
        // The key is the parent, which all versions of a message share, so that switching versions keeps the element
        // and its focus.
        ({ parent }) => parent,
        (message) => {
          const isEarlier = !last.includes(message);
          const shown =
            message.role === 'user' ? this.#question(message, isEarlier) : this.#compared(message, isEarlier);
          // If this is the first message, nothing before it is left out.
          if (message.id !== this.#chat.conversation?.sentFrom || message.parent === null) return shown;
          return html`<left-out-line @undo=${() => this.#do(() => this.#chat.sendAll())}></left-out-line>${shown}`;
        },
      )}
    </div>`;
  }

  #question(question: Question, isEarlier: boolean): TemplateResult {
    return html`<question-message
      .question=${question}
      .draftId=${this.#chat.isTemporary ? undefined : question.id}
      .siblings=${this.#chat.tree.siblings(question.id)}
      ?earlier=${isEarlier}
      .disabled=${this.#chat.answering}
      @edit=${(event: CustomEvent<string>) => this.#begin(() => this.#askEdited(question, event.detail))}
      @delete=${() => this.#delete(question)}
      @branch=${(event: CustomEvent<Message>) => this.#do(() => this.#chat.showBranch(event.detail))}
    ></question-message>`;
  }

  #compared(answer: Answer, isEarlier: boolean): unknown {
    const answers = this.#chat.tree.compared(answer);
    if (answers.length === 1) return this.#answer(answer, isEarlier, answer);
    const shown = repeat(
      answers,
      ({ id }) => id,
      (one) => this.#answer(one, isEarlier, answer, one === answer ? 'chosen' : 'beside'),
    );
    return html`<div class="beside">${shown}</div>`;
  }

  /**
   * Renders an answer.
   * @param chosen The answer with which the chat continues: this one, or one with which it is compared.
   */
  #answer(answer: Answer, isEarlier: boolean, chosen: Answer, compared?: 'chosen' | 'beside'): TemplateResult {
    return html`<answer-message
      .models=${this.#model.usable}
      .compared=${compared}
      .isAwaited=${this.announced.length === 1 && answer.created >= this.#lastAsked}
      @ask-another=${(event: CustomEvent<string>) => this.#begin(() => this.#chat.askAnother(chosen, event.detail))}
      .answer=${answer}
      .question=${this.#chat.tree.get(answer.parent ?? '')?.text ?? ''}
      .refusedBefore=${answer.created > this.#firstRefusal}
      .running=${this.#answers().get(answer.id)}
      .siblings=${this.#chat.tree.siblings(answer.id)}
      ?earlier=${isEarlier}
      .disabled=${this.#chat.answering}
      @regenerate=${() => this.#begin(() => this.#chat.regenerate(answer, this.#model.id, answer === chosen ? null : chosen))}
      @ask-again=${(event: CustomEvent<string>) => this.#askWith(answer, event)}
      @continue=${() => this.#continue(answer)}
      @continue-elsewhere=${() => this.#makeRoom()}
      @delete=${() => this.#delete(answer)}
      @branch=${(event: CustomEvent<Message>) => this.#do(() => this.#chat.showBranch(event.detail))}
      @block=${(event: CustomEvent<string>) => this.#announce(event.detail)}
      @ended=${(event: CustomEvent<string>) => this.#announce(event.detail)}
    ></answer-message>`;
  }

  /** Sends the question of an answer to another model; see `askAgain`. The event is refused while an answer runs. */
  #askWith(answer: Answer, event: CustomEvent<string>): void {
    const { path, answering } = this.#chat;
    if (answering) return event.preventDefault();
    void this.#begin(async () => (await chatCommands()).askAgain(this.#chat, path, answer, event.detail));
  }

  /** Resolves to whether the question is stored, in the chat or in its queue. */
  #ask(asked: AskedQuestion): Promise<boolean> {
    return this.#chat.answering
      ? this.#actions.run(() => this.#queue(asked))
      : this.#begin(() => this.#chat.ask(asked, () => this.#model.id));
  }

  async #queue(asked: AskedQuestion): Promise<void> {
    const { id, isTemporary } = this.#chat;
    await (await chatCommands()).queueQuestion({ id, isTemporary }, asked);
  }

  /**
   * Asks an edited question. If the question cannot be stored, its text stays the draft of the next edit, or is put into
   * the field if the question is gone.
   */
  async #askEdited(question: Question, text: string): Promise<void> {
    try {
      await this.#chat.editQuestion(question, text, this.#model.id);
    } catch (error) {
      if (error instanceof DeletedChat) await this.#composer?.restore({ ...question, text });
      throw error;
    }
    if (!this.#chat.isTemporary) drafts.tell((keeper) => keeper.discard(question.id));
  }

  #delete(message: Message): void {
    this.#do(async () => (await chatCommands()).deleteIfConfirmed(this.#chat, message));
  }

  async #openSettings(section: 'tools' | null, filledWith: PresetSettings | null = null): Promise<void> {
    const { openSettings } = await loadPart(import('./settings/settings-dialog.ts'));
    openSettings({
      settings: this.#chat.settings,
      model: this.#model.listed,
      section,
      filledWith,
      save: (changes) => this.#chat.changeSettings(changes),
    });
  }

  #makeRoom(): void {
    this.renderRoot.querySelector('context-meter')?.makeRoom();
  }

  #continue(answer: Answer): void {
    this.#chat.continue(answer);
    this.#focusComposer();
  }

  /**
   * Starts an answer and scrolls to it. Screen readers announce the start or the error.
   * @param isPressed Whether the user has just asked for it. Default: true.
   * @returns Whether the question and the empty answer could be stored. If not, no request is sent.
   */
  #begin(ask: () => Promise<void>, isPressed = true): Promise<boolean> {
    this.announced = [conversationStrings.answering];
    this.#lastAsked = Date.now();
    this.#end.goToEnd();
    // The pressed button disappears, so the focus moves to the composer.
    if (isPressed) this.#focusComposer();
    return this.#actions.run(ask);
  }

  #announce(words: string): void {
    this.announced = [...this.announced, words];
  }
}
customElements.define('conversation-view', ConversationView);
