import { errorMessage } from '../../shared/error-message.ts';
import type { HeaderList, PageFetch, PageRequest } from '../browser/page-fetch.ts';
import type { JsonObject } from './read-fields.ts';
import { failureOf, RequestFailure } from './request-failure.ts';

/** Headers of a client that concern the endpoint too. */
const PASSED_ON = new Set(['authorization', 'x-api-key', 'x-tabserve-route']);

/** Headers of the endpoint's errors that concern the client too. */
const RETURNED = ['retry-after', 'www-authenticate', 'allow'];

/** The endpoint's routes below `/v1`, for one request of a client. */
export class Endpoint {
  readonly #fetch: PageFetch;
  readonly #headers: HeaderList;
  readonly #signal: AbortSignal | undefined;

  /** @param request The request of the client. Clients of Ollama send no key unless told to. Default: the key `local`. */
  constructor(fetch: PageFetch, { headers = [], signal }: PageRequest) {
    this.#fetch = fetch;
    this.#signal = signal;
    const passed = headers.filter(([name]) => PASSED_ON.has(name.toLowerCase()));
    const hasKey = passed.some(([name]) => name.toLowerCase() !== 'x-tabserve-route');
    this.#headers = hasKey ? passed : [...passed, ['authorization', 'Bearer local']];
  }

  /** @throws RequestFailure if the endpoint cannot be reached, or refuses. */
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

/** Reads a JSON body. A failure after the response headers is an error in the body of a success. */
async function json(response: Response): Promise<JsonObject> {
  const body = (await response.json()) as JsonObject;
  if (body.error !== undefined) throw failureOf(body);
  return body;
}

/** @throws RequestFailure if values are nested so deeply that they cannot be written. */
function serialize(body: object): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(body));
  } catch {
    throw new RequestFailure(400, 'The request body is nested too deeply.');
  }
}
