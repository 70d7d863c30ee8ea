import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { randomId, type Exchange } from '../http/exchange.ts';
import type { StreamHeaders } from '../request/read-stream-headers.ts';
import type { NewAnswer } from './stored-answers.ts';
import type { CompletionEncoder, ReplyHeader } from '../encoders/completion-encoder.ts';
import { openAnswer } from './response-body.ts';
import { createResumableEncoder } from '../encoders/resumable-encoder.ts';

/** A request that has been read and may be answered. */
interface ReadRequest {
  readonly completion: CompletionRequest;
  /** The body as it came. */
  readonly text: string;
  /** Null for an answer that cannot be found again. */
  readonly stream: StreamHeaders | null;
  /** How it is to be stored; null where it is not. */
  readonly stored: Omit<NewAnswer, 'stream'> | null;
  /** Makes a fresh encoder for each completion that is begun. */
  readonly createEncoder: () => CompletionEncoder;
}

/** Begins a completion and answers with what its encoder makes of it. */
export async function answerCompletion(exchange: Exchange, read: ReadRequest): Promise<Response> {
  const { stream, createEncoder } = read;
  const createNumbered = () => {
    const encoder = createEncoder();
    return stream === null || encoder.sentWhole ? encoder : createResumableEncoder(encoder, stream.lastEvent);
  };
  const { begin, headHoldTime } = await admitCompletion(exchange, read);
  const response = await respond(exchange, begin, createNumbered, headHoldTime);
  // Tells that the answer can be found again.
  if (stream !== null) response.headers.set(STREAM_ID_HEADER, stream.resumable.id);
  return response;
}

interface AdmittedCompletion {
  /** Begins the completion, or begins it again. */
  begin(): ReadableStream<readonly CompletionEvent[]>;
  /** Milliseconds for which the head of an answer may wait for the model. */
  readonly headHoldTime: number;
}

/** Waits until the completion may begin. */
export async function admitCompletion(
  { request, path, requestId, clientId, service, answers, settings, admit }: Exchange,
  { completion, text, stream, stored }: Omit<ReadRequest, 'createEncoder'>,
): Promise<AdmittedCompletion> {
  // Nobody waits for what runs in the background.
  const holdTime = stored?.background ? null : clientPatience(request);
  const headHoldTime = Math.min(settings.headHoldTime, holdTime ?? Number.POSITIVE_INFINITY);
  // Equal when the browser repeats a fetch event whose service worker died before it answered, and when a client comes back:
  // for a stream that it has named, any client of the same key may.
  const [fingerprint] = await Promise.all([
    sha256(JSON.stringify([stream?.resumable.id ?? clientId, path, request.headers.get('authorization')]) + text),
    admit(headHoldTime),
  ]);
  const options = { requestId, fingerprint, holdTime, clientId };
  return {
    begin: () =>
      stored === null
        ? service.complete(completion, { ...options, ...(stream && { resumable: stream.resumable }) })
        : answers.begin(completion, options, { ...stored, ...(stream && { stream: stream.resumable }) }),
    headHoldTime,
  };
}

/** Answers with what an encoder makes of an answer that was stored, whether it has ended or not. */
export function answerStored(
  exchange: Exchange,
  answer: StoredAnswer,
  createEncoder: () => CompletionEncoder,
): Promise<Response> {
  exchange.observer?.modelNamed(answer.model);
  return respond(exchange, () => exchange.answers.events(answer), createEncoder, exchange.settings.headHoldTime);
}

async function respond(
  { request, requestId, settings, clientGone, observer }: Exchange,
  begin: () => ReadableStream<readonly CompletionEvent[]>,
  createEncoder: () => CompletionEncoder,
  headHoldTime: number,
): Promise<Response> {
  const { signal } = request;
  const body = await openAnswer(begin, createEncoder, {
    ...settings,
    headHoldTime,
    clientGone,
    signal,
    requestId,
    observer,
  });
  const { contentType, cacheControl } = createEncoder();
  return new Response(body, { headers: { 'content-type': contentType, 'cache-control': cacheControl } });
}

/** The hash of each set-up that has answered: a handful, and waiting for a hash delays an answer. */
const setUps: Record<string, string> = {};

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
  const described = JSON.stringify([settings.engineVersion, model]);
  const setUp = (setUps[described] ??= await sha256(described));
  return {
    id: `${prefix}-${id}`,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: `fp_${setUp.slice(0, 12)}`,
  };
}

/** Milliseconds, a little less than the client says that it waits, so that it hears why; null where it does not say. */
function clientPatience(request: Request): number | null {
  const seconds = Number(request.headers.get('x-stainless-timeout'));
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 900 : null;
}
