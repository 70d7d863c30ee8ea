import { expect, onTestFinished, test, vi } from 'vitest';
import { progressFacts } from '../../../src/chat/models/progress-facts.ts';
import type { DownloadFailure, DownloadProgress } from '../../../src/shared/models/model-management.ts';

const progress: DownloadProgress = {
  id: 'a',
  phase: 'downloading',
  files: [],
  receivedBytes: 1e6,
  totalBytes: 5e6,
  bytesPerSecond: 0,
  secondsLeft: null,
  failure: null,
};
const lost: DownloadFailure = { file: 'a.gguf', cause: 'network', message: '', remedy: '' };

test.each<[string, boolean, Partial<DownloadProgress>]>([
  ['Waiting for the network', false, { failure: lost }],
  ['Waiting for the network', false, { failure: lost, phase: 'preparing' }],
  ['Downloading', true, { failure: lost }],
  // A copy from the disk needs no network.
  ['Downloading', false, {}],
  ['Downloading', false, { failure: { ...lost, cause: 'http' } }],
  ['Paused', false, { phase: 'paused' }],
  ['Stopped', false, { failure: lost, phase: 'failed' }],
])('a download says “%s” where a network is there: %s, and its state %o', (words, onLine, changes) => {
  vi.stubGlobal('navigator', { onLine });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(progressFacts({ ...progress, ...changes })[0]).toBe(words);
});
