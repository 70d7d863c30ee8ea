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
  ['https://app.one.github.io', 'https://models.one.github.io', true],
  ['https://evil.me.uk', 'https://models.me.uk', false],
  ['https://evil.static.hf.space', 'https://models.static.hf.space', false],
  ['https://evil.up.railway.app', 'https://models.up.railway.app', false],
  ['https://app.one.up.railway.app', 'https://models.one.up.railway.app', true],
  ['https://evil.ondigitalocean.app', 'https://models.ondigitalocean.app', false],
  ['https://main.evil.amplifyapp.com', 'https://main.models.amplifyapp.com', false],
  ['https://evil.s3.amazonaws.com', 'https://models.s3.amazonaws.com', false],
  ['http://evil.s3-website.eu-west-1.amazonaws.com', 'http://models.s3-website.eu-west-1.amazonaws.com', false],
  ['https://evil.z6.web.core.windows.net', 'https://models.z6.web.core.windows.net', false],
  [
    'https://evil.hash.westeurope.azurecontainerapps.io',
    'https://models.other.westeurope.azurecontainerapps.io',
    false,
  ],
  ['https://evil-5173.app.github.dev', 'https://models-5173.app.github.dev', false],
  ['https://evil.org.', 'https://models.example.org.', false],
  ['https://example.org.', 'https://example.org.', true],
  ['https://evil-example.org', 'https://example.org', false],
  ['http://127.0.0.1', 'http://10.0.0.1', false],
  ['https://[::1]', 'https://[::2]', false],
  ['http://one', 'http://other', false],
])('%s and %s may be of one domain: %s', (one, other, expected) => {
  expect(isSameSite(one, other)).toBe(expected);
});
