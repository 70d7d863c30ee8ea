import { siteLocks } from '../../shared/locks/site-locks.ts';
import { answerLockName, type Answer, type Message } from '../types/conversation.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { loadPart } from '../browser/load-part.ts';
import { resumeAfterReload } from './resume-after-reload.ts';
import { RunningAnswer } from './running-answer.ts';
import { UnsavedAnswers } from './unsaved-answers.ts';

/** Milliseconds between two saves of a growing answer. A crash of the tab loses at most the text of this time. */
const SAVE_INTERVAL = 400;

/**
 * Runs the answers that this tab generates, even while another screen is shown, and saves each one while it grows.
 * @fires change - an answer started, ended or was saved late, or a runner made by {@link forStore} ended.
 */
export class AnswerRunner extends EventTarget {
  readonly #store: ConversationStore;
  readonly #searched: ConversationStore;
  readonly #running = new Map<string, RunningAnswer>();
  readonly #unsaved: UnsavedAnswers;
  /** Tells the other tabs the id of a conversation whose answers they must stop. */
  readonly #stops = new BroadcastChannel('tabserve-chat-stops');
  readonly #endpointReady: () => Promise<void>;
  readonly #ask: typeof fetch | undefined;
  /**
   * Ids of the answers whose tab, this one or another, was reloaded or closed by the user. After a crash they are not
   * known, because an answer may have caused the crash.
   */
  readonly #left: Set<string>;
  /** Tells the other tabs the ids of the answers that this tab generates when it is left. */
  readonly #leaving = new BroadcastChannel('tabserve-chat-leaving');
  readonly #others = new Set<AnswerRunner>();
  readonly #life = new AbortController();

