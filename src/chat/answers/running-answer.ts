import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import { ApiError } from '../../shared/api-error.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { withAbort } from '../../shared/timeout.ts';
import { loadPart } from '../browser/load-part.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, AnswerStream, Message } from '../types/conversation.ts';
import type { ToolLoop } from '../tools/tool-loop.ts';

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
   * @param request Builds the request. If it throws or rejects, the answer fails. If it resolves to null, the answer is
   * complete without a request.
   */
  async write(request: () => ChatCompletionRequest | Promise<ChatCompletionRequest | null>): Promise<void> {
    await this.#settle(this.#writeWithTools(request));
  }

  /**
   * Looks a question up in the documents of its chat, if it has some, and keeps the passages with the answer.
   * @param path The messages before the answer.
   * @returns The messages for the model, with the passages; null if the page answers instead of the model: nothing was
   * found, or the model is the built-in one, which can hardly read passages.
   */
  async lookUp(path: readonly Message[]): Promise<readonly Message[] | null> {
    if (this.answer.settings.documents === undefined) return path;
    const { signal } = this.#abort;
    const parts = Promise.all([import('./find-sources.ts'), import('./with-sources.ts')]);
    const needed = [loadPart(parts), this.#endpointReady()] as const;
    const [[{ findSources }, { withSources }]] = await withAbort(Promise.all(needed), signal);
    const sources = await findSources(this.answer, path, signal, this.#ask);
    if (sources === null) return path;
    this.#change({ sources });
    return sources.length === 0 || this.answer.model === BUILT_IN_MODEL_ID ? null : withSources(path, sources);
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
      ask: async (request, staysHere) => void (await this.#begin(request, '', staysHere)),
    }));
  }

  async #writeWithTools(
    makeRequest: () => ChatCompletionRequest | Promise<ChatCompletionRequest | null>,
  ): Promise<void> {
    const tools = await this.#loadTools();
    const made = await withAbort(Promise.resolve(makeRequest()), this.#abort.signal);
    if (made === null) return;
    const request = tools?.withTools(made) ?? made;
    await this.#begin(request, '');
    await tools?.run(request);
  }

  /**
   * Continues an answer that was cut off. Sends `replay`, whose response repeats the answer's text and then continues
   * it. If the response differs from that text, asks the model to continue it.
   */
  async continue(replay: () => ChatCompletionRequest | Promise<ChatCompletionRequest>): Promise<void> {
    const attempt = async () => {
      const tools = await this.#loadTools();
      // Tools are part of the prompt: without them the model would give another answer.
      const made = await withAbort(Promise.resolve(replay()), this.#abort.signal);
      const request = tools?.withTools(made) ?? made;
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
    if (await this.#begin(request, text, staysHere)) return request;
    this.#change({ text });
    const { continuationRequest } = await withAbort(loadPart(import('./continue-answer.ts')), this.#abort.signal);
    const continuation = continuationRequest(request, this.answer);
    await this.#begin(continuation, '', staysHere);
    return continuation;
  }

  /**
   * Resumes the stream, which the engine kept while the page was reloaded or closed. If the engine has lost the model,
   * as it does when the page that ran llama.cpp is reloaded, the answer is generated again from its request. If a
   * new engine does not know the stream, the answer becomes `interrupted`.
   * @param wasLeft Called if the new engine does not know the stream: whether the tab that generated the answer was
   * reloaded or closed by the user. The answer is then generated again. Default: it was not.
   */
  async resume(stream: AnswerStream, wasLeft: () => boolean = () => false): Promise<void> {
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
        const isLost = code === 'engine_unavailable' || (code === 'stream_not_found' && wasLeft());
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

  /** Ends the answer as `interrupted`, because nothing is known of its request. */
  async interrupt(): Promise<void> {
    this.#end({ state: 'interrupted' });
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
   * @returns False if the response does not begin with the known text.
   */
  #begin(request: ChatCompletionRequest, known: string, staysHere = false): Promise<boolean> {
    const stream = { id: crypto.randomUUID(), lastEvent: -1, request };
    return this.#follow(stream, { begins: true, known, staysHere });
  }

  /**
   * Adds the pieces of a stream to the answer.
   * @param how.begins True for a new request; false to resume an earlier stream.
   * @returns False if the response does not begin with the known text.
   */
  async #follow(
    stream: AnswerStream,
    { begins, known, staysHere }: { readonly begins: boolean; readonly known: string; readonly staysHere?: boolean },
  ): Promise<boolean> {
    const { signal } = this.#abort;
    const { id, request } = stream;
    const parts = [import('../api/stream-chat-completion.ts'), import('./add-pieces.ts')] as const;
    const needed = [loadPart(Promise.all(parts)), this.#endpointReady()] as const;
    const [[{ streamChatCompletion }, { PieceAdder }]] = await withAbort(Promise.all(needed), signal);
    const adder = new PieceAdder(known, begins ? null : (this.answer.completionTokens ?? 0), this.tools);
    this.catchingUp = adder.catchingUp;
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
      const answer = adder.add(this.answer, pieces);
      if (answer === null) return false;
      this.catchingUp = adder.catchingUp;
      const isNumbered = lastEvent !== null && !this.catchingUp;
      this.#change({ ...answer, stream: isNumbered ? { ...stream, lastEvent } : undefined });
    }
    return true;
  }

  #change(changes: Partial<Answer>): void {
    this.answer = { ...this.answer, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}
