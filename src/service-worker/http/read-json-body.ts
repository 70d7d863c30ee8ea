import { ApiError } from '../../shared/api-error.ts';
import { describeJsonFault } from './describe-json-fault.ts';
import type { Exchange } from './exchange.ts';

/**
 * Accepted content types. A request without the header is accepted. `text/plain`, which fetch() sends for a string by
 * default, is not.
 */
const JSON_TYPE = /^(application\/json|[^\s/;]+\/[^\s/;]+\+json)\s*(;|$)/i;

export interface JsonBody {
  readonly value: unknown;
  /** The text that `value` was parsed from. */
  readonly text: string;
}

/**
 * Reads and parses a request body, and adds the site's default model if it names none.
 * @param fillsModel False for a route whose requests have a default model of their own. Default: true.
 * @throws ApiError `unsupported_content_type` if the body is not declared as JSON; `request_too_large` if it exceeds
 * `maxBodyBytes`; `invalid_json` if it cannot be parsed.
 */
export async function readJsonBody({ request, settings, observer }: Exchange, fillsModel = true): Promise<JsonBody> {
  const type = request.headers.get('content-type')?.trim() ?? '';
  if (type !== '' && !JSON_TYPE.test(type)) {
    throw new ApiError(
      'unsupported_content_type',
      `The request body must be JSON. Send \`Content-Type: application/json\` instead of \`${type.slice(0, 100)}\`.`,
    );
  }
  const bytes = await readBytes(request, settings.maxBodyBytes);
  observer?.bodyRead(bytes);
  const body = parseJson(bytes);
  const { value } = body;
  if (typeof value !== 'object' || value === null) return body;
  const { model = null } = value as { model?: unknown };
  if (typeof model === 'string') observer?.modelNamed(model);
  if (model !== null || settings.defaultModel === null || !fillsModel) return body;
  const completed = { ...value, model: settings.defaultModel };
  observer?.modelNamed(completed.model);
  return { value: completed, text: JSON.stringify(completed) };
}

function parseJson(bytes: Uint8Array<ArrayBuffer>): JsonBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text), text };
  } catch {
    throw new ApiError(
      'invalid_json',
      `The request body must be a JSON object in UTF-8, but ${describeJsonFault(bytes)}.`,
    );
  }
}

/**
 * Reads the whole request body.
 * @throws ApiError `request_too_large` as soon as the limit is exceeded; the rest of the body is not read.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): ApiError =>
    new ApiError('request_too_large', `The request body may have at most ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge();

  // Firefox has no `Request.body`, so the size is known only after reading.
  if (!request.body) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > maxBytes) throw tooLarge();
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    length += read.value.byteLength;
    if (length > maxBytes) {
      // Not awaited: the error does not depend on the cancellation.
      reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
