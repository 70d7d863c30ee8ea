let last = 0;

/**
 * Returns the milliseconds since 1970, with a fraction that makes each result greater than the one before, so that lists of
 * records have the order of their creation.
 */
export function uniqueNow(): number {
  last = Math.max(Date.now(), last + 1 / 1024);
  return last;
}
