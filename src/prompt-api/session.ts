import type { EndpointModel } from './endpoint-model.ts';
import { estimateTokens, leastTokens } from './estimate-tokens.ts';
import type { Prompt, PromptContentType, PromptOptions, SamplingMode } from './language-model-options.ts';
import { isQuotaExceeded, quotaExceeded, windowExceeded } from './quota-exceeded.ts';
import { allMessages, readPrompt, type ChatMessage, type ReadPrompt } from './read-prompt.ts';
import { readConstraint } from './read-sampling.ts';
import type { SessionTools, ToolCall } from './read-tools.ts';

/** Limit of the rounds of tool calls in one answer, because a small model may repeat the same call forever. */
const MAX_ROUNDS = 10;

/** What a prompt without messages asks. */
const EMPTY_QUESTION: ChatMessage = { role: 'user', content: '' };

export interface SessionState {
  readonly endpoint: EndpointModel;
  readonly contextWindow: number;
  readonly types: readonly PromptContentType[];
  /** Fields of every chat completion of the session. */
  readonly sampling: object;
  readonly samplingMode: SamplingMode;
  readonly tools: SessionTools;
  /** Messages that are never dropped. */
  readonly initial: readonly ChatMessage[];
  /** Prompts and their answers, oldest first. The oldest are dropped when the context window is full. */
  readonly turns: readonly (readonly ChatMessage[])[];
  /** Tokens of all messages in the session. Those that the endpoint has neither counted nor reported are estimated. */
  readonly usage: number;
}

/** A session with a model, in the shape of the browser's `LanguageModel`. */
export class Session extends EventTarget {
  oncontextoverflow: ((event: Event) => void) | null = null;
  onquotaoverflow: ((event: Event) => void) | null = null;
  #state: SessionState;
  readonly #destroyed = new AbortController();
  /** Settles when the operation that was called last has ended. Operations run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(state: SessionState) {
    super();
    this.#state = state;
  }

  get contextUsage(): number {
    return this.#state.usage;
  }

  get contextWindow(): number {
    return this.#state.contextWindow;
  }

  /** The former name of {@link contextUsage}. */
  get inputUsage(): number {
    return this.contextUsage;
  }

  /** The former name of {@link contextWindow}. */
  get inputQuota(): number {
    return this.contextWindow;
  }

  get samplingMode(): SamplingMode {
    return this.#state.samplingMode;
  }

  /** Resolves with the whole answer. */
  async prompt(input: Prompt, options: PromptOptions = {}): Promise<string> {
    let text = '';
    await this.#run(options.signal, (signal) => this.#generate(input, options, signal, (piece) => (text += piece)));
    return text;
  }

