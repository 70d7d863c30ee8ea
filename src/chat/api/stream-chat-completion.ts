import { ApiError } from '../../shared/api-error.ts';
import { LAST_EVENT_HEADER, OUTLIVES_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import { streamStrings } from '../strings/answer-errors.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import { ChunkReader, type CompletionPiece, type ReadChunk } from './read-chunk.ts';
import { readServerSentEvents, type ServerSentEvents } from './read-server-sent-events.ts';
import { requestEndpoint } from './request-endpoint.ts';
import { ThinkTags } from './think-tags.ts';

/** Pieces that arrived together. If they are stored with `lastEvent`, the stream can be resumed after them. */
interface CompletionPieces {
  readonly pieces: readonly CompletionPiece[];
  /** Number of the last event among them; null if the endpoint does not number its events. */
  readonly lastEvent: number | null;
  /** Tokens of the prompt that are prefilled, as the endpoint reports them before the answer. Absent: no report. */
  readonly tokensRead?: number;
}

/** The comment of the endpoint's stream that reports the progress of the prefill. */
const PREFILL = /^prefill (\d+) tokens$/;

/** A named stream that this page or another one can resume. */
export interface StreamPosition {
  /** A random name, new for each answer. */
  readonly id: string;
  /** Number of the last event received; -1 if none was. Null starts a new answer. */
  readonly lastEvent: number | null;
}

/**
 * Streams `POST /v1/chat/completions`.
 * @param ask Replaces the global `fetch`.
 * @param staysHere True if no upstream may answer. Default: false.
 * @throws ApiError the endpoint's error, also in mid-stream; `engine_unavailable` if the stream breaks off;
 * `upstream_failed` after an answer of unknown form, whose words are sent as text;
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
  };
  const { body, headers: told } = await requestEndpoint('chat/completions', signal, streamed, {
    ask,
    headers,
    logged: true,
    mayLeave: !staysHere,
  });
  if (body === null) throw new ApiError('engine_unavailable', streamStrings.brokeOff);
  let begun = false;
  let ended = false;
  const engine = told.get(ENGINE_HEADER);
  // Only upstreams leave thinking in the text. This site's engine separates it and numbers its events: text that
  // `ThinkTags` holds back would be lost if the stream is resumed after the event that contained it.
  const tags = engine?.startsWith('upstream:') === true ? new ThinkTags() : null;
  const reader = new ChunkReader();
  for await (const { events, lastId, comment } of untilAborted(readServerSentEvents(body), signal)) {
    const pieces: CompletionPiece[] = [];
    for (const event of events) {
      if (event.data.trim() === '[DONE]') {
        // The server closes the stream next. Cancelling it here would appear to the server as an aborted request.
        ended = true;
        continue;
      }
      let chunk: ReadChunk | null;
      try {
        chunk = reader.read(event);
      } catch (error) {
        if (reader.unknownWords !== '') pieces.push({ type: 'text', text: reader.unknownWords });
        if (pieces.length > 0) yield { pieces, lastEvent: null };
        throw error;
      }
      if (chunk === null) continue;
      if (!begun) pieces.push({ type: 'begin', model: chunk.model ?? request.model, engine });
      begun = true;
      // Some upstreams close the stream without `[DONE]`.
      ended ||= tags !== null && chunk.pieces.some(({ type }) => type === 'finish');
      for (const piece of chunk.pieces) pieces.push(...(tags?.split(piece) ?? [piece]));
    }
    const read = PREFILL.exec(comment ?? '')?.[1];
    const tokensRead = read === undefined ? {} : { tokensRead: Number(read) };
    yield { pieces, lastEvent: lastId === null ? null : Number(lastId), ...tokensRead };
  }
  if (tags !== null) yield { pieces: [...tags.rest()], lastEvent: null };
  if (reader.unknownWords !== '') {
    if (!begun) yield { pieces: [{ type: 'begin', model: request.model, engine }], lastEvent: null };
    yield { pieces: [{ type: 'text', text: reader.unknownWords }], lastEvent: null };
    throw new ApiError('upstream_failed', streamStrings.unknownForm);
  }
  if (!ended) throw new ApiError('engine_unavailable', streamStrings.brokeOff);
}

/** Throws `engine_unavailable` for a broken connection, but the signal's reason if the caller aborted. */
async function* untilAborted(
  events: AsyncIterable<ServerSentEvents>,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvents, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    signal.throwIfAborted();
    throw new ApiError('engine_unavailable', streamStrings.connectionLost, { cause: error });
  }
}
