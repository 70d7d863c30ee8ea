import { errorBody, type ApiError } from '../../shared/api-error.ts';
import { brokenOff } from '../../shared/engine/engine-errors.ts';
import { messagesErrorBody, speaksMessages } from '../../shared/http/messages-api-errors.ts';
import type { PageFetch, PageRequest } from '../browser/page-fetch.ts';

/** Matches the last event of a complete stream. A stream that has ended with an error needs no second one, either. */
const END =
  /^(?:data: ?(?:\[DONE\]|\{"error":)|event: ?(?:message_stop|error|response\.(?:completed|failed|incomplete))$)/m;

/**
 * Wraps a page's `fetch` so that a stream that breaks off, because the page or the browser has ended, tells its client
 * why: the body ends with the error event of the API that the request uses, and then fails. Each event is passed on
 * when it is complete, so that none is cut off. A body that fails after its last event is closed: its answer is whole.
 */
export function withErrorEvent(fetch: PageFetch): PageFetch {
  return async (request) => {
    const response = await fetch(request);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    return isStream && response.body ? new Response(tellingBody(response, request), response) : response;
  };
}

function tellingBody(response: Response, request: PageRequest): ReadableStream<Uint8Array> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The beginning of an event whose end has not arrived. */
  let partial = '';
  /** Number of the last event of the Responses API. */
  let last = -1;
  let failure: unknown = null;
  let hasEnded = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (failure !== null) throw failure;
        for (;;) {
          const { done, value } = await reader.read().catch((thrown: unknown) => {
            if (request.signal?.aborted) throw thrown;
            failure = thrown;
            return { done: false, value: null };
          });
          if (failure !== null && hasEnded) return controller.close();
          if (failure !== null) {
            const id = response.headers.get('x-request-id') ?? '';
            return controller.enqueue(encoder.encode(errorEvent(brokenOff(), request, id, last + 1)));
          }
          partial += value ? decoder.decode(value, { stream: true }) : decoder.decode();
          const end = done ? partial.length : partial.lastIndexOf('\n\n') + 2;
          if (end > 1) {
            const text = partial.slice(0, end);
            last = Number(/.*"sequence_number":(\d+)/s.exec(text)?.[1] ?? last);
            hasEnded ||= END.test(text);
            partial = partial.slice(end);
            controller.enqueue(encoder.encode(text));
          }
          if (done) return controller.close();
          if (end > 1) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Encodes an error as the last event of a stream, in the form of the API whose path the request has. */
function errorEvent(error: ApiError, { path, headers = [] }: PageRequest, requestId: string, sequence: number): string {
  const [route = ''] = path.split('?', 1);
  if (speaksMessages(new Headers(headers.map(([name, value]) => [name, value])), route, '/v1')) {
    return namedError(messagesErrorBody(error, requestId));
  }
  const body = errorBody(error);
  if (!`${route}/`.startsWith('/v1/responses/')) return `data: ${JSON.stringify(body)}\n\n`;
  // Flat as the API describes it, and nested as OpenAI's service sends it.
  const { code, message, param } = body.error;
  return namedError({ type: 'error', sequence_number: sequence, code, message, param, ...body });
}

function namedError(data: object): string {
  return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
}
