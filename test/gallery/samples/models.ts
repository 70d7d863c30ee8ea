import { say } from '../../../src/engine-worker/strings/say.ts';
import type { DownloadProgress, GgufOffer, ModelListing } from '../../../src/shared/models/model-management.ts';
import type { DeviceSpeed } from '../../../src/chat/models/measuring/speed-worker.ts';

export const SAMPLE_SPEED: DeviceSpeed = {
  weightsPerSecond: 2e9,
  graphics: { bytesPerSecond: 5e10, secondsPerDispatch: 2e-5, runsGguf: false },
};

export function sampleModel(changes: Partial<ModelListing> = {}): ModelListing {
  return {
    id: 'Sample-1.5B-q4f16_1-MLC',
    origin: 'catalogue',
    family: 'Sample',
    parameters: 1.5e9,
    quantization: 'q4f16_1',
    licence: 'Apache-2.0',
    page: 'https://example.org/model',
    memoryBytes: 1.6e9,
    downloadBytes: 8.7e8,
    downloadIsEstimated: true,
    contextWindow: 4096,
    images: false,
    thinking: false,
    embedding: false,
    fit: { verdict: 'yes', reasons: [] },
    state: { kind: 'absent' },
    ...changes,
  };
}

export const BUILT_IN = sampleModel({
  id: 'pocket',
  origin: 'built-in',
  family: 'Pocket',
  parameters: 5e6,
  memoryBytes: 6e7,
  downloadBytes: 9e6,
  state: { kind: 'present', bytes: 9e6, missing: [] },
});

function sampleDownload(changes: Partial<DownloadProgress> = {}): DownloadProgress {
  return {
    id: 'Sample-1.5B-q4f16_1-MLC',
    phase: 'downloading',
    files: [
      { file: 'mlc-chat-config.json', receivedBytes: 2e3, totalBytes: 2e3, state: 'done', resumable: true },
      { file: 'params_shard_0.bin', receivedBytes: 1e7, totalBytes: 3e7, state: 'downloading', resumable: true },
      { file: 'params_shard_1.bin', receivedBytes: 0, totalBytes: 3e7, state: 'retrying', resumable: false },
      { file: 'tokenizer.json', receivedBytes: 0, totalBytes: null, state: 'waiting', resumable: true },
    ],
    receivedBytes: 2.1e8,
    totalBytes: 8.7e8,
    bytesPerSecond: 4e6,
    secondsLeft: 165,
    failure: null,
    ...changes,
  };
}

const FAULT = say('serverAnswered', 'models.example', 404, 'params_shard_1.bin');
const REMEDY = say('checkAddress', 'https://models.example/params_shard_1.bin');
const FAILURE = {
  file: 'params_shard_1.bin',
  cause: 'http',
  message: FAULT.text,
  remedy: REMEDY.text,
  sentences: [FAULT.sentences[0]!, REMEDY.sentences[0]!],
} as const;

/** A download in every phase, one of unknown size, and one that retries after a failure. */
export const DOWNLOADS = {
  preparing: sampleDownload({
    phase: 'preparing',
    files: [],
    receivedBytes: 0,
    totalBytes: null,
    bytesPerSecond: 0,
    secondsLeft: null,
  }),
  downloading: sampleDownload(),
  'downloading-of-unknown-size': sampleDownload({ totalBytes: null, secondsLeft: null }),
  retrying: sampleDownload({ bytesPerSecond: 0, failure: FAILURE }),
  paused: sampleDownload({ phase: 'paused', bytesPerSecond: 0, secondsLeft: null }),
  failed: sampleDownload({ phase: 'failed', bytesPerSecond: 0, secondsLeft: null, failure: FAILURE }),
} as const satisfies Record<string, DownloadProgress>;

/** A GGUF model whose header was read. */
export const SAMPLE_OFFER: GgufOffer = {
  id: 'Sample-0.6B-Q4_K_M',
  facts: {
    architecture: 'qwen3',
    name: 'Sample 0.6B',
    licence: 'apache-2.0',
    parameters: 6e8,
    quantization: 'Q4_K_M',
    contextLength: 40_960,
    hasChatTemplate: true,
    bytes: 4.8e8,
    cacheBytesPerToken: 114_688,
    sha256: null,
  },
  contextWindow: 4096,
  memoryBytes: 1.2e9,
  fit: { verdict: 'yes', reasons: [] },
  state: 'absent',
};

/** Catalogue models that `suggestModels` suggests. */
export const SUGGESTED: readonly ModelListing[] = [
  ['gemma3-1b-it-q4f16_1-MLC', 'Gemma 3', 7.1e8, 1e9],
  ['Qwen3.5-2B-q4f16_1-MLC', 'Qwen3.5', 1.6e9, 2e9],
  ['Qwen3.5-4B-q4f16_1-MLC', 'Qwen3.5', 3.2e9, 4e9],
].map(([id, family, bytes, parameters]) =>
  sampleModel({
    id: String(id),
    family: String(family),
    parameters: Number(parameters),
    memoryBytes: Number(bytes),
    downloadBytes: Number(bytes) * 0.8,
  }),
);

/** Enough models for the list to group them by family. */
export const MANY_MODELS: readonly ModelListing[] = ['Alpha', 'Beta', 'Gamma'].flatMap((family, place) =>
  Array.from({ length: 6 * (place + 1) }, (_, index) =>
    sampleModel({ id: `${family}-${index + 1}B-Instruct-q4f16_1-MLC`, family, downloadBytes: (index + 1) * 6e8 }),
  ),
);

/** Models of every kind, as the model manager lists them. */
export const SAMPLE_MODELS: readonly ModelListing[] = [
  BUILT_IN,
  ...Object.entries(DOWNLOADS).map(([name, progress]) => {
    const id = `Sample-${name}`;
    return sampleModel({ id, state: { kind: 'download', progress: { ...progress, id } } });
  }),
  sampleModel({ id: 'Sample-present', state: { kind: 'present', bytes: 8.7e8, missing: [] } }),
  sampleModel({ id: 'Sample-own', origin: 'custom', state: { kind: 'present', bytes: 1e9, missing: ['a.bin'] } }),
  ...SUGGESTED,
  sampleModel({ thinking: true, images: true }),
  sampleModel({ id: 'Other-8B-q4f32_1-MLC', family: 'Other', downloadBytes: null, licence: null, page: null }),
];
