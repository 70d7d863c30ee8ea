import { streamChatCompletion, type CompletionPiece } from '../api/chat-completion.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import { ApiError } from '../../shared/api-error.ts';
import { withAbort } from '../../shared/timeout.ts';
import { loadPart } from '../browser/load-part.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, AnswerStream } from '../types/conversation.ts';
import type { ToolLoop } from '../tools/tool-loop.ts';
import { AnswerMeter } from './answer-meter.ts';
import { ReplayDiverged } from './continue-answer.ts';

/**
 * One answer while it is written.
 * @fires change - {@link answer} is a newer one.
 */
export class RunningAnswer extends EventTarget {
  answer: Answer;
  /** True while an answer that is being continued has not reached its old end again. */
  catchingUp = false;
  /** What the model calls, and the person allows; null where it may call nothing. */
  tools: ToolLoop | null = null;
  readonly #abort = new AbortController();
  readonly #endpointReady: () => Promise<void>;
  readonly #ask: typeof fetch;
  readonly #store: ConversationStore | undefined;

  /**
   * @param endpointReady What it gives is waited for before anything is asked; if that rejects the answer has failed.
   * @param ask Asks in place of the global `fetch`.
   * @param store What tools may look into. Default: there are no tools.
   */
  constructor(
    answer: Answer,
    endpointReady: () => Promise<void>,
    ask: typeof fetch = (...request) => fetch(...request),
    store?: ConversationStore,
  ) {
    super();
    this.#endpointReady = endpointReady;
    this.#ask = ask;
    this.#store = store;
    const finishReason = answer.stream ? answer.finishReason : null;
    this.answer = { ...answer, state: 'running', error: null, finishReason };
  }

  /** Ends it as "stopped". What has come so far stays. */
  stop(): void {
    this.#abort.abort(new DOMException('The person stopped the answer.', 'AbortError'));
  }

  /**
   * Writes a new answer. Never rejects: the outcome is the answer's state.
   * @param request Makes the request. Where it throws, as for settings that ask for nothing possible, the answer fails.
   */
  async write(request: () => ChatCompletionRequest): Promise<void> {
    await this.#settle(this.#writeWithTools(request));
  }

  /** What is needed where the model may call tools; null where it may not. An answer that has to be JSON can be no call. */
  async #loadTools(): Promise<ToolLoop | null> {
    const { tools = [], jsonSchema } = this.answer.settings;
    if (tools.length === 0 || jsonSchema.trim() !== '' || this.#store === undefined) return null;
    const { ToolLoop } = await withAbort(loadPart(import('../tools/tool-loop.ts')), this.#abort.signal);
    return (this.tools = new ToolLoop({
      store: this.#store,
      signal: this.#abort.signal,
      answer: () => this.answer,
      change: (changes) => this.#change(changes),
      ask: (request, staysHere) => this.#begin(() => request, '', staysHere),
    }));
  }

  async #writeWithTools(makeRequest: () => ChatCompletionRequest): Promise<void> {
    const tools = await this.#loadTools();
    const request = tools?.withTools(makeRequest()) ?? makeRequest();
    await this.#begin(() => request, '');
    await tools?.run(request);
  }

