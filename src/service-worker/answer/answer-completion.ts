import type { CompletionRequest } from '../../shared/completion-request.ts';
import type { ModelEntry } from '../../shared/model-entry.ts';
import { STREAM_ID_HEADER } from '../../shared/resumable-stream.ts';
import { sha256 } from '../../shared/sha256.ts';
import { randomId, type Exchange } from '../exchange.ts';
import type { StreamHeaders } from '../request/read-stream-headers.ts';
import type { CompletionEncoder, ReplyHeader } from './completion-encoder.ts';
import { openAnswer } from './open-answer.ts';
import { createResumableEncoder } from './resumable-encoder.ts';

/** A request that has been read and may be answered. */
interface ReadRequest {
  readonly completion: CompletionRequest;
  /** The body as it came. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null for an answer that cannot be found again. */
  readonly stream: StreamHeaders | null;
  /** Makes a fresh encoder for each completion that is begun. */
  readonly createEncoder: () => CompletionEncoder;
}

/** Begins a completion and answers with what its encoder makes of it. */
export async function answerCompletion(exchange: Exchange, read: ReadRequest): Promise<Response> {
  const { request, requestId, clientId, service, settings, observer } = exchange;
  const { completion, bytes, stream, createEncoder } = read;
  const streamId = stream?.resumable.id;
  const holdTime = clientPatience(request);
  const fingerprint = await requestFingerprint(request, streamId ?? clientId, bytes);
  const options = { requestId, fingerprint, holdTime, clientId, ...(stream && { resumable: stream.resumable }) };
  const createNumbered = () => {
    const encoder = createEncoder();
    return stream === null || encoder.sentWhole ? encoder : createResumableEncoder(encoder, stream.lastEvent);
  };

  const headHoldTime = Math.min(settings.headHoldTime, holdTime ?? Number.POSITIVE_INFINITY);
  await exchange.admit(headHoldTime);
  const answer = await openAnswer(() => service.complete(completion, options), createNumbered, {
    ...settings,
    headHoldTime,
    clientGone: exchange.clientGone,
    signal: request.signal,
    requestId,
    observer,
  });
  const { contentType, cacheControl } = createEncoder();
  const headers = { 'content-type': contentType, 'cache-control': cacheControl };
  // Tells that the answer can be found again.
  return new Response(answer, {
    headers: streamId === undefined ? headers : { ...headers, [STREAM_ID_HEADER]: streamId },
  });
}

/**
 * What the answer says about itself.
 * @param prefix Kind of answer that its id names, such as `chatcmpl`.
 */
export async function replyHeader(
  prefix: string,
  model: ModelEntry,
  { settings }: Exchange,
  stream: StreamHeaders | null,
): Promise<ReplyHeader> {
  // The same for everybody who joins the answer.
  const id = stream === null ? randomId() : (await sha256(stream.resumable.id)).slice(0, 32);
  // Equal for equal set-ups: the same model package with the same settings, and the same engine.
  const setUp = await sha256(JSON.stringify([settings.engineVersion, model]));
  return {
    id: `${prefix}-${id}`,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: `fp_${setUp.slice(0, 12)}`,
  };
}

/**
 * Equal when the browser repeats a fetch event whose service worker died before it answered, and when a client comes back.
 * @param sender Id of the client, or of the stream, which any client of the same key may come back for.
 */
async function requestFingerprint(
  { url, headers }: Request,
  sender: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return sha256(JSON.stringify([sender, new URL(url).pathname, headers.get('authorization'), await sha256(body)]));
}

/** Milliseconds, a little less than the client says that it waits, so that it hears why; null where it does not say. */
function clientPatience(request: Request): number | null {
  const seconds = Number(request.headers.get('x-stainless-timeout'));
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 900 : null;
}
