/**
 * Logs an error for the site's developer. Every line begins with `[tabserve]`, so that the console can be filtered.
 * @param cause What the browser threw, if anything.
 */
export function logError(message: string, cause?: unknown): void {
  console.error(`[tabserve] ${message}`, ...(cause === undefined ? [] : [cause]));
}
