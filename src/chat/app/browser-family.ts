export type BrowserFamily = 'chromium' | 'firefox' | 'safari' | 'other';

/**
 * Which family a user agent belongs to. Only advice depends on it, never behaviour: what the browser can
 * do is always probed.
 */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  // Every browser on iOS is Safari underneath.
  if (/Safari\/|iPhone|iPad/.test(userAgent)) return 'safari';
  return 'other';
}
