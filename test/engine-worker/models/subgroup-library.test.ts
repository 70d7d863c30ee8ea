import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import type { GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import { plainLibrary, subgroupLibrary } from '../../../src/engine-worker/models/subgroup-library.ts';

const LIBRARY = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === 'Qwen3-0.6B-q4f16_1-MLC')!.model_lib;

function device(min: number, max: number, invocations = 1024, features = ['shader-f16', 'subgroups']): GraphicsDevice {
  return {
    features: new Set(features),
    maxBufferSize: 2 ** 30,
    maxStorageBufferBindingSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 32_768,
    maxStorageBuffersPerShaderStage: 10,
    maxComputeInvocationsPerWorkgroup: invocations,
    subgroupSizes: max === 0 ? null : { min, max },
  };
}

// Limits of adapters, from public reports and from SwiftShader in Chromium 156.
test.each([
  ['Apple M1', device(4, 64), true],
  ['NVIDIA RTX 3060 and 4090', device(32, 32), true],
  ['AMD RDNA', device(32, 64), true],
  ['Intel Xe', device(8, 32), true],
  ['AMD GCN, whose subgroups have 64 lanes', device(64, 64), false],
  ['Adreno, whose subgroups have 64 lanes or more', device(64, 128), false],
  ['Mali, whose subgroups have 16 lanes', device(16, 16), false],
  ['an adapter with small workgroups', device(32, 32, 256), false],
  ['SwiftShader, whose subgroups have 4 lanes', device(4, 4), false],
  ['a browser without subgroups', device(0, 0, 1024, ['shader-f16']), false],
  ['a browser that does not report subgroup sizes', device(0, 0), false],
  ['no graphics device', null, false],
])('%s: the adapter decides which library is used', (_, adapter, takesSubgroups) => {
  const chosen = subgroupLibrary(LIBRARY, adapter);
  expect(chosen).toBe(takesSubgroups ? LIBRARY.replace('/base/', '/sg32/') : null);
});

test('each library of the catalogue has an address for its variant, and other libraries have none', () => {
  const libraries = prebuiltAppConfig.model_list.map(({ model_lib }) => model_lib);
  expect(libraries.filter((library) => subgroupLibrary(library, device(32, 32)) === null)).toEqual([]);
  expect(subgroupLibrary('https://models.test/base/own.js', device(32, 32))).toBeNull();
  expect(plainLibrary(LIBRARY.replace('/base/', '/sg32/'))).toBe(LIBRARY);
  expect(plainLibrary('https://models.test/own.wasm')).toBeNull();
});
