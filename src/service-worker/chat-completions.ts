import type { ModelEntry } from '../shared/model-entry.ts';
import { sha256 } from '../shared/sha256.ts';
import type { ReplyHeader } from './answer/completion-encoder.ts';
import { createJsonEncoder } from './answer/json-encoder.ts';
import { openAnswer } from './answer/open-answer.ts';
import { createStreamEncoder } from './answer/stream-encoder.ts';
import { randomId, type Exchange } from './exchange.ts';
import { readJsonBody } from './read-json-body.ts';
import { readRequestFields, toCompletionRequest } from './request/read-completion-request.ts';

/** `POST /chat/completions`: checks, then one completion as JSON or as a stream. */
export async function createChatCompletion(exchange: Exchange): Promise<Response> {
  const { request, clientId, service, settings, requestId, observer } = exchange;
  const body = await readJsonBody(exchange);
  const fields = readRequestFields(body.value);
  const model = await exchange.models.find(fields.model);
  observer?.modelNamed(model.id);
  const completion = toCompletionRequest(fields, model);

  const header: ReplyHeader = {
    id: `chatcmpl-${randomId()}`,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: await systemFingerprint(model, settings.engineVersion),
  };
  const { choices, logprobs } = completion;
  const createEncoder = fields.stream
    ? () => createStreamEncoder(header, { logprobs, includeUsage: fields.stream_options?.includeUsage ?? false })
    : () => createJsonEncoder(header, { choices, logprobs });
  const holdTime = clientPatience(request);
  const options = { requestId, fingerprint: await requestFingerprint(exchange, body.bytes), holdTime, clientId };

  const answer = await openAnswer(() => service.complete(completion, options), createEncoder, {
    ...settings,
    headHoldTime: Math.min(settings.headHoldTime, holdTime ?? Number.POSITIVE_INFINITY),
    clientGone: exchange.clientGone,
    signal: request.signal,
    requestId,
    observer,
  });
  const { contentType, cacheControl } = createEncoder();
  return new Response(answer, { headers: { 'content-type': contentType, 'cache-control': cacheControl } });
}

/** Equal for equal set-ups: the same model package with the same settings, and the same engine. */
async function systemFingerprint(model: ModelEntry, engineVersion: string): Promise<string> {
  return `fp_${(await sha256(JSON.stringify([engineVersion, model]))).slice(0, 12)}`;
}

/** Equal when the browser repeats a fetch event whose service worker died before it answered. */
async function requestFingerprint({ request, clientId }: Exchange, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const { pathname } = new URL(request.url);
  return sha256(JSON.stringify([clientId, pathname, request.headers.get('authorization'), await sha256(body)]));
}

/** Milliseconds, a little less than the client says that it waits, so that it hears why; null where it does not say. */
function clientPatience(request: Request): number | null {
  const seconds = Number(request.headers.get('x-stainless-timeout'));
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 900 : null;
}
