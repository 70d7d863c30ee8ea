import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { FEWER_GPU_CALLS } from '../../../../src/engine-worker/webllm/gpu-calls/fewer-gpu-calls.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import { EXTENDED_MODEL, withMembers } from '../support/apply-extension.ts';
import { ExecutingContext } from '../support/executing-context.ts';

const TENSORS = 5;

beforeEach(() => {
  vi.stubGlobal('GPUBufferUsage', { UNIFORM: 64, COPY_DST: 8, STORAGE: 128 });
});

/** Calls of WebLLM's runtime for whatever a model does: layers, samplers, embedded images, saved and restored caches. */
const tensor = fc.nat({ max: TENSORS - 1 });
const small = fc.nat({ max: 2 });
const call = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.record({
      kind: fc.constant('dispatch' as const),
      kernel: small,
      tensors: fc.array(tensor, { minLength: 1, maxLength: 4 }),
      numbers: fc.array(small, { maxLength: 2 }),
      workgroups: fc.constantFrom(1, 7),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), tensor, value: small }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('copy' as const), from: tensor, to: tensor }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), tensor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), tensor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
);
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

/** Makes the calls. @returns what was read, and what the tensors contain at the end. */
function results(context: ExecutingContext, calls: readonly Call[]): readonly number[] {
  const tensors = Array.from({ length: TENSORS }, (_, index) => context.allocate(index));
  const reads: (() => number)[] = [];
  // Like tokens of an answer, which repeat their calls.
  for (let token = 0; token < 3; token++) {
    for (const one of calls) {
      if (one.kind === 'dispatch') {
        const { kernel, numbers, workgroups } = one;
        context.dispatch(
          kernel,
          one.tensors.map((index) => tensors[index]!),
          numbers,
          workgroups,
        );
      } else if (one.kind === 'write') context.write(tensors[one.tensor]!, one.value + token);
      else if (one.kind === 'copy') context.copy(tensors[one.from]!, tensors[one.to]!);
      else if (one.kind === 'read') reads.push(context.read(tensors[one.tensor]!));
      else if (one.kind === 'flush') context.flushCommands();
      else {
        context.free(tensors[one.tensor]!);
        tensors[one.tensor] = context.allocate(0);
      }
    }
  }
  reads.push(...tensors.map((one) => context.read(one)));
  return reads.map((read) => read());
}

async function extended(context: ExecutingContext): Promise<ExecutingContext> {
  const tensors = [context.allocate(1), context.allocate(2)];
  const pipeline = {
    tvm: { lib: { webGPUContext: context } },
    forwardDecodeToken: async () => {
      for (let count = 0; count < 50; count++) context.dispatch(count % 3, tensors, [count % 2], 1);
      context.flushCommands();
      return { dispose() {} };
    },
    updateLogitsOnCPU: () => ({ toArray: () => [1] }),
  };
  withMembers(pipeline, FEWER_GPU_CALLS.needs);
  const { extensions } = await applyExtensions(pipeline, [FEWER_GPU_CALLS], EXTENDED_MODEL);
  expect(extensions).toEqual([{ name: 'fewer-gpu-calls', off: null }]);
  return context;
}

test('property: whatever calls the runtime makes, each tensor gets the same contents with fewer of them', async () => {
  let [alone, fewer] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 150, size: 'max' }), async (calls) => {
      const [right, context] = [new ExecutingContext(), await extended(new ExecutingContext())];
      context.calls = 0;
      expect(results(context, calls)).toEqual(results(right, calls));
      alone += right.calls;
      fewer += context.calls;
    }),
    { numRuns: 300 },
  );
  expect(fewer).toBeLessThan(0.8 * alone);
});
