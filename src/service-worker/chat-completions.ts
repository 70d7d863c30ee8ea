import type { ModelEntry } from '../shared/model-entry.ts';
import { STREAM_ID_HEADER } from '../shared/resumable-stream.ts';
import { sha256 } from '../shared/sha256.ts';
import type { ReplyHeader } from './answer/completion-encoder.ts';
import { createJsonEncoder } from './answer/json-encoder.ts';
import { openAnswer } from './answer/open-answer.ts';
import { createResumableEncoder } from './answer/resumable-encoder.ts';
import { createStreamEncoder } from './answer/stream-encoder.ts';
import { randomId, type Exchange } from './exchange.ts';
import { readJsonBody } from './read-json-body.ts';
import { readRequestFields, toCompletionRequest } from './request/read-completion-request.ts';
import { readStreamHeaders } from './request/read-stream-headers.ts';

/** `POST /chat/completions`: checks, then one completion as JSON or as a stream. */
export async function createChatCompletion(exchange: Exchange): Promise<Response> {
  const { request, clientId, service, settings, requestId, observer } = exchange;
  const found = readStreamHeaders(request);
  const streamId = found?.resumable.id;
  const body = await readJsonBody(exchange);
  const fields = readRequestFields(body.value);
  const model = await exchange.models.find(fields.model);
  observer?.modelNamed(model.id);
  const completion = toCompletionRequest(fields, model);

  const header: ReplyHeader = {
    // The same for everybody who joins the answer.
    id: `chatcmpl-${streamId === undefined ? randomId() : (await sha256(streamId)).slice(0, 32)}`,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: await systemFingerprint(model, settings.engineVersion),
  };
  const { choices, logprobs } = completion;
  const createEncoder = () => {
    if (!fields.stream) return createJsonEncoder(header, { choices, logprobs });
    const { includeUsage } = fields.stream_options ?? { includeUsage: false };
    const encoder = createStreamEncoder(header, { logprobs, includeUsage });
    return found === null ? encoder : createResumableEncoder(encoder, found.lastEvent);
  };
  const holdTime = clientPatience(request);
  const fingerprint = await requestFingerprint(request, streamId ?? clientId, body.bytes);
  const options = { requestId, fingerprint, holdTime, clientId, ...(found && { resumable: found.resumable }) };

  const headHoldTime = Math.min(settings.headHoldTime, holdTime ?? Number.POSITIVE_INFINITY);
  await exchange.admit(headHoldTime);
  const answer = await openAnswer(() => service.complete(completion, options), createEncoder, {
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

/** Equal for equal set-ups: the same model package with the same settings, and the same engine. */
async function systemFingerprint(model: ModelEntry, engineVersion: string): Promise<string> {
  return `fp_${(await sha256(JSON.stringify([engineVersion, model]))).slice(0, 12)}`;
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
