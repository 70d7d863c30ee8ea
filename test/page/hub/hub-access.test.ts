import { expect, test } from 'vitest';
import { isSameSite } from '../../../src/page/hub/hub-access.ts';

test.each([
  ['https://app.example.org', 'https://models.example.org', true],
  ['https://example.org', 'https://a.b.example.org:8443', true],
  ['http://localhost:4000', 'http://localhost:5000', true],
  ['https://example.org', 'http://example.org', false],
  ['https://example.org', 'https://example.com', false],
  ['https://evil.pages.dev', 'https://models.pages.dev', false],
  ['https://app.one.co.uk', 'https://models.one.co.uk', true],
  ['https://evil.co.uk', 'https://models.co.uk', false],
  ['https://github.io', 'https://models.github.io', false],
  ['https://evil-example.org', 'https://example.org', false],
  ['http://127.0.0.1', 'http://10.0.0.1', false],
  ['https://[::1]', 'https://[::2]', false],
  ['http://one', 'http://other', false],
])('%s and %s may be of one domain: %s', (one, other, expected) => {
  expect(isSameSite(one, other)).toBe(expected);
});
