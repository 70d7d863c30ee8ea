import { beforeEach, expect, test, vi } from 'vitest';
import {
  FEWER_GPU_CALLS,
  FEWER_GPU_CALLS_FOR_EMBEDDINGS,
} from '../../../../src/engine-worker/webllm/gpu-calls/fewer-gpu-calls.ts';
import { applyExtensions } from '../../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import { applyExtension, EXTENDED_MODEL, withMembers } from '../support/apply-extension.ts';

const USAGE = { UNIFORM: 64, COPY_DST: 8, STORAGE: 128 };

beforeEach(() => {
  vi.stubGlobal('GPUBufferUsage', USAGE);
});

/** Returns an object that inherits these methods, as the browser's objects do. */
function inheriting<Methods extends object>(methods: Methods): Methods {
  return Object.create(methods) as Methods;
}

/** A fake of WebLLM's WebGPU runtime whose device logs the calls that it receives. */
function newContext() {
  const log: string[] = [];
  let made = 0;
  const newBuffer = (usage = USAGE.STORAGE) => ({ usage, destroy: () => void log.push('destroy') });
  const queue = inheriting({
    writeBuffer: (_buffer: object, ...what: unknown[]) =>
      void log.push(`write ${what[1] instanceof ArrayBuffer ? new Int32Array(what[1]).join() : 'in part'}`),
    submit: (_commands: readonly unknown[]) => void log.push('submit'),
  });
  const device = inheriting({
    queue,
    createBindGroup: (_descriptor: object) => `group ${++made}`,
    createCommandEncoder: () => ({
      beginComputePass: (descriptor?: object) => {
        log.push(descriptor ? 'begin a timed pass' : 'begin');
        return { dispatchWorkgroups: () => void log.push('dispatch'), end: () => void log.push('end') };
      },
      copyBufferToBuffer: (..._copy: unknown[]) => void log.push('copy'),
      clearBuffer: (_buffer: object) => void log.push('clear'),
      finish: () => log.push('finish'),
    }),
  });
  const context = {
    device,
    pendingEncoder: null as ReturnType<typeof device.createCommandEncoder> | null,
    pendingDispatchCount: 0,
    flushCommands() {
      if (context.pendingEncoder === null) return;
      device.queue.submit([context.pendingEncoder.finish()]);
      context.pendingEncoder = null;
      context.pendingDispatchCount = 0;
    },
    /** Encodes a dispatch, as WebLLM does. */
    dispatch() {
      context.pendingEncoder ??= device.createCommandEncoder();
      const pass = context.pendingEncoder.beginComputePass();
      context.pendingDispatchCount++;
      pass.dispatchWorkgroups();
      pass.end();
    },
  };
  const bind = (buffers: readonly object[], layout: object = device) =>
    device.createBindGroup({ layout, entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })) });
  const write = (buffer: object, ...numbers: number[]) =>
    device.queue.writeBuffer(buffer, 0, Int32Array.from(numbers).buffer);
  return { context, device, log, newBuffer, bind, write };
}

/** Applies the extension to a model that computes these logits, one list for each pass of the check. */
async function extended(
  logits: readonly (readonly number[])[] = [[1, 2]],
  during: () => void = () => {},
  made = newContext(),
) {
  const passes = [...logits];
  const pipeline = {
    tvm: { lib: { webGPUContext: made.context } },
    forwardDecodeToken: async () => {
      during();
      made.context.dispatch();
      made.context.flushCommands();
      return { dispose() {} };
    },
    updateLogitsOnCPU: () => ({ toArray: () => passes.splice(0, 1)[0] ?? logits[0] }),
  };
  withMembers(pipeline, FEWER_GPU_CALLS.needs);
  const { extensions } = await applyExtensions(pipeline, [FEWER_GPU_CALLS], EXTENDED_MODEL);
  made.log.length = 0;
  return { ...made, off: extensions[0]?.off };
}

test('a bind group is reused for the same layout and buffers', async () => {
  const { bind, newBuffer } = await extended();
  const [one, other, third] = [newBuffer(), newBuffer(), newBuffer()];
  const groups = [
    bind([one, other]),
    bind([one, other]),
    bind([other, one]),
    bind([one, other], {}),
    bind([other, one]),
    bind([third, other]),
    bind([other]),
    bind([third, one, other]),
    bind([one, other]),
    bind([]),
    bind([one, other, other]),
  ];
  expect(groups.map((group) => groups.indexOf(group))).toEqual([0, 0, 2, 3, 2, 5, 6, 7, 0, 9, 10]);
});

