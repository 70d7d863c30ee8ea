import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import type { UsableModelsController } from '../common/usable-models-controller.ts';
import { conversationAddress } from '../common/route.ts';
import { loadInBackground } from '../browser/load-part.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import {
  DEFAULT_SETTINGS,
  emptyAnswer,
  newQuestion,
  sentMessages,
  titleOf,
  type Answer,
  type AskedQuestion,
  type Conversation,
  type ConversationSettings,
  type Message,
  type Question,
} from '../types/conversation.ts';
import { instructionsForAllChats } from '../storage/all-chats-settings.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { newChatSettings } from '../storage/local-storage-values.ts';
import { nextChat } from '../storage/next-chat.ts';
import { MessageTree } from '../storage/message-tree.ts';
import { appStrings } from '../strings/app-strings.ts';
import { conversationStrings } from '../strings/conversation-strings.ts';
import { NewChatSettings } from './new-chat-settings.ts';

/** The chat of a question was deleted, by another tab or with the site's data, before the question could be stored. */
export class DeletedChat extends Error {
  override readonly message = conversationStrings.deleted;
}

/**
 * The conversation on the screen and all actions on it. Its answers run in the {@link AnswerRunner}, so they continue
 * when the user leaves the screen.
 */
export class ConversationController implements ReactiveController {
  /** Null for a new conversation, and if the conversation was not found. */
  conversation: Conversation | null = null;
  tree = new MessageTree([]);
  /** The messages of the current branch. */
  path: readonly Message[] = [];
  state: 'opening' | 'open' | 'missing' | 'unreadable' = 'opening';
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #messagesFor: UsableModelsController['messagesFor'];
  readonly #getStore: () => ConversationStore;
  readonly #getAnswers: () => AnswerRunner;
  #id: string | null = null;
  #newSettings: ConversationSettings = DEFAULT_SETTINGS;
  /** Answers that are `running` in the store, in this tab or another. */
  #unfinished: readonly Answer[] = [];
  #reads = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Changed settings of the conversation that are still being stored; null if there are none. */
  #unstored: Partial<ConversationSettings> | null = null;
  #unsubscribe: () => void = () => {};
  #unwatch: () => void = () => {};

  /**
   * Adds this controller to `host`.
   * @param messagesFor Returns the messages as a model receives them.
   */
  constructor(host: ReactiveControllerHost & HTMLElement, messagesFor: UsableModelsController['messagesFor']) {
    this.#host = host;
    this.#messagesFor = messagesFor;
    this.#getStore = fromContext(host, storeContext);
    this.#getAnswers = fromContext(host, answersContext);
    host.addController(this);
  }

