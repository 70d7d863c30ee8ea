import type { UnsupportedReason } from '../../page/index.ts';
import { noWebgpuAdvice, unsupportedTitles, type BrowserFamily } from '../strings/status.ts';

/** Steps for a browser that cannot run a model; none if the status says enough. */
export function unsupportedAdvice(reason: UnsupportedReason, userAgent: string) {
  if (reason === 'no-webgpu') return noWebgpuAdvice[browserFamily(userAgent)];
  return { title: unsupportedTitles[reason], steps: [] };
}

/** The browser family of a user agent. Only advice depends on it; features are always probed. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  // Every browser on iOS uses Safari's engine.
  if (/Safari\/|iPhone|iPad/.test(userAgent)) return 'safari';
  return 'other';
}