test.each<[string, object, object, number]>([
  ['offsets', { offset: 0 }, { offset: 256 }, 0],
  ['sizes', { size: 16 }, { size: 32 }, 0],
  ['numbers of bindings', {}, {}, 1],
])('bind groups with other %s differ', async (_name, one, other, binding) => {
  const { device, newBuffer } = await extended();
  const buffer = newBuffer();
  const groupOf = (part: object) =>
    device.createBindGroup({
      layout: device,
      entries: [{ binding: part === other ? binding : 0, resource: { buffer, ...part } }],
    });
  expect(groupOf(one)).not.toBe(groupOf(other));
  expect(groupOf(one)).toBe(groupOf(one));
});

test.each([[['texture']], [['texture', 'buffer']], [['buffer', 'texture']]])(
  'a bind group of %s is not reused',
  async (kinds) => {
    const { device, newBuffer } = await extended();
    const buffer = newBuffer();
    const entries = kinds.map((kind, binding) => ({ binding, resource: kind === 'buffer' ? { buffer } : {} }));
    const descriptor = { layout: device, entries };
    expect(device.createBindGroup(descriptor)).not.toBe(device.createBindGroup(descriptor));
  },
);

test('the check computes first without reused bind groups, and then with those of the first pass', async () => {
  const made = newContext();
  const buffer = made.newBuffer();
  const groups: unknown[] = [];
  await extended([[1]], () => groups.push(made.bind([buffer]), made.bind([buffer])), made);
  expect(groups.map((group) => groups.indexOf(group))).toEqual([0, 1, 1, 1]);
});

test('when a buffer is destroyed its bind groups are made again, and no others', async () => {
  const { bind, log, newBuffer } = await extended();
  const [one, other, third] = [newBuffer(), newBuffer(), newBuffer()];
  const groups = [bind([one, other]), bind([other, third])];
  one.destroy();
  expect(log).toEqual(['destroy']);
  expect(bind([one, other])).not.toBe(groups[0]);
  expect(bind([other, third])).toBe(groups[1]);
});

test('of the bind groups with the same last buffer the most recently used ones are kept', async () => {
  const { bind, newBuffer } = await extended();
  const [first, second, last] = [newBuffer(), newBuffer(), newBuffer()];
  const [kept, lost] = [bind([first, last]), bind([second, last])];
  for (let more = 0; more < 15; more++) {
    bind([newBuffer(), last]);
    expect(bind([first, last])).toBe(kept);
  }
  expect(bind([second, last])).not.toBe(lost);
});

test('many dispatches keep their bind groups', async () => {
  const { bind, newBuffer } = await extended();
  const shared = newBuffer();
  const lasts = Array.from({ length: 5000 }, () => newBuffer());
  const groups = lasts.map((last) => bind([shared, last]));
  expect(lasts.map((last) => bind([shared, last]))).toEqual(groups);
});

test('a uniform buffer is written only when its contents change', async () => {
  const { log, newBuffer, write } = await extended();
  const buffer = newBuffer(USAGE.UNIFORM | USAGE.COPY_DST);
  for (const numbers of [[1, 2], [1, 2], [1, 3], [1, 3], [1], [1], [1, 3]]) write(buffer, ...numbers);
  expect(log).toEqual(['write 1,2', 'write 1,3', 'write 1', 'write 1,3']);
  write(newBuffer(USAGE.UNIFORM | USAGE.COPY_DST), 1, 3);
  expect(log.at(-1)).toBe('write 1,3');
  expect(log).toHaveLength(5);
});

test.each<[string, (made: Awaited<ReturnType<typeof extended>>, buffer: object) => void]>([
  ['a write of a part', ({ device }, buffer) => device.queue.writeBuffer(buffer, 4, new ArrayBuffer(4))],
  ['a write of a view', ({ device }, buffer) => device.queue.writeBuffer(buffer, 0, new Uint8Array(8))],
  ['a copy', ({ device, newBuffer }, buffer) => device.createCommandEncoder().copyBufferToBuffer(newBuffer(), buffer)],
  ['a clear', ({ device }, buffer) => device.createCommandEncoder().clearBuffer(buffer)],
])('after %s a uniform buffer is written again', async (_name, change) => {
  const made = await extended();
  const buffer = made.newBuffer(USAGE.UNIFORM | USAGE.COPY_DST);
  made.write(buffer, 7, 8);
  change(made, buffer);
  made.write(buffer, 7, 8);
  expect(made.log.filter((entry) => entry === 'write 7,8')).toHaveLength(2);
});

