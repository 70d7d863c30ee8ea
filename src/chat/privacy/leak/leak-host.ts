import { LEAK_DOMAIN } from '../../../shared/security/leak-domain.ts';
import type { LeakWay } from './leak-verdict.ts';

/** An address at which no device is: it is reserved for documentation (RFC 5737). */
export const LEAK_PEER = '192.0.2.1';

/**
 * The host of one attempt. Each has its own, so that the browser's reports tell them apart.
 * @param run Tells repeated runs apart. Lower-case letters and digits.
 */
export function leakHost(way: LeakWay, run: string): string {
  return `${way}.${run}.${LEAK_DOMAIN}`;
}

/** Whether an address that the browser reported belongs to a host. Browsers report an address, or only its origin. */
export function isAtHost(address: string, host: string): boolean {
  return URL.canParse(address) && new URL(address).hostname === host;
}
