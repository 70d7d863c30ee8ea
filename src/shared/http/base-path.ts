import { requireOption } from '../require-option.ts';

/** Path of the endpoint below the origin, unless the site says otherwise. */
export const DEFAULT_BASE_PATH = '/v1';

/** One segment at least: the endpoint is not the whole site. */
const BASE_PATH = /^(\/[\w.~-]+)+$/;

/**
 * What a site says of the endpoint's path, checked, without a slash at its end.
 * @throws TypeError with a sentence for the developer.
 */
export function readBasePath(path: string = DEFAULT_BASE_PATH): string {
  const read = path.replace(/\/$/, '');
  requireOption(
    BASE_PATH.test(read),
    'basePath',
    `a path such as "/v1" or "/api/v1", but it is ${JSON.stringify(path)}`,
  );
  return read;
}

/** Whether a path is that of the endpoint, or of something below it. */
export function isBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}
