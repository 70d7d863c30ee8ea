import { expect, test } from 'vitest';
import { processorName } from '../../../src/chat/common/processor-name.ts';

test.each([
  ['google swiftshader', 'the CPU, not on a graphics processor'],
  ['llvmpipe (LLVM 19.1.0, 256 bits)', 'the CPU, not on a graphics processor'],
  ['Microsoft Basic Render Driver', 'the CPU, not on a graphics processor'],
  ['nvidia ampere', 'NVIDIA Ampere'],
  ['amd rdna-2', 'AMD RDNA 2'],
  ['apple metal-3', 'Apple Metal 3'],
  ['intel gen-12lp', 'Intel Gen 12lp'],
  ['qualcomm adreno-6xx', 'Qualcomm Adreno 6xx'],
  ['NVIDIA GeForce RTX 3080', 'NVIDIA GeForce RTX 3080'],
  ['graphics adapter', 'Graphics Adapter'],
])('the adapter %j is shown as %j', (gpu, name) => {
  expect(processorName(gpu)).toBe(name);
});
