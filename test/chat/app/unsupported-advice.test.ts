import { expect, test } from 'vitest';
import { browserFamily, unsupportedAdvice } from '../../../src/chat/app/unsupported-advice.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'chromium'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'firefox'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'safari',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148',
    'safari',
  ],
  ['curl/8', 'other'],
])('advice for %s is advice for %s', (userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});

test('a browser without WebGPU gets steps, a page that no setting helps only a title', () => {
  expect(unsupportedAdvice('no-webgpu', 'Firefox/143.0')).toMatchObject({ title: expect.stringContaining('Firefox') });
  expect(unsupportedAdvice('no-webgpu', 'curl/8').steps).not.toHaveLength(0);
  expect(unsupportedAdvice('insecure-context', 'curl/8').steps).toHaveLength(0);
});