test('the first write to a buffer that it did not see before is never skipped, writes during the check are seen', async () => {
  const made = newContext();
  const buffer = made.newBuffer(USAGE.UNIFORM | USAGE.COPY_DST);
  made.write(buffer, 5);
  const seen = made.newBuffer(USAGE.UNIFORM | USAGE.COPY_DST);
  await extended([[1]], () => made.write(seen, 6), made);
  made.write(buffer, 5);
  made.write(seen, 6);
  made.write(buffer, 5);
  expect(made.log).toEqual(['write 5']);
});

test('other buffers than uniform buffers are always written', async () => {
  const { log, newBuffer, write } = await extended();
  const buffer = newBuffer(USAGE.STORAGE | USAGE.COPY_DST);
  write(buffer, 1);
  write(buffer, 1);
  expect(log).toEqual(['write 1', 'write 1']);
});

test('consecutive dispatches share a pass, which ends before other commands', async () => {
  const { context, device, log } = await extended();
  context.dispatch();
  context.dispatch();
  context.pendingEncoder?.copyBufferToBuffer();
  context.dispatch();
  context.flushCommands();
  const encoder = device.createCommandEncoder();
  encoder.beginComputePass();
  encoder.beginComputePass({ timestampWrites: {} });
  expect(log.join()).toBe(
    'begin,dispatch,dispatch,end,copy,begin,dispatch,end,finish,submit,begin,end,begin a timed pass',
  );
});

test('forty dispatches are submitted while the next are encoded, and the count of dispatches goes on', async () => {
  const { context, log } = await extended();
  for (let count = 0; count < 90; count++) context.dispatch();
  expect(log.filter((entry) => entry === 'submit')).toHaveLength(2);
  expect(context.pendingDispatchCount).toBe(90);
  context.flushCommands();
  expect(log.filter((entry) => entry === 'begin')).toHaveLength(3);
  expect(context.pendingDispatchCount).toBe(0);
});

test.each<[string, readonly (readonly number[])[]]>([
  [
    'another logit',
    [
      [1, 2],
      [1, 2.0000001],
    ],
  ],
  ['another zero', [[0], [-0]]],
  ['no number', [[1], [Number.NaN]]],
])('if the check finds %s, it is off and the device is as before', async (_name, logits) => {
  const { off, bind, context, log, newBuffer, write } = await extended(logits);
  expect(off).toContain('other logits');
  const buffer = newBuffer(USAGE.UNIFORM | USAGE.COPY_DST);
  expect(bind([buffer])).not.toBe(bind([buffer]));
  write(buffer, 1);
  write(buffer, 1);
  context.dispatch();
  context.dispatch();
  expect(log).toEqual(['write 1', 'write 1', 'begin', 'dispatch', 'end', 'begin', 'dispatch', 'end']);
});

test('logits that are no numbers in both passes of the check are equal', async () => {
  expect((await extended([[Number.NaN], [Number.NaN]])).off).toBeNull();
});

test('a model that fails during the check has it off, and a trap fails the load', async () => {
  let thrown = new Error('no device');
  const fail = () => {
    throw thrown;
  };
  expect((await extended([[1]], fail)).off).toContain('no device');
  thrown = new WebAssembly.RuntimeError('unreachable');
  await expect(extended([[1]], fail)).rejects.toThrow('unreachable');
});

test('an embedding model is checked by an embedding', async () => {
  const { context } = newContext();
  const embedStep = vi.fn<() => Promise<number[][]>>(async () => [[1, 2]]);
  const pipeline = { tvm: { lib: { webGPUContext: context } }, embedStep };
  await applyExtension(pipeline, FEWER_GPU_CALLS_FOR_EMBEDDINGS);
  expect(embedStep).toHaveBeenCalledTimes(2);
  embedStep.mockImplementationOnce(async () => [[3]]);
  await expect(applyExtension(pipeline, FEWER_GPU_CALLS_FOR_EMBEDDINGS)).rejects.toThrow('other logits');
});
