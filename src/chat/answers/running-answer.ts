import type { CompletionPiece } from '../api/read-chunk.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import { ApiError } from '../../shared/api-error.ts';
import { withAbort } from '../../shared/timeout.ts';
import { loadPart } from '../browser/load-part.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, AnswerStream } from '../types/conversation.ts';
import type { ToolLoop } from '../tools/tool-loop.ts';
import { AnswerMeter } from './answer-meter.ts';
import { continuationRequest, ReplayDiverged } from './continue-answer.ts';

/**
 * One answer while it is generated.
 * @fires change - {@link answer} was replaced by a newer version, or {@link reading} has progressed.
 */
export class RunningAnswer extends EventTarget {
  answer: Answer;
  /** True while the response repeats text that the answer already contains. */
  catchingUp = false;
  /** Prompt tokens prefilled so far, and when the request was sent (`performance.now()`); null before a report. */
  reading: { readonly tokens: number; readonly since: number } | null = null;
  /** Runs the model's tool calls; null if no tools are allowed. */
  tools: ToolLoop | null = null;
  readonly #abort = new AbortController();
  readonly #endpointReady: () => Promise<void>;
  readonly #ask: typeof fetch;
  readonly #store: ConversationStore | undefined;

  /**
   * Creates an answer. {@link write}, {@link continue} or {@link resume} then generates its text.
   * @param endpointReady Awaited before each request. If it rejects, the answer fails.
   * @param ask Replaces the global `fetch`.
   * @param store The chats that tools may search. Default: no tools.
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

  /** Ends the answer as `stopped` and keeps its text. */
  stop(): void {
    this.#abort.abort(new DOMException('The person stopped the answer.', 'AbortError'));
  }

  /**
   * Generates a new answer. Never rejects: the outcome is the answer's state.
   * @param request Builds the request. If it throws, the answer fails.
   */
  async write(request: () => ChatCompletionRequest): Promise<void> {
    await this.#settle(this.#writeWithTools(request));
  }

  /** Loads the tool loop; null if the chat has no tools, or has a JSON Schema, which excludes tool calls. */
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

  /**
   * Continues an answer that was cut off. Sends `replay`, whose response repeats the answer's text and then continues
   * it. If the response differs from that text, asks the model to continue it.
   */
  async continue(replay: () => ChatCompletionRequest): Promise<void> {
    const attempt = async () => {
      const tools = await this.#loadTools();
      // Tools are part of the prompt: without them the model would give another answer.
      const request = tools?.withTools(replay()) ?? replay();
      const answered = await this.#goOn(request);
      await tools?.run(answered);
    };
    await this.#settle(attempt());
  }

