import type { UnsupportedReason } from '../../page/index.ts';
import { noWebgpuAdvice, unsupportedTitles, type BrowserFamily } from '../strings/status.ts';

/** What a browser that can run no model is told: steps for this very browser, none where the status says it all. */
export function unsupportedAdvice(reason: UnsupportedReason, userAgent: string) {
  if (reason === 'no-webgpu') return noWebgpuAdvice[browserFamily(userAgent)];
  return { title: unsupportedTitles[reason], steps: [] };
}

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
