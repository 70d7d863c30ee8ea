import type { UnsupportedReason } from '../../page/index.ts';
import { noWebgpuAdvice, unsupportedTitles, type BrowserFamily } from '../strings/status.ts';

/**
 * Title and steps for a user whose browser cannot run a model. The steps are empty for a reason that the banner
 * explains in one sentence.
 */
export function unsupportedAdvice(reason: UnsupportedReason, userAgent: string) {
  if (reason === 'no-webgpu') return noWebgpuAdvice[browserFamily(userAgent)];
  return { title: unsupportedTitles[reason], steps: [] };
}

/** The browser family of a user agent. It only decides which advice is shown; features are always probed. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  // Every browser on iOS uses Safari's engine.
  if (/Safari\/|iPhone|iPad/.test(userAgent)) return 'safari';
  return 'other';
}
