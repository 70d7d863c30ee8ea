import { EventStreamParser, fieldValues } from '../shared/http/event-stream-parser.ts';
import type { ApiErrorData, Tabserve } from '../page/index.ts';
import type { ChatMessage } from './read-prompt.ts';

/** The members of `register()`'s result that the Prompt API uses. */
export type Connection = Pick<
  Tabserve,
  'ready' | 'fetch' | 'basePath' | 'status' | 'load' | 'addEventListener' | 'removeEventListener'
>;

export interface ModelFacts {
  /** Context window of the model: tokens of prompt and answer together. */
  readonly contextWindow: number;
  readonly images: boolean;
}

export interface AnswerPiece {
  readonly text: string;
  /** Tokens of the conversation including the answer; only in the last piece. */
  readonly totalTokens?: number;
}

/** A chat model, used through the endpoint's HTTP interface. */
export class EndpointModel {
  readonly #tabserve: Connection;
  readonly #id: string;
  readonly #apiKey: string;

  constructor(tabserve: Connection, id: string, apiKey: string) {
    this.#tabserve = tabserve;
    this.#id = id;
    this.#apiKey = apiKey;
  }

  /**
   * What the endpoint tells about the model; null if it is not a chat model on this device, or if this browser cannot
   * run models.
   */
  async facts(): Promise<ModelFacts | null> {
    try {
      const response = await this.#send(`/models/${this.#id}`);
      const { context_window: contextWindow, tabserve } = (await response.json()) as {
        readonly context_window: number;
        readonly tabserve: { readonly capabilities: { readonly chat: boolean; readonly images: boolean } };
      };
      const { chat, images } = tabserve.capabilities;
      return chat ? { contextWindow, images } : null;
    } catch {
      return null;
    }
  }

  /** Loads the model. @param report Called with the progress, 0…1. */
  async load(report: (progress: number) => void): Promise<void> {
    const tabserve = this.#tabserve;
    const onChange = () => {
      const { status } = tabserve;
      if (status.state === 'loading' && status.model === this.#id) report(status.progress);
    };
    tabserve.addEventListener('statuschange', onChange);
    try {
      await tabserve.load(this.#id);
    } finally {
      tabserve.removeEventListener('statuschange', onChange);
    }
  }

  /**
   * Counts the tokens of messages; Infinity if they are too long to be counted. Images are not counted, because the
   * endpoint learns their tokens only when the model processes them.
   * @param reply Whether the tokens that begin the assistant's turn are counted, too.
   */
  async countTokens(messages: readonly ChatMessage[], reply: boolean, signal: AbortSignal): Promise<number> {
    if (messages.length === 0) return 0;
    const texts = messages.map((message) => ({ ...message, content: textOf(message) }));
    try {
      const response = await this.#send('/tokenize', { messages: texts, add_generation_prompt: reply }, signal);
      return ((await response.json()) as { readonly count: number }).count;
    } catch (thrown) {
      if (thrown instanceof DOMException && thrown.name === 'QuotaExceededError') return Infinity;
      throw thrown;
    }
  }

  /** Generates the answer to a conversation. @param fields Further fields of the chat completion. */
  async *generate(messages: readonly ChatMessage[], fields: object, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const body = { messages, stream: true, stream_options: { include_usage: true }, ...fields };
    const response = await this.#send('/chat/completions', body, signal);
    const parser = new EventStreamParser();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const block of parser.push(read.value)) {
        const [data] = fieldValues(block, 'data');
        if (data === undefined) continue;
        if (data === '[DONE]') return;
        const { choices, usage, error } = JSON.parse(data) as StreamChunk;
        if (error !== undefined) throw toDomException(error, response.status);
        if (usage) yield { text: '', totalTokens: usage.total_tokens };
        const said = choices?.[0]?.delta.content ?? '';
        if (said !== '') yield { text: said };
      }
    }
    throw new DOMException('The answer broke off.', 'UnknownError');
  }

  async #send(path: string, body?: object, signal: AbortSignal | null = null): Promise<Response> {
    const tabserve = this.#tabserve;
    await tabserve.ready;
    const headers = { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' };
    const init: RequestInit =
      body === undefined
        ? { headers, signal }
        : { method: 'POST', headers, signal, body: JSON.stringify({ model: this.#id, ...body }) };
    const response = await tabserve.fetch(`${location.origin}${tabserve.basePath}${path}`, init);
    if (response.ok) return response;
    const { error } = (await response.json()) as { readonly error: ApiErrorData };
    throw toDomException(error, response.status);
  }
}

interface StreamChunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string | null } }[];
  readonly usage?: { readonly total_tokens: number } | null;
  readonly error?: Pick<ApiErrorData, 'code' | 'message'>;
}

/** @param status HTTP status of the response; 200 for an error in a stream. */
function toDomException({ code, message }: Pick<ApiErrorData, 'code' | 'message'>, status: number): DOMException {
  if (code === 'context_length_exceeded') return new DOMException(message, 'QuotaExceededError');
  return new DOMException(message, status === 400 || status === 404 ? 'NotSupportedError' : 'UnknownError');
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
