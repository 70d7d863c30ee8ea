import { API_ERROR_CODES, type ApiErrorCode } from '../../shared/api-error.ts';
import { EventStreamParser, fieldValues } from '../../shared/http/event-stream-parser.ts';
import { failureOf } from './endpoint.ts';
import type { JsonObject } from './read-fields.ts';
import type { RequestFailure } from './request-failure.ts';

/** A call in Ollama's form. */
export interface ToolCall {
  readonly id: string;
  readonly function: { readonly index: number; readonly name: string; readonly arguments: unknown };
}

/** A part of an answer. */
export interface AnswerPiece {
  readonly content: string;
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  /** Log probabilities of the tokens, if the request asks for them. */
  readonly logprobs: readonly unknown[];
}

/** The end of an answer, with the times in nanoseconds. */
export interface AnswerEnd {
  readonly done_reason: 'stop' | 'length';
  readonly total_duration: number;
  readonly load_duration: number;
  readonly prompt_eval_count: number;
  readonly prompt_eval_duration: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}

export function isEnd(part: AnswerPiece | AnswerEnd): part is AnswerEnd {
  return 'done_reason' in part;
}

/** The used fields of the endpoint's chunks, of chats and of raw prompts. */
interface Chunk {
  readonly error?: { readonly code?: string };
  readonly choices?: readonly {
    readonly text?: string;
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
      readonly tool_calls?: readonly CallDelta[];
    };
    readonly logprobs?: { readonly content?: readonly unknown[] } | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/**
 * Reads a stream of the endpoint: yields the pieces of the answer, then its end.
 * @throws RequestFailure if the stream says that the answer failed, or ends too early.
 */
export async function* readAnswer(response: Response): AsyncGenerator<AnswerPiece | AnswerEnd> {
  const times = new AnswerTimes();
  const calls = new ToolCalls();
  let finishReason: string | null = null;
  let usage: Chunk['usage'] = null;
  for await (const block of blocksOf(response)) {
    if (block.startsWith(': loading')) times.loading();
    const data = fieldValues(block, 'data').join('\n');
    if (data === '' || data === '[DONE]') continue;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) throw streamFailure(chunk.error);
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const { delta = {}, logprobs, finish_reason } = choice;
    finishReason = finish_reason ?? finishReason;
    delta.tool_calls?.forEach((call) => calls.add(call));
    const content = choice.text ?? delta.content ?? '';
    const thinking = delta.reasoning_content ?? '';
    const tokens = logprobs?.content ?? [];
    if (content === '' && thinking === '' && tokens.length === 0) continue;
    times.token();
    yield { content, thinking, toolCalls: [], logprobs: tokens };
  }
  if (finishReason === null) throw failureOf({ error: { message: 'The answer broke off.' } });
  const toolCalls = calls.complete();
  if (toolCalls.length > 0) yield { content: '', thinking: '', toolCalls, logprobs: [] };
  yield {
    done_reason: finishReason === 'length' ? 'length' : 'stop',
    prompt_eval_count: usage?.prompt_tokens ?? 0,
    eval_count: usage?.completion_tokens ?? 0,
    ...times.end(),
  };
}

async function* blocksOf(response: Response): AsyncGenerator<string> {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield* parser.push(decoder.decode(bytes, { stream: true }));
}

/** The status that an error would have had before the response headers. */
function streamFailure(error: { readonly code?: string }): RequestFailure {
  const known = error.code !== undefined && Object.hasOwn(API_ERROR_CODES, error.code);
  return failureOf({ error }, known ? API_ERROR_CODES[error.code as ApiErrorCode][0] : 500);
}

/** Joins the pieces of tool calls. */
class ToolCalls {
  readonly #calls = new Map<number, { id: string; name: string; text: string }>();

  add({ index, id, function: called }: CallDelta): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', text: '' };
    this.#calls.set(index, call);
    call.id ||= id ?? '';
    call.name ||= called?.name ?? '';
    call.text += called?.arguments ?? '';
  }

  /** The calls with their arguments as objects. A call that was cut by the limit of tokens is left out. */
  complete(): ToolCall[] {
    return [...this.#calls].flatMap(([index, { id, name, text }]) => {
      const given = parseArguments(text);
      return given === null ? [] : [{ id, function: { index, name, arguments: given } }];
    });
  }
}

function parseArguments(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

/** The times of an answer. Waiting in the queue counts as evaluation of the prompt. */
class AnswerTimes {
  readonly #start = performance.now();
  #loaded = this.#start;
  #firstToken: number | null = null;

  loading(): void {
    this.#loaded = performance.now();
  }

  token(): void {
    this.#firstToken ??= performance.now();
  }

  end() {
    const end = performance.now();
    const firstToken = this.#firstToken ?? end;
    return {
      total_duration: nanoseconds(end - this.#start),
      load_duration: nanoseconds(this.#loaded - this.#start),
      prompt_eval_duration: nanoseconds(firstToken - this.#loaded),
      eval_duration: nanoseconds(end - firstToken),
    };
  }
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
