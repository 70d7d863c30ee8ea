import { API_ERROR_CODES, type ApiErrorCode } from '../../shared/api-error.ts';
import { EventStreamParser, fieldValues } from '../../shared/http/event-stream-parser.ts';
import type { AnswerTimes } from './answer-times.ts';
import { failureOf, RequestFailure } from './request-failure.ts';
import { ToolCalls, type CallDelta, type ToolCall } from './tool-calls.ts';

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

/** The used fields of the endpoint's chunks, for chats and for raw prompts. */
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

/**
 * Reads a stream of the endpoint: yields the pieces of the answer, then its end.
 * @param times Created when the request was sent.
 * @throws RequestFailure if the stream reports an error, or ends too early.
 */
export async function* readAnswer(response: Response, times: AnswerTimes): AsyncGenerator<AnswerPiece | AnswerEnd> {
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
  if (finishReason === null) throw new RequestFailure(500, 'The answer broke off.');
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

/** Returns the error with the status that it would have had before the response headers. */
function streamFailure(error: { readonly code?: string }): RequestFailure {
  const known = error.code !== undefined && Object.hasOwn(API_ERROR_CODES, error.code);
  return failureOf({ error }, known ? API_ERROR_CODES[error.code as ApiErrorCode][0] : 500);
}
