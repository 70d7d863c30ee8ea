import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { sampleModel } from '../../../src/chat/gallery/samples/models.ts';
import {
  bestModel,
  isProcessorFaster,
  suggestForProcessor,
  suggestModels,
} from '../../../src/chat/models/suggest-models.ts';
import { deviceFit, type GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import { ggufCatalogue } from '../../../src/engine-worker/models/gguf/gguf-catalogue.ts';
import type { ModelListing } from '../../../src/shared/models/model-management.ts';

const GIB = 2 ** 30;
const GPU: GraphicsDevice = {
  features: new Set(['shader-f16']),
  maxBufferSize: GIB,
  maxStorageBufferBindingSize: GIB,
  maxComputeWorkgroupStorageSize: 32 * 1024,
  maxStorageBuffersPerShaderStage: 10,
};
const WITHOUT_HALF: GraphicsDevice = { ...GPU, features: new Set() };

/** The whole catalogue as a device with this adapter and so much memory would list it. */
function catalogue(device: GraphicsDevice, memory: number | null): readonly ModelListing[] {
  return prebuiltAppConfig.model_list.map((record) => {
    const memoryBytes = (record.vram_required_MB ?? 0) * 2 ** 20;
    const needs = {
      requiredFeatures: record.required_features ?? [],
      bufferBytes: record.buffer_size_required_bytes ?? null,
      memoryBytes,
      quantization: record.model_id,
    };
    return sampleModel({ id: record.model_id, memoryBytes, fit: deviceFit(needs, device, memory) });
  });
}

test.each<[string, GraphicsDevice, number | null, Record<string, string>]>([
  [
    'a telephone of 4 GiB',
    GPU,
    4 * GIB,
    { fast: 'SmolLM2-360M-Instruct-q4f16_1-MLC', balanced: 'Llama-3.2-1B-Instruct-q4f16_1-MLC' },
  ],
  [
    'a computer of 8 GiB',
    GPU,
    8 * GIB,
    {
      fast: 'Llama-3.2-1B-Instruct-q4f16_1-MLC',
      balanced: 'Llama-3.2-3B-Instruct-q4f16_1-MLC',
      best: 'Qwen3-4B-q4f16_1-MLC',
    },
  ],
  [
    'one that computes with 32-bit numbers only',
    WITHOUT_HALF,
    8 * GIB,
    {
      fast: 'SmolLM2-360M-Instruct-q4f32_1-MLC',
      balanced: 'Llama-3.2-1B-Instruct-q4f32_1-MLC',
      best: 'Llama-3.2-3B-Instruct-q4f32_1-MLC',
    },
  ],
  [
    'one of 32 GiB',
    GPU,
    32 * GIB,
    {
      fast: 'Llama-3.2-1B-Instruct-q4f16_1-MLC',
      balanced: 'Qwen3-4B-q4f16_1-MLC',
      best: 'Qwen3-8B-q4f16_1-MLC',
    },
  ],
  ['a device whose adapter is too small', { ...GPU, maxBufferSize: 2 ** 20 }, 8 * GIB, {}],
])('what is suggested to %s', (_, device, memory, expected) => {
  const suggestions = suggestModels(catalogue(device, memory), memory);
  expect(Object.fromEntries(suggestions.map(({ role, model }) => [role, model.id]))).toEqual(expected);
});

test('a browser that does not tell its memory gets what suits a usual device', () => {
  const [untold, usual] = [null, 8 * GIB].map((memory) => suggestModels(catalogue(GPU, 8 * GIB), memory));
  expect(untold).toEqual(usual);
});

test.each([0.25, 0.5, 1, 2, 4, 8, 16, 64])(
  'with %d GiB nothing is suggested twice, or takes more than half of it',
  (memory) => {
    const models = suggestModels(catalogue(GPU, memory * GIB), memory * GIB).map(({ model }) => model);
    expect(new Set(models).size).toBe(models.length);
    for (const { memoryBytes, fit } of models) {
      expect(memoryBytes).toBeLessThanOrEqual((memory * GIB) / 2);
      expect(fit.verdict).toBe('yes');
    }
  },
);

test('of two packages of a model the one that is here already is suggested', () => {
  const models = catalogue(GPU, 16 * GIB).map((model) =>
    model.id === 'Llama-3.2-1B-Instruct-q4f32_1-MLC'
      ? { ...model, state: { kind: 'present', bytes: 7e8, missing: [] } as const }
      : model,
  );
  const [fast] = suggestModels(models, 16 * GIB);
  // The other one may answer more quickly, and yet nobody wants to download the same model twice.
  expect(fast?.model.id).toBe('Llama-3.2-1B-Instruct-q4f32_1-MLC');
});

const OFFERED: readonly ModelListing[] = ggufCatalogue(null).map(({ source: { id, gguf }, goodFor }) =>
  sampleModel({
    id,
    format: 'gguf',
    ...(goodFor && { goodFor }),
    parameters: gguf!.parameters,
    memoryBytes: gguf!.bytes,
    downloadBytes: gguf!.bytes,
  }),
);

test('the processor is offered GGUF models of at most 0.6 billion parameters, the smallest first, each with its own strength', () => {
  const suggestions = suggestForProcessor([...catalogue(GPU, null), ...OFFERED]);
  expect(suggestions.map(({ role, model, strength }) => [role, model.id, strength])).toEqual([
    ['fast', 'SmolLM2-360M-Instruct-Q8_0', 'short'],
    ['balanced', 'Qwen2.5-0.5B-Instruct-Q4_K_M', 'texts'],
    ['best', 'Qwen3-0.6B-Q8_0', 'thinks'],
  ]);
  expect(bestModel(OFFERED, null, 'google swiftshader')?.id).toBe('Qwen2.5-0.5B-Instruct-Q4_K_M');
  expect(bestModel([...catalogue(GPU, null), ...OFFERED], null, 'apple metal-3')?.id).toMatch(/-MLC$/);
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
])('the processor is faster than the graphics device %j: %s', (gpu, expected) => {
  expect(isProcessorFaster(gpu)).toBe(expected);
});
