import { EventStreamParser, fieldValues } from '../shared/http/event-stream-parser.ts';
import { unlessFrozen } from '../shared/http/unless-frozen.ts';
import type { ApiErrorData, Tabserve } from '../page/index.ts';
import { isQuotaExceeded, quotaExceeded } from './quota-exceeded.ts';
import { textOf, type ChatMessage, type Conversation } from './read-prompt.ts';
import type { ToolCall } from './read-tools.ts';
import { PAUSES, sendRequest } from './send-request.ts';

/** The members of `register()`'s result that the Prompt API uses. */
export type Connection = Pick<
  Tabserve,
  'ready' | 'fetch' | 'basePath' | 'status' | 'load' | 'addEventListener' | 'removeEventListener'
>;

/** The only path whose response is a stream, and whose requests `tabserve.fetch` repeats itself. */
const COMPLETIONS = '/chat/completions';

export interface ModelFacts {
  /** Context window of the model: tokens of prompt and answer together. */
  readonly contextWindow: number;
  readonly images: boolean;
  readonly tools: boolean;
}

export interface AnswerPiece {
  readonly text: string;
  /** Tool calls; only in the last piece. */
  readonly calls?: readonly ToolCall[];
  /** Tokens of the prompt and the answer together; only in the last piece, and only if the endpoint reports them. */
  readonly usage?: number;
}

/** A chat model, used through the endpoint's HTTP interface. */
export class EndpointModel {
  readonly #tabserve: Connection;
  readonly #id: string;
  readonly #apiKey: string;
  /**
   * Whether the endpoint has refused to show the model's tokens, as it does for the models that llama.cpp or the
   * browser runs.
   */
  #hidesTokens = false;

  constructor(tabserve: Connection, id: string, apiKey: string) {
    this.#tabserve = tabserve;
    this.#id = id;
    this.#apiKey = apiKey;
  }

  /**
   * Returns the endpoint's facts about the model; null if the id is not that of a chat model on this device.
   * @throws DOMException if the endpoint cannot be used, or fails for a reason that may pass.
   */
  async facts(): Promise<ModelFacts | null> {
    const response = await this.#request(`/models/${this.#id}`);
    if (!response.ok) {
      const error = await errorOf(response);
      if (error.code === 'model_not_found') return null;
      throw toDomException(error, response.status);
    }
    const { context_window: contextWindow, tabserve } = (await response.json()) as {
      readonly context_window: number;
      readonly tabserve: {
        /** Absent for a model of an upstream. */
        readonly capabilities?: { readonly chat: boolean; readonly images: boolean; readonly tools: boolean };
      };
    };
    const { capabilities } = tabserve;
    return capabilities?.chat ? { ...capabilities, contextWindow } : null;
  }

  /**
   * Loads the model. @param report Called with the progress, 0…1.
   * @throws DOMException `NotSupportedError` if it is on this device no more, `UnknownError` if a retry may succeed, otherwise
   * `OperationError`.
   */
  async load(report: (progress: number) => void): Promise<void> {
    const tabserve = this.#tabserve;
    const onChange = () => {
      const { status } = tabserve;
      if (status.state === 'loading' && status.model === this.#id) report(status.progress);
    };
    tabserve.addEventListener('statuschange', onChange);
    try {
      await tabserve.load(this.#id);
    } catch (thrown) {
      throw fromRejection(thrown, 'OperationError');
    } finally {
      tabserve.removeEventListener('statuschange', onChange);
    }
  }

  /**
   * Counts the tokens of messages: Infinity if they are too long to be counted, null if the endpoint does not show the
   * model's tokens. Images are not counted, because the endpoint learns their tokens only when the model processes them.
   * @param reply Whether the tokens that begin the assistant's turn are counted, too.
   */
  async countTokens({ messages, tools }: Conversation, reply: boolean, signal: AbortSignal): Promise<number | null> {
    if (messages.length === 0) return 0;
    try {
      const tokens = await this.#tokenize({ ...textsOf(messages), tools, add_generation_prompt: reply }, signal);
      return tokens && tokens.length;
    } catch (thrown) {
      if (isQuotaExceeded(thrown)) return Infinity;
      throw thrown;
    }
  }

  /**
   * Generates the answer to a conversation.
   * @param prefix Text with which the answer begins. The pieces do not repeat it, and a constraint covers it. Default (null): none.
   * @param fields Further fields of the chat completion.
   * @throws DOMException for an error of the endpoint; `OperationError` if the answer is cut off while it calls tools.
   */
  async *generate(
    { messages, tools }: Conversation,
    prefix: string | null,
    fields: object,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece, undefined> {
    const calls: ToolCall[] = [];
    let isCut = false;
    const begun = prefix === null ? [] : [{ role: 'assistant', content: prefix, prefix: true }];
    const body = {
      messages: [...messages, ...begun],
      ...(tools.length > 0 && { tools }),
      stream_options: { include_usage: true },
      ...fields,
    };
    for await (const { choices, usage } of this.#stream(body, signal)) {
      if (usage) yield { text: '', usage: usage.prompt_tokens + usage.completion_tokens };
      const [{ delta, finish_reason: reason = null } = {}] = choices ?? [];
      isCut ||= reason === 'length';
      for (const { index, id = '', function: piece } of delta?.tool_calls ?? []) {
        const before = calls[index] ?? { id, type: 'function', function: { name: '', arguments: '' } };
        const { name, arguments: input } = before.function;
        const whole = { name: name + (piece.name ?? ''), arguments: input + (piece.arguments ?? '') };
        calls[index] = { ...before, function: whole };
      }
      if (delta?.content) yield { text: delta.content };
    }
    if (calls.length === 0) return;
    // The last call is not whole, and nothing says what the model would have called besides.
    if (isCut)
      throw new DOMException('The answer was cut off within a tool call. No tool was called.', 'OperationError');
    yield { text: '', calls };
  }

  /** Returns the tokens of messages; null if the endpoint does not show the model's tokens. */
  async #tokenize(fields: object, signal: AbortSignal): Promise<readonly number[] | null> {
    if (this.#hidesTokens) return null;
    const response = await this.#request('/tokenize', fields, signal);
    if (response.ok) return ((await response.json()) as { readonly tokens: readonly number[] }).tokens;
    const error = await errorOf(response);
    this.#hidesTokens = error.code === 'unsupported_value' && error.param === 'model';
    if (this.#hidesTokens) return null;
    throw toDomException(error, response.status);
  }

  /** Yields the chunks of a streamed chat completion of one choice. */
  async *#stream(body: object, signal: AbortSignal): AsyncGenerator<StreamChunk, undefined> {
    const response = await this.#send(COMPLETIONS, { ...body, stream: true }, signal);
    const parser = new EventStreamParser();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const block of parser.push(read.value)) {
        const [data] = fieldValues(block, 'data');
        if (data === undefined) continue;
        if (data === '[DONE]') return;
        const { error, ...chunk } = JSON.parse(data) as StreamChunk & { error?: StreamError };
        if (error !== undefined) throw toDomException(error, response.status);
        yield chunk;
      }
    }
    throw new DOMException('The answer broke off.', 'UnknownError');
  }

  async #send(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const response = await this.#request(path, body, signal);
    if (response.ok) return response;
    throw toDomException(await errorOf(response), response.status);
  }

