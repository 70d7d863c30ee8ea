/**
 * Tells the developer of the page what is wrong, once for each failure: every line begins alike, so that the console can
 * be filtered for it.
 * @param cause What the browser threw, where that says more.
 */
export function logError(message: string, cause?: unknown): void {
  console.error(`[tabserve] ${message}`, ...(cause === undefined ? [] : [cause]));
}