  /**
   * Streams the answer. Cancelling the stream ends the generation.
   * @throws the signal's reason if it has aborted.
   */
  promptStreaming(input: Prompt, options: PromptOptions = {}): ReadableStream<string> {
    this.#signalOf(options.signal).throwIfAborted();
    const cancelled = new AbortController();
    const signals = [cancelled.signal, ...(options.signal ? [options.signal] : [])];
    return new ReadableStream<string>({
      start: (controller) => {
        const ended = this.#run(AbortSignal.any(signals), (signal) =>
          this.#generate(input, options, signal, (piece) => controller.enqueue(piece)),
        );
        ended.then(
          () => controller.close(),
          (thrown: unknown) => controller.error(thrown),
        );
      },
      cancel: (reason) => cancelled.abort(reason),
    });
  }

  /** Adds messages to the session without generating an answer. */
  async append(input: Prompt, options: Pick<PromptOptions, 'signal'> = {}): Promise<void> {
    await this.#run(options.signal, async (signal) => {
      const messages = allMessages(await this.#read(input));
      if (messages.length === 0) return;
      await this.#makeRoom(messages, signal);
      await this.#keep(messages, null, signal);
    });
  }

  /**
   * Counts the tokens that a prompt would add, or estimates them if the endpoint does not show the model's tokens: one
   * for four bytes of text. Images are not counted.
   */
  async measureContextUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    readConstraint(options);
    const signal = this.#signalOf(options.signal);
    signal.throwIfAborted();
    const messages = allMessages(await readPrompt(input, this.#state.types, false));
    const conversation = { messages, tools: [] };
    const counted = await untilAborted(this.#state.endpoint.countTokens(conversation, false, signal), signal);
    return counted ?? estimateTokens(conversation);
  }

  /** The former name of {@link measureContextUsage}. */
  measureInputUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  /** Creates an independent session with the same messages. A prompt that is still being answered is not copied. */
  async clone({ signal }: Pick<PromptOptions, 'signal'> = {}): Promise<this> {
    const state = this.#state;
    const aborted = this.#signalOf(signal);
    aborted.throwIfAborted();
    // Lets the caller abort right after the call, as the browser's own does.
    await Promise.resolve();
    aborted.throwIfAborted();
    return new (this.constructor as new (state: SessionState) => this)(state);
  }

  /** Ends all running and future operations with an error. */
  destroy(): void {
    this.destroyWith(new DOMException('The session has been destroyed.', 'InvalidStateError'));
  }

  /** Like {@link destroy}, with another reason. */
  destroyWith(reason: unknown): void {
    this.#destroyed.abort(reason);
  }

  #signalOf(signal: AbortSignal | undefined): AbortSignal {
    const { signal: destroyed } = this.#destroyed;
    return signal === undefined ? destroyed : AbortSignal.any([destroyed, signal]);
  }

  #run<Result>(given: AbortSignal | undefined, operation: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const signal = this.#signalOf(given);
    const result = this.#queue.then(() => {
      signal.throwIfAborted();
      return operation(signal);
    });
    this.#queue = result.catch(() => undefined);
    return untilAborted(result, signal);
  }

  #read(input: Prompt): Promise<ReadPrompt> {
    const { types, initial, turns } = this.#state;
    return readPrompt(input, types, initial.length + turns.length > 0);
  }

  /** Whether a prompt without messages asks an empty question. A prefix may answer an appended message of the user. */
  #needsQuestion(prefix: string | null): boolean {
    const { initial, turns } = this.#state;
    return prefix === null || [...initial, ...turns.flat()].at(-1)?.role !== 'user';
  }

  async #generate(
    input: Prompt,
    options: PromptOptions,
    signal: AbortSignal,
    onPiece: (piece: string) => void,
  ): Promise<void> {
    const { sampling, tools } = this.#state;
    const fields = { ...sampling, ...readConstraint(options) };
    const { messages, prefix } = await this.#read(input);
    const turn: ChatMessage[] = messages.length === 0 && this.#needsQuestion(prefix) ? [EMPTY_QUESTION] : [...messages];
    for (let round = 0; ; round++) {
      // After a tool call the model begins another answer.
      const begun = round === 0 ? prefix : null;
      const { content, calls, usage } = await this.#answer(turn, begun, fields, signal, onPiece);
      if (calls.length === 0) return this.#keep([...turn, { role: 'assistant', content }], usage, signal);
      if (round === MAX_ROUNDS)
        throw new DOMException(`The model called tools ${MAX_ROUNDS} times without an answer.`, 'OperationError');
      const called = Promise.all(calls.map(async (call) => toolMessage(call, await tools.run(call))));
      // A tool may never end. The session goes on after the abort.
      const results = await untilAborted(called, signal);
      signal.throwIfAborted();
      turn.push({ role: 'assistant', content, tool_calls: calls }, ...results);
    }
  }

  /**
   * Generates one answer. Drops the oldest turns until the conversation fits into the context window.
   * @throws QuotaExceededError if it does not fit even without any turn.
   */
  async #answer(
    turn: readonly ChatMessage[],
    prefix: string | null,
    fields: object,
    signal: AbortSignal,
    onPiece: (piece: string) => void,
  ): Promise<Answer> {
    await this.#makeRoom(turn, signal);
    const { initial, tools, endpoint, contextWindow } = this.#state;
    for (let { turns } = this.#state; ; turns = turns.slice(1)) {
      const conversation = { messages: [...initial, ...turns.flat(), ...turn], tools: tools.described };
      const pieces = endpoint.generate(conversation, prefix, fields, signal);
      let answer: Answer = { content: prefix ?? '', calls: [], usage: null };
      let isAccepted = false;
      try {
        for await (const { text, calls = answer.calls, usage = answer.usage } of pieces) {
          isAccepted = true;
          this.#keepOnly(turns);
          answer = { content: answer.content + text, calls, usage };
          if (text !== '') onPiece(text);
        }
        this.#keepOnly(turns);
        return answer;
      } catch (thrown) {
        // The endpoint counts also what makeRoom() cannot: images, and the tokens that it does not show.
        if (signal.aborted || isAccepted || !isQuotaExceeded(thrown)) throw thrown;
        if (turns.length === 0)
          throw quotaExceeded(thrown.message, Math.max(estimateTokens(conversation), contextWindow), contextWindow);
      }
    }
  }

  /**
   * Drops the oldest turns until the context window has room for further messages. If tokens cannot be counted, it
   * drops only as many as surely do not fit.
   * @throws QuotaExceededError if the messages do not fit even without any turn.
   */
  async #makeRoom(messages: readonly ChatMessage[], signal: AbortSignal): Promise<void> {
    const { contextWindow, initial } = this.#state;
    let { turns } = this.#state;
    for (;;) {
      const needed = await this.#countLeast([...initial, ...turns.flat(), ...messages], true, signal);
      if (needed < contextWindow) break;
      if (turns.length === 0) {
        const requested = await this.#countLeast([...initial, ...messages], false, signal);
        // The messages alone may fit where the beginning of the answer does not. The error must not state less than its
        // quota, which QuotaExceededError refuses.
        throw windowExceeded(Math.max(requested, contextWindow), contextWindow);
      }
      turns = turns.slice(1);
    }
    this.#keepOnly(turns);
  }

  /** Drops all turns but the given ones, which must be the newest, and fires `contextoverflow` if it drops any. */
  #keepOnly(turns: SessionState['turns']): void {
    const { turns: all, usage } = this.#state;
    const dropped = all.slice(0, all.length - turns.length);
    if (dropped.length === 0) return;
    const estimate = estimateTokens({ messages: dropped.flat(), tools: [] });
    this.#state = { ...this.#state, turns, usage: Math.max(0, usage - estimate) };
    for (const name of ['contextoverflow', 'quotaoverflow'] as const) {
      const event = new Event(name);
      this.dispatchEvent(event);
      this[`on${name}`]?.(event);
    }
  }

  /** @param reported Tokens of the session together with the turn, as the endpoint reported them; null if it did not. */
  async #keep(turn: readonly ChatMessage[], reported: number | null, signal: AbortSignal): Promise<void> {
    const { initial, contextWindow, tools, endpoint, usage: before } = this.#state;
    const turns = [...this.#state.turns, turn];
    const all = { messages: [...initial, ...turns.flat()], tools: tools.described };
    // A finished answer is not lost because the service worker, or the engine, has just no time to count it.
    const counted = await endpoint.countTokens(all, false, signal).catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      return null;
    });
    const added = { messages: turn, tools: before === 0 ? tools.described : [] };
    const usage = counted ?? reported ?? Math.min(contextWindow, before + estimateTokens(added));
    this.#state = { ...this.#state, turns, usage };
  }

  /** Counts the tokens of messages; if the endpoint does not show them, returns the fewest that they can have. */
  async #countLeast(messages: readonly ChatMessage[], reply: boolean, signal: AbortSignal): Promise<number> {
    const { endpoint, tools } = this.#state;
    const conversation = { messages, tools: tools.described };
    return (await endpoint.countTokens(conversation, reply, signal)) ?? leastTokens(conversation);
  }
}

interface Answer {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** Tokens of the prompt and the answer together; null if the endpoint did not report them. */
  readonly usage: number | null;
}

function toolMessage({ id }: ToolCall, content: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content };
}

/** Resolves to the result of a promise, or rejects with the signal's reason as soon as it aborts. */
export function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
