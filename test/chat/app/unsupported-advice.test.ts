import { expect, test } from 'vitest';
import { unsupportedAdvice } from '../../../src/chat/app/unsupported-advice.ts';

const CHROME = (system: string, version: number) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
const FIREFOX = (system: string, version: number) =>
  `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const SAFARI = (version: number) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version}.0 Safari/605.1.15`;
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const LINUX = 'X11; Linux x86_64';

test.each([
  ['an old Chrome', CHROME(WINDOWS, 120), ['Update the browser']],
  ['Chrome on Windows', CHROME(WINDOWS, 156), ['graphics acceleration', 'No graphics processor']],
  ['Chrome on Linux', CHROME(LINUX, 156), ['graphics acceleration', 'On Linux', 'No graphics processor']],
  ['Chrome on Android', CHROME('Linux; Android 10; K', 156), ['graphics acceleration', 'No graphics processor']],
  ['an old Firefox on Windows', FIREFOX(WINDOWS, 140), ['Update Firefox']],
  ['Firefox on Windows', FIREFOX(WINDOWS, 143), ['driver', 'dom.webgpu.enabled']],
  ['Firefox on a Mac', FIREFOX('Macintosh; Intel Mac OS X 10.15', 144), ['Update Firefox']],
  ['Firefox on Linux', FIREFOX(LINUX, 143), ['dom.webgpu.enabled', 'Chrome']],
  ['an old Safari', SAFARI(18), ['Update the system', 'Chrome']],
  ['Safari 26', SAFARI(26), ['feature flags', 'Chrome']],
  [
    'Chrome on an iPhone, which is Safari inside',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148',
    ['Update the system', 'Chrome'],
  ],
  ['something else', 'curl/8', ['Open this page in']],
])('%s without WebGPU gets only advice that helps there', (_, userAgent, expected) => {
  const { steps } = unsupportedAdvice('no-webgpu', { userAgent, hasApi: false });
  expect(steps).toHaveLength(expected.length);
  for (const [index, words] of expected.entries()) expect(steps[index]).toContain(words);
});

test('a browser with WebGPU but no GPU adapter is told so', () => {
  const userAgent = CHROME(LINUX, 156);
  expect(unsupportedAdvice('no-webgpu', { userAgent, hasApi: true }).cause).toContain('no graphics processor');
  expect(unsupportedAdvice('no-webgpu', { userAgent, hasApi: false }).cause).toContain('missing in it');
});

test('a page that no setting can help gets only a title', () => {
  const { steps, cause } = unsupportedAdvice('insecure-context', { userAgent: 'curl/8', hasApi: false });
  expect([cause, ...steps]).toEqual([null]);
});
