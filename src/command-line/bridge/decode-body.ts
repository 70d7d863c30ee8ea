import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import { errorMessage } from '../../shared/error-message.ts';

/** Content codings of HTTP (RFC 9110, section 8.4.1). */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Returns the body of a request, decoded as `Content-Encoding` says. Closing the decoder early does not close the
 * connection, so that the client still gets its response.
 * @throws ApiError `unsupported_content_type` for another coding, or for several codings.
 */
export function decodeBody(request: IncomingMessage): Readable {
  const given = request.headers['content-encoding'] ?? '';
  const codings = given
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const [coding] = codings;
  if (coding === undefined) return request;
  const createDecoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (createDecoder === undefined || codings.length > 1) {
    const sentence = `The \`Content-Encoding\` of a request may be gzip, deflate or br, but it is ${quote(given)}.`;
    throw new ApiError('unsupported_content_type', sentence);
  }
  const decoder = createDecoder();
  finished(request, (error) => error && decoder.destroy(error));
  return request.pipe(decoder);
}

/** Creates the error for a body that cannot be decoded. */
export function undecodable(error: unknown): ApiError {
  const sentence = `The request body is not encoded as its \`Content-Encoding\` says: ${errorMessage(error)}.`;
  return new ApiError('invalid_value', sentence);
}
