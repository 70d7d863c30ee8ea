import { ApiError } from '../../../src/shared/api-error.ts';
import type { Surroundings } from '../specimen.ts';

/**
 * Creates the `fetch` of the gallery: it responds with samples to API requests and to requests for the page's policy.
 */
export function sampleEndpoint(surroundings: Surroundings): typeof fetch {
  const { fetch } = globalThis;
  return async (input, init) => {
    const { pathname, origin } = new URL(input instanceof Request ? input.url : input, document.baseURI);
    if (origin !== location.origin) throw new TypeError('Nothing leaves the gallery.');
    if (pathname === location.pathname) return page(surroundings);
    if (!pathname.startsWith('/v1/')) return fetch(input, init);
    if (pathname === '/v1/models') return models(surroundings);
    if (pathname.startsWith('/v1/vector_stores')) return collections(surroundings, pathname);
    if (pathname === '/v1/embeddings') return embeddings(String(init?.body));
    const { status } = surroundings;
    return status.state === 'unsupported' ? refusal(status.message) : completion(surroundings, init?.signal ?? null);
  };
}

function page({ policy }: Surroundings): Response {
  return new Response('', policy === null ? {} : { headers: { 'content-security-policy': policy } });
}

function refusal(message: string): Response {
  return failure(new ApiError('gpu_unavailable', message));
}

function failure(error: ApiError): Response {
  return Response.json({ error: error.toData() }, { status: error.status, headers: { 'x-request-id': 'req_sample' } });
}

function models({ models }: Surroundings): Response {
  const usable = Array.isArray(models) ? models.filter(({ state }) => state.kind === 'present') : [];
  return Response.json({
    object: 'list',
    data: usable.map(({ id }) => ({ id, object: 'model', context_window: 4096 })),
  });
}

/** Lists the collections, the files of one, or returns the text of one's files. */
function collections({ collections }: Surroundings, path: string): Response {
  if (collections instanceof ApiError) return failure(collections);
  const [, , , id, , file] = path.split('/');
  if (id === undefined) return list(collections.map(({ collection }) => collection));
  const sample = collections.find(({ collection }) => collection.id === id);
  if (sample === undefined) return failure(new ApiError('vector_store_not_found', 'There is no such collection.'));
  return list(file === undefined ? sample.files : [{ type: 'text', text: sample.text }]);
}

function list(data: readonly object[]): Response {
  return Response.json({ object: 'list', data, has_more: false });
}

/** All texts get the same embedding, except those that contain "nowhere". */
function embeddings(body: string): Response {
  const { input } = JSON.parse(body) as { input: readonly string[] };
  return Response.json({ data: input.map((text) => ({ embedding: text.includes('nowhere') ? [0, 1] : [1, 0] })) });
}

/** Streams the answer of the surroundings event by event. A stream without an end stays open until it is aborted. */
function completion({ completion: { pieces, ends } }: Surroundings, signal: AbortSignal | null): Response {
  const deltas = [{ role: 'assistant' }, ...pieces.map((content) => ({ content }))];
  const events = [
    ...deltas.map((delta) => chunk(delta, null)),
    ...(ends ? [chunk({}, 'stop'), 'data: [DONE]\n\n'] : []),
  ];
  const body = new ReadableStream<string>({
    start(controller) {
      for (const event of events) controller.enqueue(event);
      signal?.addEventListener('abort', () => controller.error(signal.reason));
      if (ends) controller.close();
    },
  });
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_sample' },
  });
}

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason, logprobs: null }];
  const object = 'chat.completion.chunk';
  return `data: ${JSON.stringify({ id: 'chatcmpl-sample', object, created: 1, model: 'pocket', choices })}\n\n`;
}