  get #store(): ConversationStore {
    return this.#getStore();
  }

  get #answers(): AnswerRunner {
    return this.#getAnswers();
  }

  hostConnected(): void {
    this.#unsubscribe = this.#store.subscribe(({ conversation }) => {
      if (conversation === this.#id || conversation === '') void this.#read();
    });
    this.#answers.addEventListener('change', this.#answersChanged);
    this.#ofNewChat.addEventListener('change', this.#recalled);
    void this.#read();
  }

  hostDisconnected(): void {
    this.#unsubscribe();
    this.#unwatch();
    this.#answers.removeEventListener('change', this.#answersChanged);
    this.#ofNewChat.removeEventListener('change', this.#recalled);
  }

  /**
   * Shows another conversation; null shows a new one.
   * @returns False if the conversation is on the screen already, also if it was new there and its first question has
   * just given it the id.
   */
  open(id: string | null): boolean {
    if (id === this.#id && this.state !== 'opening') return false;
    this.#id = id;
    this.#ofNewChat.recall();
    if (id === null && nextChat.documents !== undefined) {
      // What could not be stored holds until this page is closed.
      this.#ofNewChat.change({ documents: nextChat.documents }).catch(() => {});
      nextChat.documents = undefined;
    }
    this.#newSettings = id === null ? this.#ofNewChat.current : newChatSettings();
    this.#unstored = null;
    this.#show(null, []);
    this.state = id === null ? 'open' : 'opening';
    void this.#read();
    return true;
  }

  /** Whether nothing of this chat may be stored, including drafts and the chosen model. */
  get isTemporary(): boolean {
    return this.#store.isTemporary;
  }

  /** Id of the conversation; null for a new one until its first question is asked. */
  get id(): string | null {
    return this.#id;
  }

  get settings(): ConversationSettings {
    return this.conversation?.settings ?? this.#newSettings;
  }

  /** True while this tab or another one generates an answer of this conversation. */
  get answering(): boolean {
    return this.#unfinished.length > 0 || (this.#id !== null && this.#answers.runningIn(this.#id) !== undefined);
  }

  /** Whether an answer of this conversation has ended but could not be stored. */
  get hasUnsavedAnswer(): boolean {
    return this.#id !== null && this.#answers.hasUnsavedIn(this.#id);
  }

  async changeSettings(changes: Partial<ConversationSettings>): Promise<void> {
    const id = this.#id;
    // Applies at once: a question that is asked before the change is stored must not go to the model chosen before.
    if (this.conversation !== null) this.conversation = changed(this.conversation, changes);
    else this.#newSettings = { ...this.#newSettings, ...changes };
    this.#update();
    // A chat that is being read, or whose first question is being stored, is no new one.
    const isStored = this.conversation !== null || this.state === 'open' || this.state === 'opening';
    if (id === null || !isStored) return this.#ofNewChat.change(changes);
    const unstored = (this.#unstored = { ...this.#unstored, ...changes });
    try {
      await this.#store.update(id, (stored) => changed(stored, unstored));
    } catch (error) {
      // Shows the stored settings again.
      void this.#read();
      throw error;
    } finally {
      if (this.#unstored === unstored) this.#unstored = null;
    }
  }

  /**
   * Asks a question at the end of the current branch, once the chat and its settings are read. The first question creates
   * the conversation.
   * @param modelOf Returns the model. Called when the settings are read.
   * @throws Error without words while an answer runs, so that nobody takes the question for a stored one; if the chat cannot
   * be read, and if another one is opened meanwhile: the person sees each of these. Otherwise as {@link notStored}.
   */
  async ask(asked: AskedQuestion, modelOf: () => string): Promise<void> {
    const chat = this.#id;
    const ofChat = this.state === 'opening' ? this.#reading : null;
    const reading = chat === null ? this.#ofNewChat.reading : ofChat;
    // Not awaited without need: at once, a second click finds that an answer runs.
    if (reading !== null) await reading;
    if (this.answering || this.#id !== chat || this.state === 'unreadable') throw new Error('');
    const model = modelOf();
    const now = Date.now();
    // A temporary chat gets no title from its question, because the browser's history stores page titles.
    const title = this.#store.isTemporary ? appStrings.temporary : titleOf(asked);
    const conversation = this.conversation ?? this.#create(title, now);
    const { id } = this.path.at(-1) ?? { id: null };
    const question = newQuestion({ ...asked, conversation: conversation.id, parent: id, created: now });
    await this.#answer(conversation, [...this.path, question], model, [question]);
  }

  /** Asks an edited question as a new branch. */
  async editQuestion(question: Question, text: string, model: string): Promise<void> {
    if (this.conversation === null) return;
    const branch: Question = { ...question, id: crypto.randomUUID(), created: Date.now(), text };
    await this.#answer(this.conversation, [...this.#before(question), branch], model, [branch]);
  }

  /**
   * Requests another answer to the same question, as a new branch. Ignored while an answer runs.
   * @param beside The answer with which `answer` is compared; if given, the model of `answer` answers again. Default:
   * no comparison.
   */
  async regenerate(answer: Answer, model: string, beside: Answer | null = null): Promise<void> {
    if (beside !== null) return this.askAnother(beside, answer.settings.model ?? model);
    if (this.conversation !== null && !this.answering)
      await this.#answer(this.conversation, this.#before(answer), model, []);
  }

  /** Requests an answer of another model for comparison. The chat continues with its present answer and model. */
  async askAnother(answer: Answer, model: string): Promise<void> {
    if (this.conversation === null || this.answering) return;
    const { id, settings } = this.conversation;
    const created = Date.now();
    const asked = { ...settings, model, instructions: instructionsForAllChats() };
    const empty = emptyAnswer({ conversation: id, parent: answer.parent, created, model, settings: asked });
    const other = { ...empty, beside: answer.id };
    const stored = this.#write(id, [other], { updated: created });
    this.#answers.begin(other, this.#sent(model, this.#before(answer)), stored);
    await stored.catch(notStored);
  }

  continue(answer: Answer): void {
    this.#answers.continue(answer, this.#sent(answer.model, this.#before(answer)));
  }

  stop(): void {
    if (this.#id !== null) this.#answers.stopConversation(this.#id);
  }

  async showBranch(message: Message): Promise<void> {
    const leaf = this.tree.newestLeaf(message.id);
    if (this.conversation === null || leaf === undefined) return;
    this.path = this.tree.path(leaf.id);
    this.#update();
    await this.#store.update(this.conversation.id, { leaf: leaf.id });
  }

  /**
   * Deletes a message and all that follow it. If it is in the current branch, then shows a sibling's branch or the messages
   * before it.
   */
  async deleteMessage(message: Message): Promise<void> {
    if (this.conversation === null) return;
    const ids = this.tree.idsBelow(message.id);
    const chat = this.conversation.id;
    const end = this.path.at(-1)?.id ?? message.id;
    const leaf = ids.includes(end) ? this.tree.leafWithout(message) : end;
    if (this.#unfinished.some(({ id }) => ids.includes(id))) this.stop();
    const remove = () => this.#store.write(chat, [], { leaf }, ids);
    await (this.isTemporary ? remove() : drafts.keep((keeper) => keeper.deleteWith(ids, remove)));
  }

  get #ofNewChat(): NewChatSettings {
    return NewChatSettings.of(this.#store);
  }

  /** Shows the settings that a new chat had before the page was loaded. */
  readonly #recalled = (): void => {
    if (this.#id !== null) return;
    this.#newSettings = this.#ofNewChat.current;
    this.#update();
  };

  #create(title: string, created: number): Conversation {
    const settings = this.#newSettings;
    return { id: crypto.randomUUID(), title, pinned: false, created, updated: created, leaf: null, settings };
  }

  /** Returns the messages of a path as a model receives them. */
  #sent(model: string, path: readonly Message[]): readonly Message[] {
    return this.#messagesFor(model, sentMessages(path, this.conversation?.sentFrom));
  }

  /** Sends all messages to the model again. */
  async sendAll(): Promise<void> {
    if (this.conversation !== null) await this.#store.update(this.conversation.id, { sentFrom: undefined });
  }

  #before(message: Message): readonly Message[] {
    return this.tree.get(message.parent ?? '') ? this.tree.path(message.parent) : [];
  }

  /** Stores `added` and an empty answer after `path`, shows both, and starts the answer. */
  async #answer(
    conversation: Conversation,
    path: readonly Message[],
    model: string,
    added: readonly Message[],
  ): Promise<void> {
    const settings = { ...conversation.settings, model };
    const now = Date.now();
    const parent = path.at(-1)?.id ?? null;
    const asked = { ...settings, instructions: instructionsForAllChats() };
    const answer = emptyAnswer({ conversation: conversation.id, parent, created: now + 1, model, settings: asked });
    const isNew = this.conversation === null;
    const forgetTaken = this.#ofNewChat.taken();
    if (isNew) this.#newSettings = settings;
    this.#id = conversation.id;
    const stored = isNew
      ? this.#store.add({ ...conversation, settings, updated: now, leaf: answer.id }, [...added, answer])
      : this.#write(conversation.id, [...added, answer], { settings, updated: now, leaf: answer.id });
    // Called before the first await. Otherwise this tab would find the stored answer and resume it as if another tab
    // had abandoned it.
    this.#answers.begin(answer, this.#sent(model, path), stored);
    try {
      await stored;
    } catch (error) {
      if (isNew && this.#id === conversation.id) this.#id = null;
      if (error instanceof DeletedChat) void this.#read();
      notStored(error);
    }
    if (isNew) forgetTaken();
    // The address is not changed if the user has opened another conversation or screen in the meantime.
    if (!isNew || this.#id !== conversation.id || this.#store.isTemporary || !this.#host.isConnected) return;
    history.replaceState(null, '', conversationAddress(conversation.id));
    dispatchEvent(new HashChangeEvent('hashchange'));
  }

  async #write(...written: Parameters<ConversationStore['write']>): Promise<void> {
    if (!(await this.#store.write(...written))) throw new DeletedChat();
  }

  /** Reads the conversation again, which another tab may have changed. Settles when the newest reading is shown. */
  refresh(): Promise<void> {
    return this.#read();
  }

  #read(): Promise<void> {
    return (this.#reading = this.#readOnce());
  }

  async #readOnce(): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    const read = (this.#reads += 1);
    try {
      const [conversation, messages] = await Promise.all([this.#store.conversation(id), this.#store.messages(id)]);
      if (read !== this.#reads) return this.#reading;
      if (id !== this.#id) return;
      const absent = this.#store.keepsNothing ? 'unreadable' : 'missing';
      const state = conversation === undefined ? absent : 'open';
      if (state === 'missing' && this.state !== state && !this.isTemporary) this.#leave(id);
      this.state = state;
      this.#show(conversation ?? null, messages);
    } catch (error) {
      console.error(error);
      this.state = 'unreadable';
    }
    this.#update();
  }

  /** Moves to the new chat what is unsent in a chat that does not exist, where it is shown in place of that. */
  #leave(chat: string): void {
    const wasShown = this.conversation !== null;
    this.#newSettings = this.#ofNewChat.current;
    // Its text stays in memory meanwhile.
    drafts.tell((keeper) => keeper.show(chat));
    loadInBackground(
      import('../attachments/attachment-tray.ts').then(({ leaveMissingChat }) => leaveMissingChat(chat, wasShown)),
    );
  }

  #show(conversation: Conversation | null, stored: readonly Message[]): void {
    const messages = stored.map((message) => this.#answers.unsaved(message.id) ?? message);
    this.conversation = conversation && changed(conversation, this.#unstored);
    this.tree = new MessageTree(messages, this.tree);
    this.path = messages.length === 0 ? [] : this.tree.path(conversation?.leaf ?? null);
    this.#unfinished = messages.filter(
      (message): message is Answer => message.role === 'assistant' && message.state === 'running',
    );
    this.#unwatch();
    this.#unwatch = this.#answers.watchOrphans(this.#unfinished);
  }

  /** Reads the conversation again once none of its answers runs in this tab. */
  readonly #answersChanged = (): void => {
    this.#update();
    if (this.#id !== null && this.#answers.runningIn(this.#id) === undefined) void this.#read();
  };

  readonly #update = (): void => this.#host.requestUpdate();
}

/** @throws `cause` if the chat was deleted; otherwise Error with words for the person, that it could not be stored. */
function notStored(cause: unknown): never {
  throw cause instanceof DeletedChat ? cause : new Error(conversationStrings.notStored, { cause });
}

function changed(conversation: Conversation, changes: Partial<ConversationSettings> | null): Conversation {
  return changes === null ? conversation : { ...conversation, settings: { ...conversation.settings, ...changes } };
}
