import { afterEach, expect, test, vi } from 'vitest';
import { formatNumber } from '../../../src/chat/strings/format.ts';

afterEach(() => vi.unstubAllGlobals());

test('a number is formatted in a browser whose language has no valid tag', () => {
  vi.stubGlobal('navigator', { languages: ['en-US@posix', 'en'] });
  expect(formatNumber(1234.5, 1)).toBe('1,234.5');
});
