import { errorMessage } from '../../shared/error-message.ts';
import type { HeaderList, PageFetch, PageRequest } from '../browser/page-fetch.ts';
import type { JsonObject } from './read-fields.ts';
import { failureOf, RequestFailure } from './request-failure.ts';

/** Request headers of a client that are forwarded to the endpoint. */
const PASSED_ON = new Set(['authorization', 'x-api-key', 'x-tabserve-route']);

/** Headers of the endpoint's errors that are forwarded to the client. */
const RETURNED = ['retry-after', 'www-authenticate', 'allow'];

/** Sends requests to the endpoint's routes below `/v1` on behalf of one request of a client. */
export class Endpoint {
  readonly #fetch: PageFetch;
  readonly #headers: HeaderList;
  readonly #signal: AbortSignal | undefined;

  /** @param request The client's request. Default of its key: `local`, because clients of Ollama usually send none. */
  constructor(fetch: PageFetch, { headers = [], signal }: PageRequest) {
    this.#fetch = fetch;
    this.#signal = signal;
    const passed = headers.filter(([name]) => PASSED_ON.has(name.toLowerCase()));
    const hasKey = passed.some(([name]) => name.toLowerCase() !== 'x-tabserve-route');
    this.#headers = hasKey ? passed : [...passed, ['authorization', 'Bearer local']];
  }

  /** @throws RequestFailure if the endpoint cannot be reached or returns an error. */
  async get(path: string): Promise<JsonObject> {
    return json(await this.#send(path, 'GET', null));
  }

  /** @throws RequestFailure as {@link get} does. */
  async post(path: string, body: object): Promise<JsonObject> {
    return json(await this.stream(path, body));
  }

  /**
   * Sends a request and returns its response with an unread body.
   * @throws RequestFailure as {@link get} does.
   */
  stream(path: string, body: object): Promise<Response> {
    return this.#send(path, 'POST', body);
  }

  async #send(path: string, method: string, body: object | null): Promise<Response> {
    const response = await this.#fetch({
      path: `/v1${path}`,
      method,
      headers: [...this.#headers, ...(body === null ? [] : ([['content-type', 'application/json']] as const))],
      body: body === null ? null : serialize(body),
      ...(this.#signal ? { signal: this.#signal } : {}),
    }).catch((error: unknown) => {
      this.#signal?.throwIfAborted();
      throw new RequestFailure(503, `The browser could not answer: ${errorMessage(error)}`, {
        headers: { 'retry-after': '1' },
      });
    });
    if (response.ok) return response;
    const headers = RETURNED.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    throw failureOf(await response.json().catch(() => null), response.status, Object.fromEntries(headers));
  }
}

/**
 * Reads a JSON body. An error that occurs after the response headers is in the body, although the status is that of a
 * success.
 */
async function json(response: Response): Promise<JsonObject> {
  const body = (await response.json()) as JsonObject;
  if (body.error !== undefined) throw failureOf(body);
  return body;
}

/** Converts a body to JSON. @throws RequestFailure if its values are nested too deeply. */
function serialize(body: object): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch {
    throw new RequestFailure(400, 'The request body is nested too deeply.');
  }
}
