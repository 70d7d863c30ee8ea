import { afterEach, expect, test, vi } from 'vitest';
import { isStrictSite } from '../../../src/chat/privacy/is-strict-site.ts';
import { policySources } from '../../../src/chat/browser/document-policy.ts';
import { MODEL_HOSTS, securityHeaders } from '../../../src/shared/security/security-headers.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** What the service worker reports. */
const report = (_: object, [port]: [MessagePort]) => port.postMessage({ isStrict: true });

/** A page of a site that refuses models of other hosts, and the policy that its server sends. */
function sendPolicy(policy: string | null): void {
  vi.stubGlobal('document', { baseURI: 'https://site.test/' });
  const headers: Record<string, string> = policy === null ? {} : { 'content-security-policy': policy };
  vi.stubGlobal('fetch', async () => new Response('', { headers }));
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage: report } } });
}

const policyOf = (hosts: readonly string[]) => securityHeaders(hosts)['content-security-policy']!;

test.each<[policy: string | null, sources: readonly string[], isStrict: boolean]>([
  [policyOf([]), [], true],
  [policyOf(MODEL_HOSTS), MODEL_HOSTS, false],
  [null, [], false],
  // Hosts send such policies of their own accord, and they limit no connection.
  ["frame-ancestors 'self'", ['*'], false],
  ['upgrade-insecure-requests', ['*'], false],
  ["default-src 'self' https://cdn.test", ['https://cdn.test'], false],
  ["default-src 'none'", [], true],
  ["default-src *; Connect-Src 'none'", [], true],
  // Two headers.
  [`${policyOf([])}, frame-ancestors https://portal.test`, [], true],
  ["frame-ancestors 'self', connect-src 'self'", [], true],
  ["connect-src 'self', frame-ancestors https://portal.test", [], true],
])('with the policy %j the page may connect to %j, and is strict: %s', async (policy, sources, isStrict) => {
  sendPolicy(policy);
  expect([await policySources(), await isStrictSite()]).toEqual([sources, isStrict]);
});
