import { ApiError } from '../../shared/api-error.ts';
import { DEFAULT_BASE_PATH } from '../../shared/http/base-path.ts';
import { errorResponse } from '../http/http-responses.ts';
import { isServed } from './find-route.ts';

/**
 * Finds the path that a request was probably meant for, such as `/v1/models` for `/app/v1/models`: the endpoint lies
 * below the origin, and not below the folder of the page.
 * @returns null if the end of the path is no route of the endpoint.
 */
export function intendedPath(path: string, basePath: string): string | null {
  for (const base of [basePath, DEFAULT_BASE_PATH]) {
    const at = path.lastIndexOf(`${base}/`);
    const intended = basePath + path.slice(at + base.length);
    if (at !== -1 && isServed(intended, basePath)) return intended;
  }
  return null;
}

/**
 * Passes a misplaced request on to the web server, which may have such an address. If it has none, the response says
 * where the endpoint is: the server's own 404 would not.
 */
export async function answerMisplaced(request: Request, intended: string, basePath: string): Promise<Response> {
  const response = await fetch(request);
  const { status, ok, headers } = response;
  const type = headers.get('content-type') ?? '';
  // Static servers refuse POST, and many answer an unknown path with a page.
  const isUnknown = [404, 405, 501].includes(status) ? !type.includes('json') : ok && type.includes('text/html');
  if (!isUnknown) return response;
  response.body?.cancel().catch(() => {});
  const { origin, pathname } = new URL(request.url);
  const sentence = `The endpoint does not answer at ${pathname}, but at ${origin}${intended}, whatever the folder of the page: the base URL of clients is ${origin}${basePath}, which a page has as location.origin + tabserve.basePath. (The web server answered with ${status}.)`;
  return errorResponse(new ApiError('unknown_url', sentence));
}
