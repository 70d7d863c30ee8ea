import { expect, test } from 'vitest';
import { tensorReader } from '../../../../src/engine-worker/webllm/sampling/tensor-readback.ts';
import type { Logits } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { DeviceContext } from '../support/device-context.ts';

function newReader() {
  const context = new DeviceContext();
  const read = tensorReader(context as never);
  const readLogits = (logits: Logits) => {
    const bytes = read(logits);
    return { values: async () => new Float32Array(await bytes) };
  };
  return { context, readLogits };
}

test('logits are read from their offset in the buffer', async () => {
  const { context, readLogits } = newReader();
  expect(await readLogits(context.logits([1, 2.5, -3])).values()).toEqual(Float32Array.of(1, 2.5, -3));
});

test('pending commands are submitted with the copy, and only the copy is awaited', async () => {
  const { context, readLogits } = newReader();
  const encoder = context.device.createCommandEncoder();
  encoder.copies.push(() => context.log.push('launches'));
  context.pendingEncoder = encoder as never;
  await readLogits(context.logits([1])).values();
  expect(context.log).toEqual(['launches', 'submit', 'wait for the copy']);
});

test('an earlier pending copy is awaited as well', async () => {
  const { context, readLogits } = newReader();
  let finish: (() => void) | undefined;
  context.pendingGPUToCPUCopy = new Promise<void>((resolve) => (finish = resolve));
  let there = false;
  const values = readLogits(context.logits([1])).values();
  void values.then(() => (there = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(there).toBe(false);
  finish?.();
  expect(await values).toEqual(Float32Array.of(1));
});

test('a copy that is never consumed does not affect later ones', async () => {
  const { context, readLogits } = newReader();
  readLogits(context.logits([1, 1]));
  expect(await readLogits(context.logits([2, 3])).values()).toEqual(Float32Array.of(2, 3));
});

test('a free buffer of the right size is reused', async () => {
  const { context, readLogits } = newReader();
  for (const value of [1, 2, 3]) {
    const [one, other] = [readLogits(context.logits([value])), readLogits(context.logits([-value]))];
    expect(await one.values()).toEqual(Float32Array.of(value));
    expect(await other.values()).toEqual(Float32Array.of(-value));
  }
  expect(context.made).toBe(2);
  expect(await readLogits(context.logits([1, 2])).values()).toEqual(Float32Array.of(1, 2));
  expect(context.made).toBe(3);
});

test('a lost device rejects the awaited copy, and causes no unhandled rejection', async () => {
  const { context, readLogits } = newReader();
  context.busy = Promise.reject(new Error('lost'));
  readLogits(context.logits([1]));
  context.pendingGPUToCPUCopy = Promise.reject(new Error('lost before'));
  readLogits(context.logits([1]));
  await expect(readLogits(context.logits([1])).values()).rejects.toThrow('lost');
});

test.each<[string, object]>([
  ['of another type', { dtype: 'float16' }],
  ['without an offset', { getDataPtr: undefined }],
])('logits %s are not read back', (_name, members) => {
  const { context, readLogits } = newReader();
  expect(() => readLogits({ ...context.logits([1]), ...members })).toThrow('cannot be read back');
});
