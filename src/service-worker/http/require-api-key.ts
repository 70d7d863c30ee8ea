import { ApiError } from '../../shared/api-error.ts';
import type { KeyGrant } from '../../shared/keys/find-key-grant.ts';

/** The key of a request: its bearer token or, without one, `x-api-key`, which clients of the Messages API send. */
export function apiKey({ headers }: Request): string | undefined {
  const header = headers.get('authorization')?.trim() ?? '';
  const [, bearer] = /^bearer +(\S+)$/i.exec(header) ?? [];
  return bearer ?? /^\S+$/.exec(headers.get('x-api-key')?.trim() ?? '')?.[0];
}

/**
 * Checks the API key of a request and returns what it permits.
 * @throws ApiError `missing_api_key` unless the request has one; `invalid_api_key` if the token is not accepted.
 */
export async function requireApiKey(
  request: Request,
  findKey: (token: string) => Promise<KeyGrant | null>,
): Promise<KeyGrant> {
  const token = apiKey(request);
  if (token === undefined) {
    throw new ApiError(
      'missing_api_key',
      'No usable API key came with the request. Send it as `Authorization: Bearer <key>`; the key of a fresh installation is `local`.',
    );
  }
  const grant = await findKey(token);
  if (grant !== null) return grant;
  throw new ApiError(
    'invalid_api_key',
    // Clients made for several services recognise a wrong key by the first four words of this message, which are
    // OpenAI's.
    'Incorrect API key provided. `local` works, unless the site has keys of its own; a key that was made may have been revoked. A page of this site makes new keys, with `createApiKeys()`.',
  );
}
