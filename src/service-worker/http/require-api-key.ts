import { ApiError } from '../../shared/api-error.ts';
import type { KeyGrant } from '../../shared/keys/check-api-key.ts';

/** The bearer key that came with a request; undefined without exactly one. */
export function bearerToken({ headers }: Request): string | undefined {
  const header = headers.get('authorization')?.trim() ?? '';
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}

/**
 * What the bearer key of a request allows.
 * @throws ApiError `missing_api_key` without exactly one bearer token, `invalid_api_key` when it is not accepted.
 */
export async function requireBearerToken(
  request: Request,
  findKey: (token: string) => Promise<KeyGrant | null>,
): Promise<KeyGrant> {
  const token = bearerToken(request);
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
    // Clients that many services share tell a wrong key by these first words.
    'Incorrect API key provided. It may have been revoked; a page of this site makes new keys, with `createApiKeys()`.',
  );
}
