import { expect, test } from 'vitest';
import { logitsCopier, type CopyLogits } from '../../../../src/engine-worker/webllm/sampling/logits-readback.ts';
import { DeviceContext } from '../support/device-context.ts';

function newCopier(): { context: DeviceContext; copyLogits: CopyLogits } {
  const context = new DeviceContext();
  const copyLogits = logitsCopier({ tvm: { lib: { webGPUContext: context as never } } });
  return { context, copyLogits: copyLogits! };
}

test('logits come from where they are in their buffer', async () => {
  const { context, copyLogits } = newCopier();
  expect(await copyLogits(context.logits([1, 2.5, -3])).values()).toEqual(Float32Array.of(1, 2.5, -3));
});

test('what is recorded is submitted with the copy, and nothing but the copy is waited for', async () => {
  const { context, copyLogits } = newCopier();
  const encoder = context.device.createCommandEncoder();
  encoder.copies.push(() => context.log.push('launches'));
  context.pendingEncoder = encoder as never;
  await copyLogits(context.logits([1])).values();
  expect(context.log).toEqual(['launches', 'submit', 'wait for the copy']);
});

test('copies that nobody has waited for are waited for as well', async () => {
  const { context, copyLogits } = newCopier();
  let finish: (() => void) | undefined;
  context.pendingGPUToCPUCopy = new Promise<void>((resolve) => (finish = resolve));
  let there = false;
  const values = copyLogits(context.logits([1])).values();
  void values.then(() => (there = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(there).toBe(false);
  finish?.();
  expect(await values).toEqual(Float32Array.of(1));
});

test('a copy that is not taken, because its answer has ended, harms none that comes after', async () => {
  const { context, copyLogits } = newCopier();
  copyLogits(context.logits([1, 1]));
  expect(await copyLogits(context.logits([2, 3])).values()).toEqual(Float32Array.of(2, 3));
});

test('a buffer is used again when it is free, and has the size', async () => {
  const { context, copyLogits } = newCopier();
  for (const value of [1, 2, 3]) {
    const [one, other] = [copyLogits(context.logits([value])), copyLogits(context.logits([-value]))];
    expect(await one.values()).toEqual(Float32Array.of(value));
    expect(await other.values()).toEqual(Float32Array.of(-value));
  }
  expect(context.made).toBe(2);
  expect(await copyLogits(context.logits([1, 2])).values()).toEqual(Float32Array.of(1, 2));
  expect(context.made).toBe(3);
});

test('a device that is lost is told to whoever waits, and to nobody else', async () => {
  const { context, copyLogits } = newCopier();
  context.busy = Promise.reject(new Error('lost'));
  copyLogits(context.logits([1]));
  context.pendingGPUToCPUCopy = Promise.reject(new Error('lost before'));
  copyLogits(context.logits([1]));
  await expect(copyLogits(context.logits([1])).values()).rejects.toThrow('lost');
});

test.each<[string, object]>([
  ['of another type', { dtype: 'float16' }],
  ['without a place', { getDataPtr: undefined }],
])('logits %s are not read', (_name, members) => {
  const { context, copyLogits } = newCopier();
  expect(() => copyLogits({ ...context.logits([1]), ...members })).toThrow('no logits that can be read');
});

test.each([
  'device',
  'gpuBufferFromPtr',
  'flushCommands',
  'sync',
  'pendingEncoder',
  'pendingGPUToCPUCopy',
  'pendingGPUToCPUCopyIsQueueTail',
])('a WebLLM that keeps "%s" elsewhere is not read from', (name) => {
  const context = new DeviceContext();
  Object.defineProperty(context, name, { value: undefined });
  expect(logitsCopier({ tvm: { lib: { webGPUContext: context as never } } })).toBeNull();
});