  /** Writes on after the text that is there, by `replay` if the model repeats itself, else by `goOn`. */
  async continue(replay: () => ChatCompletionRequest, goOn: () => ChatCompletionRequest): Promise<void> {
    const { text } = this.answer;
    const attempt = async () => {
      const tools = await this.#loadTools();
      // They are a part of the prompt: without them it would be another answer.
      const make = (request: () => ChatCompletionRequest) => tools?.withTools(request()) ?? request();
      let request = make(replay);
      await this.#begin(() => request, text).catch((error: unknown) => {
        if (!(error instanceof ReplayDiverged)) throw error;
        this.#change({ text });
        request = make(goOn);
        return this.#begin(() => request, '');
      });
      await tools?.run(request);
    };
    await this.#settle(attempt());
  }

  /** Goes on with what the engine went on writing after the page was gone. Where that is lost the answer is interrupted. */
  async resume(stream: AnswerStream): Promise<void> {
    const attempt = async () => {
      const tools = await this.#loadTools();
      await this.#follow(stream, { begins: false, known: '' });
      await tools?.run(stream.request);
    };
    await this.#settle(
      attempt().catch((thrown: unknown) => {
        if (this.answer.stream?.lastEvent !== stream.lastEvent || this.#abort.signal.aborted) throw thrown;
        return 'interrupted' as const;
      }),
    );
  }

  async #settle(stream: Promise<'interrupted' | void>): Promise<void> {
    try {
      this.#end({ state: (await stream) ?? 'complete' });
    } catch (thrown) {
      if (this.#abort.signal.aborted) return this.#end({ state: 'stopped' });
      const { code, message } = ApiError.from(thrown);
      if (code === 'internal_error') console.error(thrown);
      this.#end({ state: 'failed', error: { code, message } });
    }
  }

  #end(changes: Partial<Answer>): void {
    this.catchingUp = false;
    this.#change({ ...changes, stream: undefined });
  }

  /**
   * @param known Text that must come first; it is compared, not added.
   * @param staysHere Forbids that an upstream answers instead of this device.
   */
  async #begin(makeRequest: () => ChatCompletionRequest, known: string, staysHere = false): Promise<void> {
    const stream = { id: crypto.randomUUID(), lastEvent: -1, request: makeRequest() };
    await this.#follow(stream, { begins: true, known, staysHere });
  }

  /** @param how.begins Whether the answer is to be begun: otherwise it is only gone on with. */
  async #follow(
    stream: AnswerStream,
    { begins, known, staysHere }: { readonly begins: boolean; readonly known: string; readonly staysHere?: boolean },
  ): Promise<void> {
    const { signal } = this.#abort;
    const { id, request } = stream;
    await withAbort(this.#endpointReady(), signal);
    // Times of an answer that was begun elsewhere would say nothing.
    const meter = begins ? new AnswerMeter(performance.now()) : null;
    let repeated = '';
    // The engine sends each token as a piece of its own, but for those that are only a part of a character. The number of
    // an answer that is stopped, or left, is known from them alone. What is repeated counts, but is no news.
    let tokens = begins ? 0 : (this.answer.completionTokens ?? 0);
    this.catchingUp = known !== '';
    /** What of a piece is new. */
    const newsOf = (piece: CompletionPiece): CompletionPiece[] => {
      if (piece.type === 'text' || piece.type === 'thinking') tokens += 1;
      if (piece.type === 'thinking' && known !== '') return [];
      if (piece.type !== 'text' || !this.catchingUp) return [piece];
      repeated += piece.text;
      meter?.piece(performance.now());
      if (!repeated.startsWith(known) && !known.startsWith(repeated)) throw new ReplayDiverged();
      if (repeated.length < known.length) return [];
      this.catchingUp = false;
      return [{ type: 'text', text: repeated.slice(known.length) }];
    };
    // The text and the number of its last event change together: whatever moment is stored can be gone on from.
    if (!this.catchingUp) this.#change({ stream });
    const position = { id, lastEvent: begins ? null : stream.lastEvent };
    for await (const { pieces, lastEvent } of streamChatCompletion(request, position, signal, this.#ask, staysHere)) {
      let { answer } = this;
      for (const piece of pieces)
        for (const news of newsOf(piece))
          answer = this.tools?.withCall(answer, news) ?? withPiece(answer, news, tokens, meter);
      const isNumbered = lastEvent !== null && !this.catchingUp;
      this.#change({ ...answer, stream: isNumbered ? { ...stream, lastEvent } : undefined });
    }
  }

  #change(changes: Partial<Answer>): void {
    this.answer = { ...this.answer, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}

/** @param tokens Those that have come so far, as far as the pieces tell. */
function withPiece(answer: Answer, piece: CompletionPiece, tokens: number, meter: AnswerMeter | null): Answer {
  switch (piece.type) {
    case 'begin':
      return { ...answer, model: piece.model, engine: piece.engine };
    case 'text':
    case 'thinking': {
      meter?.piece(performance.now(), piece.type === 'thinking');
      return {
        ...answer,
        [piece.type]: answer[piece.type] + piece.text,
        completionTokens: tokens,
        timeToFirstToken: (meter ?? answer).timeToFirstToken,
        thinkingTime: meter?.thinkingTime ?? answer.thinkingTime,
        tokensPerSecond: meter?.tokensPerSecond(tokens) ?? null,
      };
    }
    case 'tool-call':
      return answer;
    case 'finish':
      return { ...answer, finishReason: piece.reason };
    case 'usage': {
      const { promptTokens, completionTokens } = piece;
      return {
        ...answer,
        promptTokens,
        completionTokens,
        tokensPerSecond: meter?.tokensPerSecond(completionTokens) ?? null,
      };
    }
  }
}
