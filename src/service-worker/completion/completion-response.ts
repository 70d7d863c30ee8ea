import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import { EARLY_HEADERS_HEADER } from '../../shared/http/early-headers.ts';
import { STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import type { CompletionEncoder, CompletionIdentity } from '../encoders/completion-encoder.ts';
import { createResumableEncoder } from '../encoders/resumable-encoder.ts';
import { randomId, type Exchange } from '../http/exchange.ts';
import { apiKey } from '../http/require-api-key.ts';
import type { StreamHeaders } from '../request/read-stream-headers.ts';
import { openResponseBody } from './response-body.ts';
import type { NewAnswer } from '../engine/stored-answers.ts';

/** A request whose fields have passed all checks. */
interface CheckedRequest {
  readonly completion: CompletionRequest;
  /** The JSON text of the body, and what else the repetition of a request must have in common with it. */
  readonly text: string;
  /** The request's headers that make the response resumable; null if the client cannot resume it. */
  readonly stream: StreamHeaders | null;
  /** What to store of the answer; null if the answer is not stored. */
  readonly stored: Omit<NewAnswer, 'stream'> | null;
  /** Creates the encoder of the response. Called once per attempt, because encoders keep state. */
  readonly createEncoder: () => CompletionEncoder;
}

/** Starts a completion and responds with its encoded events. */
export async function respondWithCompletion(exchange: Exchange, read: CheckedRequest): Promise<Response> {
  const { stream, createEncoder } = read;
  const createResumable = () => {
    const encoder = createEncoder();
    return stream === null || encoder.isBuffered ? encoder : createResumableEncoder(encoder, stream.lastEvent);
  };
  const { begin, headersTimeout } = await admitCompletion(exchange, read);
  const response = await respond(exchange, begin, createResumable, headersTimeout);
  if (stream !== null) response.headers.set(STREAM_ID_HEADER, stream.resumable.id);
  return response;
}

interface AdmittedCompletion {
  /** Starts the completion. Called again for another attempt after a failed one. */
  begin(): ReadableStream<readonly CompletionEvent[]>;
  /** Milliseconds for which the response headers may wait for the model. */
  readonly headersTimeout: number;
}

/**
 * Waits until the completion may start. Returns the function that starts it, and the timeout of its response headers.
 */
export async function admitCompletion(
  { request, path, requestId, clientId, service, answers, settings, admit }: Exchange,
  { completion, text, stream, stored }: Omit<CheckedRequest, 'createEncoder'>,
): Promise<AdmittedCompletion> {
  // The client of a background response does not wait for the completion, so its timeout does not apply.
  const holdTime = stored?.background ? null : clientTimeout(request);
  const headersTimeout = Math.min(settings.headersTimeout, holdTime ?? Number.POSITIVE_INFINITY);
  // Two requests have the same fingerprint in two cases: the browser repeats a fetch event because the service worker
  // died before it responded, or a client resumes a stream. Any client with the same API key can resume a stream whose
  // id it knows.
  const [fingerprint] = await Promise.all([
    sha256(JSON.stringify([stream?.resumable.id ?? clientId, path, apiKey(request)]) + text),
    admit(headersTimeout),
  ]);
  const options = { requestId, fingerprint, holdTime, clientId };
  return {
    begin: () =>
      stored === null
        ? service.complete(completion, { ...options, ...(stream && { resumable: stream.resumable }) })
        : answers.begin(completion, options, { ...stored, ...(stream && { stream: stream.resumable }) }),
    headersTimeout,
  };
}

/** Responds with the encoded events of a stored answer, finished or running. */
export function respondWithStoredAnswer(
  exchange: Exchange,
  answer: StoredAnswer,
  createEncoder: () => CompletionEncoder,
): Promise<Response> {
  exchange.observer?.modelNamed(answer.model);
  return respond(exchange, () => exchange.answers.events(answer), createEncoder, exchange.settings.headersTimeout);
}

async function respond(
  { request, requestId, settings, waiting, clientDisconnected, observer }: Exchange,
  begin: () => ReadableStream<readonly CompletionEvent[]>,
  createEncoder: () => CompletionEncoder,
  headersTimeout: number,
): Promise<Response> {
  const { signal } = request;
  const told: { engine?: string } = {};
  const body = await openResponseBody(begin, createEncoder, {
    ...settings,
    headersTimeout,
    waiting,
    wantsEarlyHeaders: request.headers.has(EARLY_HEADERS_HEADER),
    clientDisconnected,
    signal,
    requestId,
    observer,
    onEngine: (engine) => (told.engine = engine),
  });
  const { contentType, cacheControl } = createEncoder();
  const headers = { 'content-type': contentType, 'cache-control': cacheControl };
  return new Response(body, {
    headers: { ...headers, ...(told.engine !== undefined && { [ENGINE_HEADER]: `local; ${told.engine}` }) },
  });
}

/**
 * Cache of the hashes in `system_fingerprint`, by the JSON text of engine version and model. Cached because computing a
 * hash delays the response.
 */
const setupHashes: Record<string, string> = {};

/**
 * Returns the fields that identify a response: id, time of creation, model and `system_fingerprint`.
 * @param prefix Beginning of the id, such as `chatcmpl-`.
 * @param stream Null if the client cannot resume the response.
 */
export async function completionIdentity(
  prefix: string,
  model: ModelEntry,
  { settings }: Exchange,
  stream: StreamHeaders | null,
): Promise<CompletionIdentity> {
  // Derived from the stream's id, so that a resumed response has the same id.
  const id = stream === null ? randomId() : (await sha256(stream.resumable.id)).slice(0, 32);
  const setup = JSON.stringify([settings.engineVersion, model]);
  const setupHash = (setupHashes[setup] ??= await sha256(setup));
  return {
    id: prefix + id,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: `fp_${setupHash.slice(0, 12)}`,
  };
}

/**
 * Milliseconds that the client waits for a response: 90 % of the timeout that it sends, so that the error arrives
 * before the client gives up. Null if the client sends none.
 */
function clientTimeout(request: Request): number | null {
  const seconds = Number(request.headers.get('x-stainless-timeout'));
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 900 : null;
}
