import { ApiError, type ApiErrorCode } from '../../shared/api-error.ts';
import type { FinishReason } from '../../shared/engine/completion-event.ts';
import { LAST_EVENT_HEADER, OUTLIVES_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { ENGINE_HEADER, ROUTE_HEADER, type UpstreamRoute } from '../../shared/upstreams/upstream.ts';
import { endpointStrings } from '../strings/app.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import { readServerSentEvents, type ServerSentEvents } from './read-server-sent-events.ts';
import { requestEndpoint } from './request-endpoint.ts';

/** The parts of a streamed completion, in the order they arrive. */
export type CompletionPiece =
  /** `engine` is the response header {@link ENGINE_HEADER}: where the model runs. */
  | { readonly type: 'begin'; readonly model: string; readonly engine: string | null }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /**
   * A piece of a tool call. The first piece of a call has its id and the name of the tool; in later pieces both may be
   * empty.
   */
  | {
      readonly type: 'tool-call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly text: string;
    }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  | { readonly type: 'usage'; readonly promptTokens: number; readonly completionTokens: number };

/** Pieces that arrived together. If they are stored with `lastEvent`, the stream can be resumed after them. */
interface CompletionPieces {
  readonly pieces: readonly CompletionPiece[];
  /** Number of the last event among them; null if the endpoint does not number its events. */
  readonly lastEvent: number | null;
}

/** A named stream that this page or another one can resume. */
export interface StreamPosition {
  /** A random name, new for each answer. */
  readonly id: string;
  /** Number of the last event received; -1 if none was. Null starts a new answer. */
  readonly lastEvent: number | null;
}

interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface ChatCompletionChunk {
  readonly model: string;
  readonly choices: readonly {
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly ToolCallDelta[];
    };
    readonly finish_reason: FinishReason | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message: string; readonly code: ApiErrorCode; readonly param: string | null };
}

/**
 * Streams `POST /v1/chat/completions`.
 * @param ask Replaces the global `fetch`.
 * @param staysHere Forbids that an upstream answers. Default: false.
 * @throws ApiError the endpoint's error, also in mid-stream; `engine_unavailable` if the stream breaks off;
 * `stream_not_found` if the stream to resume is no longer kept.
 * @throws the signal's reason if it aborts before the stream ends.
 */
export async function* streamChatCompletion(
  request: ChatCompletionRequest,
  { id, lastEvent }: StreamPosition,
  signal: AbortSignal,
  ask: typeof fetch,
  staysHere = false,
): AsyncGenerator<CompletionPieces, void, undefined> {
  const streamed = { ...request, stream: true, stream_options: { include_usage: true } };
  const headers = {
    [STREAM_ID_HEADER]: id,
    [OUTLIVES_HEADER]: 'page',
    ...(lastEvent === null ? {} : { [LAST_EVENT_HEADER]: String(lastEvent) }),
    ...(staysHere ? { [ROUTE_HEADER]: 'local' satisfies UpstreamRoute } : {}),
  };
  const { body, headers: told } = await requestEndpoint('chat/completions', signal, streamed, {
    ask,
    headers,
    logged: true,
  });
  if (body === null) throw new ApiError('engine_unavailable', endpointStrings.brokeOff);
  let begun = false;
  let ended = false;
  for await (const { data, lastId } of untilAborted(readServerSentEvents(body), signal)) {
    const pieces: CompletionPiece[] = [];
    for (const text of data) {
      if (text === '[DONE]') {
        // The server closes the stream next. Cancelling it here would look like an aborted request.
        ended = true;
        continue;
      }
      const chunk = JSON.parse(text) as ChatCompletionChunk;
      if (chunk.error !== undefined) {
        if (pieces.length > 0) yield { pieces, lastEvent: null };
        throw new ApiError(chunk.error.code, chunk.error.message, { param: chunk.error.param });
      }
      if (!begun) pieces.push({ type: 'begin', model: chunk.model, engine: told.get(ENGINE_HEADER) });
      begun = true;
      pieces.push(...piecesOf(chunk));
    }
    yield { pieces, lastEvent: lastId === null ? null : Number(lastId) };
  }
  if (!ended) throw new ApiError('engine_unavailable', endpointStrings.brokeOff);
}

function* piecesOf({ choices, usage }: ChatCompletionChunk): Generator<CompletionPiece, void, undefined> {
  const choice = choices[0];
  if (choice?.delta.reasoning_content) yield { type: 'thinking', text: choice.delta.reasoning_content };
  if (choice?.delta.content) yield { type: 'text', text: choice.delta.content };
  for (const { index, id = '', function: called } of choice?.delta.tool_calls ?? [])
    yield { type: 'tool-call', index, id, name: called?.name ?? '', text: called?.arguments ?? '' };
  if (choice?.finish_reason) yield { type: 'finish', reason: choice.finish_reason };
  if (usage) yield { type: 'usage', promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

/** Reports a broken connection as `engine_unavailable`, but an abort by the caller as the signal's reason. */
async function* untilAborted(
  events: AsyncIterable<ServerSentEvents>,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvents, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    signal.throwIfAborted();
    throw new ApiError('engine_unavailable', endpointStrings.connectionLost, { cause: error });
  }
}
