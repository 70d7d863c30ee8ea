import { requireOption } from '../require-option.ts';

export const DEFAULT_BASE_PATH = '/v1';

/** An absolute path with at least one segment: the endpoint must not claim the whole origin. */
const BASE_PATH = /^(\/[\w.~-]+)+$/;

/**
 * Validates the path of the endpoint and removes a trailing slash.
 * @throws TypeError for an invalid path; the message is a sentence for the developer.
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

/** Whether a path is `basePath` or below it. */
export function isBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}