  /**
   * Sends the request of an answer that was cut off again, and adds what is missing.
   * @param staysHere True if no upstream server may answer. Default: false.
   * @returns the request that was answered.
   */
  async #goOn(request: ChatCompletionRequest, staysHere = false): Promise<ChatCompletionRequest> {
    const { text } = this.answer;
    // An answer without text begins anew.
    if (text === '') this.#change({ thinking: '' });
    try {
      await this.#begin(() => request, text, staysHere);
      return request;
    } catch (thrown) {
      if (!(thrown instanceof ReplayDiverged)) throw thrown;
      this.#change({ text });
      const continuation = continuationRequest(request, this.answer);
      await this.#begin(() => continuation, '', staysHere);
      return continuation;
    }
  }

  /**
   * Resumes the stream, which the engine kept while the page was reloaded or closed. If the engine has lost the model,
   * as it does when the page that ran llama.cpp is reloaded, the answer is generated again from its request. If a
   * new engine does not know the stream, the answer becomes `interrupted`.
   * @param wasReloaded True if this tab generated the answer until it was reloaded. The answer is then generated
   * again even then. Default: false.
   */
  async resume(stream: AnswerStream, wasReloaded = false): Promise<void> {
    const attempt = async () => {
      const tools = await this.#loadTools();
      await this.#follow(stream, { begins: false, known: '' });
      await tools?.run(stream.request);
    };
    const { signal } = this.#abort;
    await this.#settle(
      attempt().catch(async (thrown: unknown) => {
        if (signal.aborted) throw thrown;
        const { text, thinking, rounds } = this.answer;
        const { code } = ApiError.from(thrown);
        const isLost = code === 'engine_unavailable' || (code === 'stream_not_found' && wasReloaded);
        // Tools that have run would run again.
        if (isLost && rounds === undefined) {
          try {
            // No upstream gets the request, because the user did not send it again.
            const answered = await this.#goOn(stream.request, true);
            return await this.tools?.run(answered);
          } catch (again) {
            if (signal.aborted || this.answer.text !== text) throw again;
            this.#change({ thinking });
            return 'interrupted' as const;
          }
        }
        if (this.answer.stream?.lastEvent !== stream.lastEvent) throw thrown;
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
   * Sends a request and adds the response to the answer.
   * @param known Text that the response must begin with. It is compared with the response and not added to the answer.
   * @param staysHere True if no upstream server may answer. Default: false.
   */
  async #begin(makeRequest: () => ChatCompletionRequest, known: string, staysHere = false): Promise<void> {
    const stream = { id: crypto.randomUUID(), lastEvent: -1, request: makeRequest() };
    await this.#follow(stream, { begins: true, known, staysHere });
  }

  /**
   * Adds the pieces of a stream to the answer.
   * @param how.begins True for a new request; false to resume an earlier stream.
   */
  async #follow(
    stream: AnswerStream,
    { begins, known, staysHere }: { readonly begins: boolean; readonly known: string; readonly staysHere?: boolean },
  ): Promise<void> {
    const { signal } = this.#abort;
    const { id, request } = stream;
    const needed = [loadPart(import('../api/stream-chat-completion.ts')), this.#endpointReady()] as const;
    const [{ streamChatCompletion }] = await withAbort(Promise.all(needed), signal);
    // If an earlier page began the answer, its start time and speed are unknown.
    const meter = begins ? new AnswerMeter(performance.now()) : null;
    let repeated = '';
    // Counts the tokens, including replayed ones, because the endpoint sends no usage for a stopped answer. A piece is
    // one token, unless several tokens form one character.
    let tokens = begins ? 0 : (this.answer.completionTokens ?? 0);
    this.catchingUp = known !== '';
    /** Removes pieces that only repeat `known`. */
    const newPieces = (piece: CompletionPiece): CompletionPiece[] => {
      if (piece.type === 'text' || piece.type === 'thinking') tokens += 1;
      if ((piece.type === 'thinking' || piece.type === 'was-thinking') && known !== '') return [];
      if (piece.type !== 'text' || !this.catchingUp) return [piece];
      repeated += piece.text;
      meter?.piece(performance.now());
      if (!repeated.startsWith(known) && !known.startsWith(repeated)) throw new ReplayDiverged();
      if (repeated.length < known.length) return [];
      this.catchingUp = false;
      return [{ type: 'text', text: repeated.slice(known.length) }];
    };
    // Text and event number change together, so that a stream resumed after any save repeats and skips no text.
    if (!this.catchingUp) this.#change({ stream });
    const position = { id, lastEvent: begins ? null : stream.lastEvent };
    const asked = performance.now();
    const chunks = streamChatCompletion(request, position, signal, this.#ask, staysHere);
    for await (const { pieces, lastEvent, tokensRead } of chunks) {
      if (tokensRead !== undefined) this.reading = { tokens: tokensRead, since: asked };
      // Only an SSE comment arrived, which reports prefill progress. Nothing that is stored has changed.
      if (pieces.length === 0 && lastEvent === null) {
        this.dispatchEvent(new Event('change'));
        continue;
      }
      let { answer } = this;
      for (const piece of pieces)
        for (const fresh of newPieces(piece))
          answer = this.tools?.withCall(answer, fresh) ?? withPiece(answer, fresh, tokens, meter);
      const isNumbered = lastEvent !== null && !this.catchingUp;
      this.#change({ ...answer, stream: isNumbered ? { ...stream, lastEvent } : undefined });
    }
  }

  #change(changes: Partial<Answer>): void {
    this.answer = { ...this.answer, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}

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
    case 'was-thinking': {
      const at = Math.max(0, answer.text.length - piece.length);
      return { ...answer, text: answer.text.slice(0, at), thinking: answer.thinking + answer.text.slice(at) };
    }
    case 'tool-call':
      return answer;
    case 'finish':
      return {
        ...answer,
        finishReason: piece.reason,
        ...(piece.isStuck && { isStuck: true }),
        ...(piece.isFiltered && { isFiltered: true }),
      };
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
