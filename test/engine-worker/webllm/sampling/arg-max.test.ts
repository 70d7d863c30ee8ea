import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ArgMax } from '../../../../src/engine-worker/webllm/sampling/arg-max.ts';
import type { DeviceContext } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';

beforeEach(() => {
  vi.stubGlobal('GPUBufferUsage', { STORAGE: 128, UNIFORM: 64, COPY_DST: 8 });
  vi.stubGlobal('GPUShaderStage', { COMPUTE: 4 });
});

afterEach(() => vi.unstubAllGlobals());

/** A fake of WebLLM's context that submits an encoder after a number of passes, and then refuses further ones. */
function contextThatSubmitsAfter(passes: number) {
  const submitted: string[] = [];
  const context = {
    pendingEncoder: null as object | null,
    gpuBufferFromPtr: () => ({}),
    device: {
      queue: { writeBuffer() {} },
      createBindGroupLayout: () => ({}),
      createPipelineLayout: () => ({}),
      createShaderModule: () => ({}),
      createComputePipeline: ({ compute }: { compute: { entryPoint: string } }) => compute.entryPoint,
      createBuffer: () => ({}),
      createBindGroup: () => ({}),
      createCommandEncoder: () => {
        const encoder = {
          encoded: 0,
          beginComputePass() {
            if (context.pendingEncoder !== encoder) throw new Error('This encoder is finished.');
            let pass = '';
            return {
              setPipeline: (name: string) => (pass = name),
              setBindGroup() {},
              dispatchWorkgroups() {},
              end: () => {
                submitted.push(pass);
                if (++encoder.encoded === passes) context.pendingEncoder = null;
              },
            };
          },
        };
        return encoder;
      },
    },
  };
  return { context: context as unknown as DeviceContext, submitted };
}

const tensor = { dtype: 'float32', shape: [1, 1, 8], byteOffset: 0, getDataPtr: () => 0 } as never;

test.each([1, 2, 3, 40])('no part of the search is lost if commands are submitted after %i passes', (passes) => {
  const { context, submitted } = contextThatSubmitsAfter(passes);
  new ArgMax(context, 8).encode(tensor, tensor);
  expect(submitted).toEqual(['first', 'second', 'third']);
});
