import { ApiError } from '../../shared/api-error.ts';
import { isOfSite } from '../../shared/models/site-models.ts';
import { joinTexts, say } from '../strings/say.ts';
import { StrictSiteError } from './download/download-environment.ts';

/**
 * Refuses an address of another origin than the site's.
 * @param param Name of the parameter that contains the address.
 * @throws ApiError `invalid_value` with a sentence for the user.
 */
export function requireOwnOrigin(address: string, site: string, param: string): void {
  if (isOfSite(address, site)) return;
  const words = joinTexts(say('siteIsStrict', new URL(address).host), say('takeModelOfSite'));
  throw new ApiError('invalid_value', words, { param });
}

/**
 * Returns a `fetch` that rejects with a {@link StrictSiteError}, and sends no request, if the address is of another origin
 * than the site's.
 */
export function strictFetch(fetch: typeof globalThis.fetch, site: string): typeof globalThis.fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!isOfSite(address, site)) throw new StrictSiteError(new URL(address).host);
    return fetch(input, init);
  };
}
