import { expect, test } from 'vitest';
import { pagePolicy, securityHeaders } from '../../../src/shared/security/security-headers.ts';

/** Returns the sources of a directive; undefined if the policy does not have it. */
function sourcesOf(policy: string, directive: string): readonly string[] | undefined {
  const found = policy.split('; ').find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1);
}

test.for([
  ['https://models.example', 'https://models.example/*'],
  ['https://*.hf.co', 'https://*.hf.co/*'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/*'],
  ['https://models.example:*', 'https://models.example:*/*'],
  ['https://models.example/folder/', 'https://models.example/folder/*'],
  ['https://models.example/file.gguf', 'https://models.example/file.gguf'],
  ['wss://models.example', 'https://models.example/*'],
  ['models.example', 'http{s}?://models.example/*'],
  ['https:', 'https://*:*/*'],
  ['*', 'http{s}?://*:*/*'],
] as const)('the source %s of the policy is the pattern %s of the allowlist', ([source, pattern]) => {
  const headers = securityHeaders([source]);
  expect(sourcesOf(headers['content-security-policy']!, 'connect-src')).toContain(source);
  expect(headers['connection-allowlist']).toBe(`(response-origin "${pattern}");redirects=allow;webrtc=block`);
});

test('the allowlist has every host of the policy, and no other', () => {
  const { 'content-security-policy': policy, 'connection-allowlist': allowlist } = securityHeaders();
  const hosts = sourcesOf(policy!, 'connect-src')!.filter((source) => source.startsWith('https:'));
  expect(hosts.length).toBeGreaterThan(0);
  expect([...allowlist!.matchAll(/"(.*?)\/\*"/g)].map(([, host]) => host)).toEqual(hosts);
});

test('without hosts, the page and its workers reach the own origin only, and no redirect is followed', () => {
  const { 'content-security-policy': policy, 'connection-allowlist': allowlist } = securityHeaders([]);
  expect(sourcesOf(policy!, 'connect-src')).toEqual(["'self'", 'data:']);
  expect(allowlist).toBe('(response-origin);webrtc=block');
});

test('the policy in the page is that of the headers without other hosts, and has only what a page may say', () => {
  const header = securityHeaders([])['content-security-policy']!;
  expect(pagePolicy()).toBe(header.replace("; frame-ancestors 'none'", ''));
  // Browsers ignore these three in a page, and put a complaint on the console.
  expect(pagePolicy()).not.toMatch(/frame-ancestors|report-uri|sandbox/);
});
