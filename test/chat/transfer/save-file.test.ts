import { resolveObjectURL } from 'node:buffer';
import { expect, onTestFinished, test, vi } from 'vitest';
import { saveFile } from '../../../src/chat/transfer/save-file.ts';

test('a saved file can be read while the person is asked where it goes, and is given up later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.unstubAllGlobals());
  const link = { href: '', download: '', click: vi.fn<() => void>() };
  vi.stubGlobal('document', { createElement: () => link });
  saveFile('a.md', 'text/markdown', 'Text');
  expect(link.click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(30_000);
  expect(await resolveObjectURL(link.href)?.text()).toBe('Text');
  vi.advanceTimersByTime(3_600_000);
  expect(resolveObjectURL(link.href)).toBeUndefined();
});
