import { expect, test } from 'vitest';
import { isProcessorFaster } from '../../../src/chat/models/judge-model.ts';
import { offerModels, suggestModels } from '../../../src/chat/models/suggest-models.ts';
import type { DeviceSpeed } from '../../../src/chat/models/measuring/speed-worker.ts';
import { expectedSpeed, roundedSpeed } from '../../../src/chat/models/measuring/expected-speed.ts';
import type { GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import type { ModelListing } from '../../../src/shared/models/model-management.ts';
import { DOWNLOADS, sampleModel } from '../../gallery/samples/models.ts';
import { catalogue, GIB, ggufModels, GPU, WITHOUT_HALF } from './whole-catalogue.ts';

const OFFERED = ggufModels(null);

/** The model that is offered first. */
const firstOffer = (...given: Parameters<typeof offerModels>) => offerModels(...given).models[0]?.id;

const ON_PROCESSOR_SPEEDS = { fast: 20, balanced: 5, best: 4 };

/** Limits of adapters in bytes: the specification's, and the minimum of current desktop and Apple devices. */
const DEFAULTS = { binding: 2 ** 27, buffer: 2 ** 28 } as const;
const LARGE = { binding: 2 ** 31 - 4, buffer: 2 ** 31 - 4 } as const;

function adapter({ binding, buffer }: { binding: number; buffer: number }, half = true): GraphicsDevice {
  return {
    ...(half ? GPU : WITHOUT_HALF),
    maxBufferSize: buffer,
    maxStorageBufferBindingSize: binding,
  };
}

const SMOLLM2 = 'SmolLM2-360M-Instruct-q4f16_1-MLC';
const GEMMA_3 = 'gemma3-1b-it-q4f16_1-MLC';
const GEMMA_4 = 'gemma-4-E2B-it-q4f16_1-MLC';
const qwen = (size: string) => `Qwen3.5-${size}-q4f16_1-MLC`;
const ON_PROCESSOR = {
  fast: 'SmolLM2-135M-Instruct-Q4_1',
  balanced: 'Qwen2.5-0.5B-Instruct-Q4_K_M',
  best: 'Qwen3-0.6B-Q8_0',
};

/** Returns a measured speed of a GPU: gigabytes that it reads per second, and microseconds per dispatch. */
function graphics(gigabytes: number, microseconds: number): DeviceSpeed {
  return {
    weightsPerSecond: 1.5e9,
    graphics: { bytesPerSecond: gigabytes * 1e9, secondsPerDispatch: microseconds / 1e6, runsGguf: true },
  };
}

/** A speed of one CPU thread. In Node, as on a page that is not cross-origin isolated, llama.cpp gets one thread. */
const PROCESSOR: DeviceSpeed = { weightsPerSecond: 2e9, graphics: null };

/**
 * Ten devices: name of the GPU, adapter, memory in GiB as the browser reports it, measured speed, suggested models, and
 * expected tokens per second of each. The bandwidths are 85 % of the published ones (Iris Xe 51 GB/s, M1 68, M4 120,
 * RTX 3060 360, RTX 4090 1008, Adreno 740 67, Mali-G715 51), for phones 50 %, because they throttle. The time of a
 * dispatch is that of WebLLM's paper (17 µs on an M3 Max), for phones three times as long. Chromium reports at most 32
 * GiB. Adreno, Mali and simulated devices have the specification's minimum limits; the largest reported ones are not
 * much higher (gpuweb/gpuweb#4235, mattn/tensai#11).
 */
const DEVICES: readonly (readonly [
  string,
  GraphicsDevice | null,
  number | null,
  DeviceSpeed,
  Record<string, string>,
  Record<string, number>,
])[] = [
  // Integrated GPUs share the main memory, so a model may take at most half of it.
  [
    'intel gen-12lp',
    adapter(LARGE),
    8,
    graphics(43, 17),
    { fast: GEMMA_3, balanced: qwen('2B'), best: qwen('4B') },
    { fast: 40, balanced: 20, best: 10 },
  ],
  [
    'apple metal-3 (M1)',
    adapter(LARGE),
    8,
    graphics(58, 17),
    { fast: GEMMA_3, balanced: qwen('2B'), best: qwen('4B') },
    { fast: 50, balanced: 25, best: 15 },
  ],
  // Has enough memory for the largest model. The balanced model answers without thinking first.
  [
    'apple metal-3 (M4)',
    adapter(LARGE),
    16,
    graphics(102, 17),
    { fast: GEMMA_3, balanced: GEMMA_4, best: qwen('9B') },
    { fast: 70, balanced: 40, best: 10 },
  ],
  // Browsers report only the main memory. This GPU's own 12 GB would hold the 9B model, too.
  [
    'nvidia ampere (RTX 3060)',
    adapter(LARGE),
    16,
    graphics(306, 17),
    { fast: GEMMA_3, balanced: GEMMA_4, best: qwen('9B') },
    { fast: 100, balanced: 90, best: 30 },
  ],
  [
    'nvidia lovelace (RTX 4090)',
    adapter(LARGE),
    32,
    graphics(857, 17),
    { fast: GEMMA_3, balanced: GEMMA_4, best: qwen('9B') },
    { fast: 200, balanced: 100, best: 70 },
  ],
  // Phones end apps that use two gigabytes or more.
  [
    'qualcomm adreno-7xx',
    adapter(DEFAULTS),
    8,
    graphics(28, 50),
    { fast: SMOLLM2, balanced: GEMMA_3, best: qwen('0.8B') },
    { fast: 40, balanced: 20, best: 25 },
  ],
  [
    'arm mali-g715',
    adapter(DEFAULTS),
    4,
    graphics(22, 50),
    { fast: '', balanced: SMOLLM2, best: GEMMA_3 },
    { balanced: 30, best: 15 },
  ],
  // A simulated GPU takes seconds per word with WebLLM's smallest package. A GGUF model on the CPU is faster.
  ['google swiftshader', adapter(DEFAULTS, false), 8, PROCESSOR, ON_PROCESSOR, ON_PROCESSOR_SPEEDS],
  ['llvmpipe (lavapipe)', adapter(DEFAULTS), 8, PROCESSOR, ON_PROCESSOR, ON_PROCESSOR_SPEEDS],
  ['', null, 8, PROCESSOR, ON_PROCESSOR, ON_PROCESSOR_SPEEDS],
];

test.each(DEVICES)('suggests the expected models to %j', (gpu, device, memory, speed, expected, speeds) => {
  const bytes = memory === null ? null : memory * GIB;
  const models = [...(device ? catalogue(device, bytes) : []), ...OFFERED];
  const suggestions = suggestModels(models, { memory: bytes, gpu, speed });
  const given = Object.fromEntries(suggestions.map(({ role, model }) => [role, model.id]));
  expect(given).toEqual(Object.fromEntries(Object.entries(expected).filter(([, id]) => id !== '')));
  expect(new Set(suggestions.map(({ strength }) => strength)).size).toBe(suggestions.length);
  expect(
    Object.fromEntries(suggestions.map(({ role, model }) => [role, roundedSpeed(expectedSpeed(model, speed)!)])),
  ).toEqual(speeds);
  // Before the measurement, or without one, the same models are suggested to these devices.
  expect(suggestModels(models, { memory: bytes, gpu })).toEqual(suggestions);
  const isSlow = speed === PROCESSOR;
  expect(firstOffer(models, { memory: bytes, gpu, speed })).toBe(expected[isSlow ? 'fast' : 'balanced']);
  expect(firstOffer(models, { memory: bytes, gpu })).toBe(expected[isSlow ? 'fast' : 'balanced']);
});

test.each<[string, GraphicsDevice, number, Record<string, string>]>([
  [
    'computes with 32-bit numbers only',
    WITHOUT_HALF,
    8,
    {
      fast: 'SmolLM2-360M-Instruct-q4f32_1-MLC',
      balanced: 'Qwen3.5-0.8B-q4f32_1-MLC',
      best: 'gemma-4-E2B-it-q4f32_1-MLC',
    },
  ],
  ['has too small GPU buffers', { ...GPU, maxBufferSize: 2 ** 20 }, 8, {}],
])('suggests the expected models to a device that %s', (_, device, memory, expected) => {
  const suggestions = suggestModels(catalogue(device, memory * GIB), { memory: memory * GIB });
  expect(Object.fromEntries(suggestions.map(({ role, model }) => [role, model.id]))).toEqual(expected);
});

test('a slow device gets smaller models than its memory allows, and a metered connection the smallest first', () => {
  const models = catalogue(GPU, 16 * GIB);
  const device = { memory: 16 * GIB, gpu: 'intel gen-9' };
  const speed = graphics(9, 60);
  const suggestions = suggestModels(models, { ...device, speed });
  expect(suggestions.map(({ role, model }) => [role, model.id])).toEqual([
    ['fast', GEMMA_3],
    ['balanced', qwen('0.8B')],
    ['best', GEMMA_4],
  ]);
  for (const { model } of suggestions) expect(expectedSpeed(model, speed)).toBeGreaterThanOrEqual(3);
  expect(firstOffer(models, { ...device, speed, isMetered: true })).toBe(GEMMA_3);
  expect(firstOffer([...models, ...OFFERED], { ...device, speed, isMetered: true })).toBe('SmolLM2-135M-Instruct-Q4_1');
});

test('a browser that hides its memory gets the suggestions for an average device', () => {
  const [untold, usual] = [null, 8 * GIB].map((memory) => suggestModels(catalogue(GPU, 8 * GIB), { memory }));
  expect(untold).toEqual(usual);
});

test.each([0.25, 0.5, 1, 2, 4, 8, 16, 64])(
  'with %d GiB no model is suggested twice, or takes more than half of it',
  (memory) => {
    const models = suggestModels(catalogue(GPU, memory * GIB), { memory: memory * GIB }).map(({ model }) => model);
    expect(new Set(models).size).toBe(models.length);
    for (const { memoryBytes, fit } of models) {
      expect(memoryBytes).toBeLessThanOrEqual((memory * GIB) / 2);
      expect(fit.verdict).toBe('yes');
    }
  },
);

test('of two packages of a model, the one that is already on the device is suggested', () => {
  const models = catalogue(GPU, 12 * GIB).map((model) =>
    model.id === 'Qwen3.5-4B-q4f32_1-MLC'
      ? { ...model, state: { kind: 'present', bytes: 7e8, missing: [] } as const }
      : model,
  );
  const best = suggestModels(models, { memory: 12 * GIB }).at(-1);
  // The other variant may be faster, but the variant that is already downloaded is preferred.
  expect(best?.model.id).toBe('Qwen3.5-4B-q4f32_1-MLC');
});

test('a CPU is offered GGUF models of at most 0.6 billion parameters, the smallest first, each with its own strength', () => {
  const suggestions = suggestModels([...catalogue(GPU, null), ...OFFERED], { memory: null, gpu: '' });
  expect(suggestions.map(({ role, model, strength }) => [role, model.id, strength])).toEqual([
    ['fast', 'SmolLM2-135M-Instruct-Q4_1', 'fluent'],
    ['balanced', 'Qwen2.5-0.5B-Instruct-Q4_K_M', 'texts'],
    ['best', 'Qwen3-0.6B-Q8_0', 'thinks'],
  ]);
  expect(firstOffer(OFFERED, { memory: null, gpu: 'google swiftshader' })).toBe('SmolLM2-135M-Instruct-Q4_1');
  expect(firstOffer([...catalogue(GPU, null), ...OFFERED], { memory: null, gpu: 'apple metal-3' })).toMatch(/-MLC$/);
});

test.each([
  ['google swiftshader', true],
  ['llvmpipe (LLVM 17.0.6, 256 bits)', true],
  ['Microsoft Basic Render Driver', true],
  ['apple metal-3', false],
  ['nvidia ampere', false],
  ['intel gen-12lp', false],
  ['', true],
  [null, false],
])('the CPU is faster than the GPU %j: %s', (gpu, expected) => {
  expect(isProcessorFaster(gpu)).toBe(expected);
});

test.each<[string, boolean, Partial<ModelListing>]>([
  ['that can chat', true, {}],
  ['that is being downloaded', true, { state: { kind: 'download', progress: DOWNLOADS.paused! } }],
  ['that needs the graphics processor, which is gone', false, { fit: { verdict: 'no', reasons: [] } }],
  ['that only continues texts', false, { continues: true }],
  ['that compares texts', false, { embedding: true }],
  ['that is not here', false, { state: { kind: 'absent' } }],
])('of the models on this device one %s is offered first: %s', (_, isOffered, changes) => {
  const here = sampleModel({ id: 'mine', state: { kind: 'present', bytes: 1e9, missing: [] }, ...changes });
  const device = { memory: 16 * GIB, gpu: '', speed: PROCESSOR };
  expect(firstOffer([here, ...OFFERED], device) === 'mine').toBe(isOffered);
});