  async #request(path: string, body?: object, signal: AbortSignal | null = null): Promise<Response> {
    const tabserve = this.#tabserve;
    await tabserve.ready.catch((thrown: unknown) => {
      throw fromRejection(thrown, 'NotSupportedError');
    });
    const headers = { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' };
    const init: RequestInit =
      body === undefined
        ? { headers, signal }
        : { method: 'POST', headers, signal, body: JSON.stringify({ model: this.#id, ...body }) };
    const send = () => tabserve.fetch(`${location.origin}${tabserve.basePath}${path}`, init);
    if (path === COMPLETIONS) return sendRequest(send, [], signal);
    return sendRequest(() => unlessFrozen(send(), document), PAUSES, signal);
  }
}

/** Returns the error in the body of a response. Where the endpoint was not reached, a server may have sent a page instead. */
async function errorOf(response: Response): Promise<StreamError> {
  const body = (await response.json().catch(() => null)) as { readonly error?: ApiErrorData } | null;
  return body?.error ?? { code: 'internal_error', message: `The endpoint was not reached (HTTP ${response.status}).` };
}

interface StreamedChoice {
  readonly finish_reason?: string | null;
  readonly delta?: {
    readonly content?: string | null;
    readonly tool_calls?: readonly {
      readonly index: number;
      readonly id?: string;
      readonly function: Partial<ToolCall['function']>;
    }[];
  };
}

interface StreamChunk {
  readonly choices?: readonly StreamedChoice[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

type StreamError = Pick<ApiErrorData, 'code' | 'message'> & Partial<Pick<ApiErrorData, 'param'>>;

/** @param status HTTP status of the response; 200 for an error in a stream. */
function toDomException({ code, message }: StreamError, status: number): DOMException {
  if (code === 'context_length_exceeded') return quotaExceeded(message);
  const isRefusal = code === 'gpu_unavailable' || [400, 401, 403, 404].includes(status);
  return new DOMException(message, isRefusal ? 'NotSupportedError' : 'UnknownError');
}

/**
 * Converts what `ready` or `load()` rejected with.
 * @param lasting Name of the exception for an error that waiting does not mend.
 */
function fromRejection(thrown: unknown, lasting: 'NotSupportedError' | 'OperationError'): DOMException {
  const { code, message, retryAfter } = thrown as Partial<ApiErrorData>;
  if (code === 'model_not_found') return new DOMException(message, 'NotSupportedError');
  // An unexpected error is mostly that of a part of the script that could not be fetched.
  const mayPass = code === undefined || code === 'internal_error' || retryAfter !== undefined;
  return new DOMException(message, mayPass ? 'UnknownError' : lasting);
}

/** Returns the field `messages` without images. */
function textsOf(messages: readonly ChatMessage[]): { readonly messages: readonly ChatMessage[] } {
  return { messages: messages.map((message) => ({ ...message, content: textOf(message) })) };
}
