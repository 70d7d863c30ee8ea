import { siteLocks } from '../../shared/locks/site-locks.ts';
import { answerLockName, type Answer, type Message } from '../types/conversation.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { answerRequest } from '../api/answer-request.ts';
import { goOnRequest, replayRequest } from './continue-answer.ts';
import { resumeAfterReload } from './resume-after-reload.ts';
import { RunningAnswer } from './running-answer.ts';

/** Milliseconds between two writes of a growing answer, after that of its first words: what a crash may cost. */
const SAVE_INTERVAL = 400;

/**
 * Runs the answers of this tab, whatever screen is shown, and writes them down while they grow.
 * @fires change - an answer has begun or ended, or a runner for another store has.
 */
export class AnswerRunner extends EventTarget {
  readonly #store: ConversationStore;
  readonly #searched: ConversationStore;
  readonly #running = new Map<string, RunningAnswer>();
  /** Carries the ids of conversations that tabs ask each other to stop. */
  readonly #stops = new BroadcastChannel('tabserve-chat-stops');
  readonly #endpointReady: () => Promise<void>;
  readonly #ask: typeof fetch | undefined;
  readonly #others = new Set<AnswerRunner>();
  readonly #life = new AbortController();

  /**
   * @param endpointReady Gives what each question waits for. Asked anew each time: an endpoint that could not be
   *   reached may have been tried again meanwhile. What it rejects with is why the answer has failed.
   * @param ask Asks in place of the global `fetch`.
   * @param searched The chats that a tool may search. Default: those of the store.
   */
  constructor(
    store: ConversationStore,
    endpointReady: () => Promise<void>,
    ask?: typeof fetch,
    searched: ConversationStore = store,
  ) {
    super();
    this.#searched = searched;
    this.#ask = ask;
    this.#store = store;
    this.#endpointReady = endpointReady;
    this.#stops.addEventListener('message', ({ data }: MessageEvent<string>) => this.#stop(data));
    const saveAll = (): void => {
      for (const running of this.#running.values()) void this.#save(running);
    };
    addEventListener('pagehide', saveAll, { signal: this.#life.signal });
  }

  /**
   * A runner for the chats of a store in memory, which waits for the same endpoint and searches the same chats. The page is loaded anew only after it has
   * been told to {@link end}. @param ask See the constructor.
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

  /** Stops its answers: nobody needs its chats any more. */
  end(): void {
    for (const running of this.#running.values()) running.stop();
    this.#stops.close();
    this.#life.abort();
  }

  /** Whether the page may be loaded anew without a loss: it writes no answer, and no chat of it lies in memory alone. */
  get survivesReload(): boolean {
    return this.#running.size === 0 && this.#others.size === 0;
  }

  /** The answer with this id while this tab writes it. */
  get(id: string): RunningAnswer | undefined {
    return this.#running.get(id);
  }

  /** Ids of the conversations that this tab writes an answer in. */
  get conversations(): readonly string[] {
    return [...this.#running.values()].map(({ answer }) => answer.conversation);
  }

  runningIn(conversation: string): RunningAnswer | undefined {
    return [...this.#running.values()].find(({ answer }) => answer.conversation === conversation);
  }

  /**
   * Begins an answer.
   * @param path The messages before it.
   * @param stored Settles when its empty form is in the store; nothing is asked if that fails.
   */
  begin(answer: Answer, path: readonly Message[], stored: Promise<void> = Promise.resolve()): void {
    this.#run(answer, stored, (running) =>
      running.write(() => answerRequest(answer.model, path, answer.settings, answer.seed)),
    );
  }

  /** Goes on with an answer that was cut. @param path The messages before it. */
  continue(answer: Answer, path: readonly Message[]): void {
    if (answer.text === '') return this.begin(answer, path);
    this.#run(answer, Promise.resolve(), (running) =>
      running.continue(
        () => replayRequest(answer, path),
        () => goOnRequest(answer, path),
      ),
    );
  }

  /** Stops every answer of a conversation, whichever tab writes it. */
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
   * Waits for the answers that the store calls running and that this tab does not write; see {@link resumeAfterReload}.
   * @returns A function that stops waiting.
   */
  watchOrphans(answers: readonly Answer[]): () => void {
    const orphans = answers.filter(({ id }) => !this.#running.has(id));
    return resumeAfterReload(orphans, this.#store, (answer, stream) =>
      this.#write(this.#enlist(answer), Promise.resolve(), (running) => running.resume(stream)),
    );
  }

  #run(answer: Answer, stored: Promise<void>, write: (running: RunningAnswer) => Promise<void>): void {
    const running = this.#enlist(answer);
    void siteLocks().request(answerLockName(answer.id), () => this.#write(running, stored, write));
  }

  #enlist(answer: Answer): RunningAnswer {
    const running = new RunningAnswer(answer, this.#endpointReady, this.#ask, this.#searched);
    this.#running.set(answer.id, running);
    this.dispatchEvent(new Event('change'));
    return running;
  }

  /** Call it with the lock of the answer. */
  async #write(
    running: RunningAnswer,
    stored: Promise<void>,
    write: (running: RunningAnswer) => Promise<void>,
  ): Promise<void> {
    const isStored = await stored.then(
      () => true,
      () => false,
    );
    if (isStored) {
      const saveFirstWords = (): void => {
        if (running.answer.text === '') return;
        running.removeEventListener('change', saveFirstWords);
        void this.#save(running);
      };
      running.addEventListener('change', saveFirstWords);
      // It may stand still for long: the model reads, or the person is asked.
      let saved = running.answer;
      const saving = setInterval(() => {
        if (running.answer !== saved) void this.#save(running);
        saved = running.answer;
      }, SAVE_INTERVAL);
      await write(running);
      clearInterval(saving);
      await this.#save(running, { updated: Date.now() });
    }
    this.#running.delete(running.answer.id);
    this.dispatchEvent(new Event('change'));
  }

  /** A write that fails (no room left) must not end the answer: it is still on the screen. */
  async #save({ answer }: RunningAnswer, end?: { readonly updated: number }): Promise<void> {
    await this.#store
      .rewriteAnswer(answer, end)
      .catch((error: unknown) => console.error('The answer could not be stored.', error));
  }
}