  /**
   * Creates a runner that saves its answers in `store`.
   * @param endpointReady Awaited before each request; an answer fails with the error it rejects with. Called for each
   * answer, because the endpoint may have recovered.
   * @param ask Replaces the global `fetch`.
   * @param searched The chats that a tool may search. Default: those of `store`.
   * @param beforeReload Ids of the answers that this tab generated when it was reloaded. If the engine has lost one, it is
   * generated again. Default: none.
   */
  constructor(
    store: ConversationStore,
    endpointReady: () => Promise<void>,
    ask?: typeof fetch,
    searched: ConversationStore = store,
    beforeReload: ReadonlySet<string> = new Set(),
  ) {
    super();
    this.#left = new Set(beforeReload);
    this.#searched = searched;
    this.#ask = ask;
    this.#store = store;
    this.#unsaved = new UnsavedAnswers(store);
    this.#endpointReady = endpointReady;
    this.#stops.addEventListener('message', ({ data }: MessageEvent<string>) => this.#stop(data));
    const saveAll = (): void => {
      for (const running of this.#running.values()) void this.#save(running);
      if (this.#running.size > 0) this.#leaving.postMessage(this.ids);
    };
    this.#leaving.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
      for (const id of data) this.#left.add(id);
    });
    addEventListener('pagehide', saveAll, { signal: this.#life.signal });
  }

  /**
   * Creates a runner for chats that exist in memory only. Both runners wait for the same endpoint, and their tools
   * search the same stored chats.
   * @param ask Replaces the global `fetch`.
   */
  forStore(store: ConversationStore, ask: typeof fetch): AnswerRunner {
    const other = new AnswerRunner(store, this.#endpointReady, ask, this.#searched);
    this.#others.add(other);
    other.#life.signal.addEventListener('abort', () => {
      this.#others.delete(other);
      this.dispatchEvent(new Event('change'));
    });
    return other;
  }

  /** Stops this runner's answers. The runner cannot be used afterwards. */
  end(): void {
    for (const running of this.#running.values()) running.stop();
    this.#stops.close();
    this.#leaving.close();
    this.#life.abort();
  }

  /**
   * False while a reload would lose something: a running answer, one that could not be saved, or a chat that exists in
   * memory only.
   */
  get survivesReload(): boolean {
    const isKept = !this.#store.keepsNothing && this.#others.size === 0;
    return isKept && this.#running.size === 0 && this.#unsaved.size === 0;
  }

  /** Returns the answer with this id if it has ended but could not be saved; otherwise undefined. */
  unsaved(id: string): Answer | undefined {
    return this.#unsaved.get(id);
  }

  /** Whether an answer of this conversation has ended but could not be saved. */
  hasUnsavedIn(conversation: string): boolean {
    return this.#unsaved.hasAnswerOf(conversation);
  }

  /** Returns the answer with this id if this tab generates it; otherwise undefined. */
  get(id: string): RunningAnswer | undefined {
    return this.#running.get(id);
  }

  /** Ids of the answers that this tab generates, without those of temporary chats. */
  get ids(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Ids of the conversations in which this tab generates an answer. */
  get conversations(): readonly string[] {
    return [...this.#running.values()].map(({ answer }) => answer.conversation);
  }

  runningIn(conversation: string): RunningAnswer | undefined {
    return [...this.#running.values()].find(({ answer }) => answer.conversation === conversation);
  }

  /**
   * Starts an answer.
   * @param path The messages before it.
   * @param stored Settles when the empty answer is in the store. If this promise rejects, no request is sent.
   */
  begin(answer: Answer, path: readonly Message[], stored: Promise<void> = Promise.resolve()): void {
    this.#generate(answer, path, () => stored);
  }

  #generate(answer: Answer, path: readonly Message[], stored: () => Promise<void>): void {
    this.#run(answer, stored, (running) =>
      running.write(async () => {
        const { answerRequest } = await loadPart(import('../api/answer-request.ts'));
        const sent = await running.lookUp(path);
        return sent && answerRequest(answer.model, sent, answer.settings, answer.seed);
      }),
    );
  }

  /**
   * Continues an answer that was cut off.
   * @param path The messages before it.
   */
  continue(answer: Answer, path: readonly Message[]): void {
    const isUnsaved = this.#unsaved.get(answer.id) !== undefined;
    const claim = () => (isUnsaved ? Promise.resolve() : this.#claim(answer));
    // An answer without text begins anew.
    if (answer.text === '') return this.#generate({ ...answer, thinking: '', rounds: undefined }, path, claim);
    this.#run(answer, claim, (running) =>
      running.continue(async () => {
        const { replayRequest } = await loadPart(import('./continue-answer.ts'));
        return replayRequest(answer, path);
      }),
    );
  }

  /**
   * Stores that an answer is generated further, so that no other tab offers to continue it. Call it with the answer's lock.
   * @throws Error if another tab has changed the answer since this one showed it.
   */
  async #claim(answer: Answer): Promise<void> {
    const messages = await this.#store.messages(answer.conversation).catch(() => []);
    const stored = messages.find(({ id }) => id === answer.id);
    if (stored?.role === 'assistant' && (stored.text !== answer.text || stored.state !== answer.state))
      throw new Error('Another tab has changed this answer.');
    await this.#store.rewriteAnswer({ ...answer, state: 'running' }).catch(() => {});
  }

  /** Stops the answers of a conversation in all tabs. */
  stopConversation(conversation: string): void {
    this.#stop(conversation);
    if (!this.#life.signal.aborted) this.#stops.postMessage(conversation);
  }

  #stop(conversation: string): void {
    for (const running of this.#running.values()) {
      if (running.answer.conversation === conversation) running.stop();
    }
  }

  /**
   * Resumes answers that are stored as `running` but that no open tab generates; see {@link resumeAfterReload}.
   * @returns A function that stops watching for them.
   */
  watchOrphans(answers: readonly Answer[]): () => void {
    const orphans = answers.filter(({ id }) => !this.#running.has(id) && this.#unsaved.get(id) === undefined);
    return resumeAfterReload(orphans, this.#store, (answer, stream) =>
      this.#write(this.#enlist(answer), Promise.resolve(), (running) =>
        stream === null ? running.interrupt() : running.resume(stream, () => this.#left.has(answer.id)),
      ),
    );
  }

  #run(answer: Answer, stored: () => Promise<void>, write: (running: RunningAnswer) => Promise<void>): void {
    // Else this tab would hold the lock that it asks for.
    this.#unsaved.forget(answer.id);
    const running = this.#enlist(answer);
    void siteLocks().request(answerLockName(answer.id), () => this.#write(running, stored(), write));
  }

  #enlist(answer: Answer): RunningAnswer {
    const running = new RunningAnswer(answer, this.#endpointReady, this.#ask, this.#searched);
    this.#running.set(answer.id, running);
    this.dispatchEvent(new Event('change'));
    return running;
  }

  /** Generates an answer and saves it until it ends. The caller must hold the answer's Web Lock. */
  async #write(
    running: RunningAnswer,
    stored: Promise<void>,
    write: (running: RunningAnswer) => Promise<void>,
  ): Promise<void> {
    const isStored = await stored.then(
      () => true,
      () => false,
    );
    const isSaved = !isStored || (await this.#writeAndSave(running, write));
    const { answer } = running;
    if (!isSaved) this.#unsaved.add(answer);
    this.#running.delete(answer.id);
    this.dispatchEvent(new Event('change'));
    if (isSaved) return;
    // The lock is held meanwhile: another tab would take the answer for one that nobody generates.
    await this.#unsaved.save(answer, Date.now(), this.#life.signal);
    this.dispatchEvent(new Event('change'));
  }

  /**
   * Generates an answer and saves it while it grows and at its end.
   * @returns Whether the last save succeeded.
   */
  async #writeAndSave(running: RunningAnswer, write: (running: RunningAnswer) => Promise<void>): Promise<boolean> {
    const saveFirstWords = (): void => {
      if (running.answer.text === '') return;
      running.removeEventListener('change', saveFirstWords);
      void this.#save(running);
    };
    running.addEventListener('change', saveFirstWords);
    // Saves only if the answer has changed: not during prefill, and not while a tool call awaits consent.
    let saved = running.answer;
    let looked = performance.now();
    const saveGrown = (): void => {
      looked = performance.now();
      if (running.answer !== saved) void this.#save(running);
      saved = running.answer;
    };
    // The timers of a hidden tab may fire once a minute, while its stream goes on.
    running.addEventListener('change', () => performance.now() - looked > 2 * SAVE_INTERVAL && saveGrown());
    const saving = setInterval(saveGrown, SAVE_INTERVAL);
    await write(running);
    clearInterval(saving);
    return this.#save(running, { updated: Date.now() });
  }

  /**
   * Saves an answer. A failed write (disk full) does not end the answer, which is still on the screen.
   * @param end Given with the last save, whose failure is reported.
   * @returns Whether it succeeded.
   */
  async #save({ answer }: RunningAnswer, end?: { readonly updated: number }): Promise<boolean> {
    try {
      await this.#store.rewriteAnswer(answer, end);
      return true;
    } catch (error) {
      if (end !== undefined) console.error('The answer could not be stored.', error);
      return false;
    }
  }
}
