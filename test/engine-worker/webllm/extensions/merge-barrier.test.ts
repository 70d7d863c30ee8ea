import { afterEach, expect, test, vi } from 'vitest';
import { MERGE_BARRIER } from '../../../../src/engine-worker/webllm/extensions/merge-barrier.ts';
import { applyExtension } from '../support/apply-extension.ts';

/** The beginning of the kernel as Apache TVM 0.27 compiles it, and the statements that write its state. */
const KERNEL = `@group(0) @binding(0) var<storage, read_write> S_ptr : array<f32>;
@group(0) @binding(1) var<storage, read> S_other_ptr : array<f32>;

@compute @workgroup_size(16, 9, 1)
fn tir_attention_merge_state_kernel(
  @builtin(local_invocation_id) threadIdx : vec3<u32>
) {
  if (blockIdx.z * gridDim.x + blockIdx.x > podArgs.packGridDimX) { return; }
  s_val[0i] = S_ptr[((v__1 * podArgs.H) + i32(threadIdx.y))];
  s_other_val[0i] = S_other_ptr[((v__1 * podArgs.H) + i32(threadIdx.y))];
  s_max[0i] = max(s_val[0i], s_other_val[0i]);
  S_ptr[((v__1 * podArgs.H) + i32(threadIdx.y))] = (log2((s_val[0i] + s_other_val[0i])) + s_max[0i]);
}
`;

/** A device class that records the code of the created shaders. */
function stubDevice() {
  const codes: string[] = [];
  class GPUDevice {
    createShaderModule({ code }: { code: string }): void {
      codes.push(code);
    }
  }
  vi.stubGlobal('GPUDevice', GPUDevice);
  return { device: new GPUDevice(), codes };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a barrier is added between reading and writing the state of a merged attention kernel', async () => {
  const { device, codes } = stubDevice();
  await applyExtension({ engine: {} }, MERGE_BARRIER);
  const barrier = '  storageBarrier();\n';
  const other = 'fn other() { s_other_val[0i] = S_other_ptr[0]; }';
  for (const code of [KERNEL, KERNEL.replace('  s_max[0i] =', `${barrier}  s_max[0i] =`), other])
    device.createShaderModule({ code });
  const [before, after] = KERNEL.split('  s_max[0i] = max');
  const mended = `${before}${barrier}  s_max[0i] = max${after}`;
  expect(codes).toEqual([mended, mended, other]);
  // Every load applies the extension again.
  await applyExtension({ engine: {} }, MERGE_BARRIER);
  device.createShaderModule({ code: KERNEL });
  expect(codes.at(-1)).toBe(codes[0]);
});

test('without WebGPU the merge barrier is off', async () => {
  vi.stubGlobal('GPUDevice', undefined);
  await expect(applyExtension({ engine: {} }, MERGE_BARRIER)).rejects.toThrow('no WebGPU');
});
