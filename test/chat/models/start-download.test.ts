import { beforeEach, expect, test, vi } from 'vitest';
import { sampleModel } from '../../gallery/samples/models.ts';
import { startDownload } from '../../../src/chat/models/start-download.ts';
import { modelToChatWith } from '../../../src/chat/storage/awaited-model.ts';
import type { ModelManager } from '../../../src/page/model-manager.ts';
import type { ModelListing } from '../../../src/shared/models/model-management.ts';

const SAID = 1e9;

interface Circumstances {
  readonly model?: Partial<ModelListing>;
  /** The size that the server reports. */
  readonly bytes?: number;
  readonly quota?: number;
  readonly agrees?: boolean;
  readonly online?: boolean;
}

const download = vi.fn<(id: string) => Promise<void>>();
const ask = vi.fn<() => Promise<boolean>>();
const size = vi.fn<(id: string) => Promise<number>>();

async function start({ model = {}, bytes = SAID, quota = 1e12, agrees = false, online = true }: Circumstances) {
  vi.stubGlobal('navigator', { onLine: online });
  ask.mockResolvedValue(agrees);
  size.mockResolvedValue(bytes);
  const storage = async () => ({ modelBytes: 0, usedBytes: 1000, quotaBytes: quota });
  const manager: Partial<ModelManager> = { size, storage, download };
  const listing = sampleModel({ downloadBytes: SAID, ...model });
  return startDownload(manager as ModelManager, listing, ask, true);
}

beforeEach(() => {
  vi.clearAllMocks();
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  });
});

const stopped = {
  kind: 'download',
  progress: {
    id: '',
    phase: 'paused',
    files: [],
    receivedBytes: 1,
    totalBytes: 2,
    bytesPerSecond: 0,
    secondsLeft: null,
    failure: null,
  },
} as const;

test.each<[string, Circumstances, outcome: string, questions: number]>([
  ['has exactly the announced size', {}, 'started', 0],
  ['is a little larger', { bytes: SAID * 1.05 }, 'started', 0],
  ['is much smaller', { bytes: SAID / 10 }, 'started', 0],
  ['is much larger, and was confirmed', { bytes: SAID * 1.2, agrees: true }, 'started', 1],
  ['is much larger than announced', { bytes: SAID * 1.2 }, 'declined', 1],
  ['had no announced size', { model: { downloadBytes: null }, agrees: true }, 'started', 1],
  ['does not fit the storage', { quota: SAID }, 'declined', 1],
  ['does not fit the storage, if space is to be freed', { quota: SAID, agrees: true }, 'no-room', 1],
  ['just fits the storage', { quota: SAID + 1000 }, 'started', 0],
  ['is resumed, whatever its size', { model: { state: stopped }, bytes: SAID * 9 }, 'started', 0],
  ['is resumed without a network, for which it waits', { model: { state: stopped }, online: false }, 'started', 0],
  ['was added by its addresses', { model: { origin: 'custom' }, bytes: SAID * 9 }, 'started', 0],
  ['comes with the site', { model: { origin: 'built-in' }, online: false }, 'started', 0],
])('a download that %s', async (_, circumstances, outcome, questions) => {
  expect(await start(circumstances)).toBe(outcome);
  expect(ask).toHaveBeenCalledTimes(questions);
  expect(download).toHaveBeenCalledTimes(outcome === 'started' ? 1 : 0);
  expect(modelToChatWith() === null).toBe(outcome !== 'started');
});

test.each<[string, Circumstances, () => void]>([
  ['the device is offline', { online: false }, () => {}],
  ['the device is offline, whoever added the model', { online: false, model: { origin: 'custom' } }, () => {}],
  ['its server does not respond', {}, () => size.mockRejectedValueOnce(new Error('It sent nothing.'))],
])('no download starts if %s, and the page says so', async (_, circumstances, harm) => {
  harm();
  await expect(start(circumstances)).rejects.toThrow(/offline|sent nothing/);
  expect(download).not.toHaveBeenCalled();
  expect(modelToChatWith()).toBeNull();
});
