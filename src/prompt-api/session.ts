import type { EndpointModel } from './endpoint-model.ts';
import type { Prompt, PromptContentType, PromptOptions } from './language-model-options.ts';
import { windowExceeded } from './quota-exceeded.ts';
import { allMessages, readPrompt, type ChatMessage, type ReadPrompt } from './read-prompt.ts';
import { readConstraint, type SamplingMode } from './read-sampling.ts';
import type { SessionTools, ToolCall } from './read-tools.ts';

/** Limit of the rounds of tool calls in one answer, because a small model may repeat the same call forever. */
const MOST_ROUNDS = 10;

/** What an empty list of messages asks. */
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
  /** Tokens of all messages in the session. */
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
      await this.#keep(messages, signal);
    });
  }

  /** Counts the tokens that a prompt would add. Images are not counted. */
  async measureContextUsage(input: Prompt, options: PromptOptions = {}): Promise<number> {
    readConstraint(options);
    const signal = this.#signalOf(options.signal);
    signal.throwIfAborted();
    const messages = allMessages(await readPrompt(input, this.#state.types, false));
    return untilAborted(this.#state.endpoint.countTokens({ messages, tools: [] }, false, signal), signal);
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

  async #generate(
    input: Prompt,
    options: PromptOptions,
    signal: AbortSignal,
    onPiece: (piece: string) => void,
  ): Promise<void> {
    const { sampling, tools, endpoint, contextWindow } = this.#state;
    const constraint = readConstraint(options);
    const { messages, prefix } = await this.#read(input);
    const turn: ChatMessage[] = messages.length === 0 && prefix === null ? [EMPTY_QUESTION] : [...messages];
    for (let round = 0; ; round++) {
      await this.#makeRoom(turn, signal);
      const { initial, turns } = this.#state;
      const before = [...initial, ...turns.flat(), ...turn];
      if (prefix !== null) requirePlain(before, tools);
      const pieces =
        prefix === null
          ? endpoint.generate({ messages: before, tools: tools.described }, { ...sampling, ...constraint }, signal)
          : endpoint.goOn(before, prefix, { ...sampling, ...constraint }, contextWindow, signal);
      let content = prefix ?? '';
      let calls: readonly ToolCall[] = [];
      for await (const piece of pieces) {
        content += piece.text;
        if (piece.text !== '') onPiece(piece.text);
        calls = piece.calls ?? calls;
      }
      if (calls.length === 0) return this.#keep([...turn, { role: 'assistant', content }], signal);
      if (round === MOST_ROUNDS)
        throw new DOMException(`The model called tools ${MOST_ROUNDS} times without an answer.`, 'OperationError');
      const results = await Promise.all(calls.map(async (call) => toolMessage(call, await tools.run(call))));
      signal.throwIfAborted();
      turn.push({ role: 'assistant', content, tool_calls: calls }, ...results);
    }
  }

  /**
   * Drops the oldest turns until the context window has room for further messages, and fires `contextoverflow`.
   * @throws QuotaExceededError if the messages do not fit even without any turn.
   */
  async #makeRoom(messages: readonly ChatMessage[], signal: AbortSignal): Promise<void> {
    const { contextWindow, initial } = this.#state;
    let { turns } = this.#state;
    for (;;) {
      const needed = await this.#count([...initial, ...turns.flat(), ...messages], true, signal);
      if (needed < contextWindow) break;
      if (turns.length === 0) {
        const requested = await this.#count([...initial, ...messages], false, signal);
        // The messages alone may fit where the beginning of the answer does not. The error must not state less than its
        // quota, which QuotaExceededError refuses.
        throw windowExceeded(Math.max(requested, contextWindow), contextWindow);
      }
      turns = turns.slice(1);
    }
    if (turns === this.#state.turns) return;
    this.#state = { ...this.#state, turns };
    for (const name of ['contextoverflow', 'quotaoverflow'] as const) {
      const event = new Event(name);
      this.dispatchEvent(event);
      this[`on${name}`]?.(event);
    }
  }

  async #keep(turn: readonly ChatMessage[], signal: AbortSignal): Promise<void> {
    const turns = [...this.#state.turns, turn];
    const usage = await this.#count([...this.#state.initial, ...turns.flat()], false, signal);
    this.#state = { ...this.#state, turns, usage };
  }

  #count(messages: readonly ChatMessage[], reply: boolean, signal: AbortSignal): Promise<number> {
    const { endpoint, tools } = this.#state;
    return endpoint.countTokens({ messages, tools: tools.described }, reply, signal);
  }
}

/**
 * A prompt with a prefix is sent to the model as tokens, for which the endpoint supports text only.
 * @throws DOMException `NotSupportedError` if messages contain images, or if tools are used.
 */
function requirePlain(messages: readonly ChatMessage[], tools: SessionTools): void {
  const isPlain = messages.every(({ content }) => typeof content === 'string');
  if (isPlain && tools.described.length === 0) return;
  throw new DOMException('A prefix is not supported together with tools or images.', 'NotSupportedError');
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
