/** A request that gets an error response in Ollama's format. Used only within this folder. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure' as const;
  readonly status: number;
  /** The endpoint's error code; null if the request did not reach the endpoint. */
  readonly code: string | null;
  /** Headers of the response, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param message A sentence for the person who must fix it. */
  constructor(
    status: number,
    message: string,
    { code = null, headers = {} }: { code?: string | null; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Converts the endpoint's error object.
 * @param status Default: 500, for failures after the response headers.
 */
export function failureOf(body: unknown, status = 500, headers: Readonly<Record<string, string>> = {}): RequestFailure {
  const error = (body as { error?: { message?: unknown; code?: unknown } | null } | null)?.error;
  const { message, code } = error ?? {};
  return new RequestFailure(status, typeof message === 'string' ? message : `The endpoint answered ${status}.`, {
    code: typeof code === 'string' ? code : null,
    headers,
  });
}
