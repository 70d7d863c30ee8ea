import { beforeAll, expect, test, vi } from 'vitest';
import { reuseLaunches } from '../../../src/engine-worker/webllm/repeated-launches.ts';

const UNIFORM = 0x40;
const STORAGE = 0x80;

beforeAll(() => {
  vi.stubGlobal('GPUBufferUsage', { UNIFORM, STORAGE });
});

interface Binding {
  binding: number;
  resource: object;
}

/** A graphics device that notes what it is told. */
function newDevice() {
  const groups: object[] = [];
  const writes: number[][] = [];
  const commands: string[] = [];
  const note = (command: string) => () => void commands.push(command);
  const device = {
    createBindGroup(descriptor: { layout: object; entries: Binding[] }): object {
      groups.push(descriptor);
      return { descriptor };
    },
    createCommandEncoder: () => ({
      beginComputePass(descriptor?: object) {
        commands.push(descriptor ? 'begin described' : 'begin');
        return { dispatchWorkgroups: note('launch'), end: note('end') };
      },
      copyBufferToBuffer: note('copy'),
      clearBuffer: note('clear'),
      finish: note('finish'),
    }),
    queue: {
      writeBuffer(_buffer: object, _offset: number, data: ArrayBuffer, ..._part: number[]) {
        writes.push([...new Uint32Array(data)]);
      },
    },
  };
  expect(reuseLaunches({ tvm: { lib: { webGPUContext: { device: device as unknown as GPUDevice } } } })).toBe(true);
  return { device, groups, writes, commands };
}

const bufferOf = (usage: number) => ({ usage });
const bind = (...buffers: object[]) => buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
const numbers = (...values: number[]) => Uint32Array.from(values).buffer;

test('the bind group of a launch is the one of the same launch before', () => {
  const { device, groups } = newDevice();
  const layout = {};
  const [weights, values] = [bufferOf(STORAGE), bufferOf(STORAGE)];
  const first = device.createBindGroup({ layout, entries: bind(weights, values) });
  expect(device.createBindGroup({ layout, entries: bind(weights, values) })).toBe(first);
  expect(groups).toHaveLength(1);
});

const [weights, values, others] = [bufferOf(STORAGE), bufferOf(STORAGE), bufferOf(STORAGE)];
const layout = {};
test.each<[string, { layout: object; entries: Binding[] }]>([
  ['another buffer', { layout, entries: bind(weights, others) }],
  ['the same buffers in another order', { layout, entries: bind(values, weights) }],
  ['fewer buffers', { layout, entries: bind(weights) }],
  ['another layout', { layout: {}, entries: bind(weights, values) }],
  ['part of a buffer', { layout, entries: [...bind(weights), { binding: 1, resource: { buffer: values, size: 16 } }] }],
  [
    'a later part of a buffer',
    { layout, entries: [...bind(weights), { binding: 1, resource: { buffer: values, offset: 256 } }] },
  ],
  ['another binding', { layout, entries: [...bind(weights), { binding: 2, resource: { buffer: values } }] }],
])('%s is another bind group', (_name, descriptor) => {
  const { device, groups } = newDevice();
  const first = device.createBindGroup({ layout, entries: bind(weights, values) });
  expect(device.createBindGroup(descriptor)).not.toBe(first);
  expect(groups).toHaveLength(2);
});

test('what is bound otherwise than as a buffer is always bound anew', () => {
  const { device, groups } = newDevice();
  const descriptor = { layout, entries: [{ binding: 0, resource: {} }] };
  device.createBindGroup(descriptor);
  device.createBindGroup(descriptor);
  expect(groups).toHaveLength(2);
});

test('of very many bind groups the earlier ones are forgotten, and made anew', () => {
  const { device, groups } = newDevice();
  const buffers = Array.from({ length: 5000 }, () => bufferOf(STORAGE));
  for (const buffer of buffers) device.createBindGroup({ layout, entries: bind(buffer) });
  expect(groups).toHaveLength(5000);
  device.createBindGroup({ layout, entries: bind(buffers.at(-1)!) });
  expect(groups).toHaveLength(5000);
  device.createBindGroup({ layout, entries: bind(buffers[0]!) });
  expect(groups).toHaveLength(5001);
});

test('the numbers of a launch are written where they differ from what was written there last', () => {
  const { device, writes } = newDevice();
  const [one, other] = [bufferOf(UNIFORM), bufferOf(UNIFORM)];
  for (const position of [7, 7, 8, 8, 7]) device.queue.writeBuffer(one, 0, numbers(1, position));
  device.queue.writeBuffer(other, 0, numbers(1, 7));
  device.queue.writeBuffer(one, 0, numbers(1, 7, 0));
  expect(writes).toEqual([
    [1, 7],
    [1, 8],
    [1, 7],
    [1, 7],
    [1, 7, 0],
  ]);
});

test('numbers that the caller changes afterwards count as they were', () => {
  const { device, writes } = newDevice();
  const [buffer, data] = [bufferOf(UNIFORM), numbers(1)];
  device.queue.writeBuffer(buffer, 0, data);
  new Uint32Array(data)[0] = 2;
  device.queue.writeBuffer(buffer, 0, data);
  expect(writes).toEqual([[1], [2]]);
});

test('what kernels may change is always written, and so is a part of a buffer', () => {
  const { device, writes } = newDevice();
  const [tensor, uniform] = [bufferOf(STORAGE), bufferOf(UNIFORM)];
  for (let time = 0; time < 2; time++) device.queue.writeBuffer(tensor, 0, numbers(1));
  device.queue.writeBuffer(uniform, 0, numbers(2));
  device.queue.writeBuffer(uniform, 4, numbers(2));
  device.queue.writeBuffer(uniform, 0, numbers(2));
  device.queue.writeBuffer(uniform, 0, numbers(2), 0, 4);
  expect(writes).toHaveLength(6);
});

test('launches share a compute pass until something else is to be done', () => {
  const { device, commands } = newDevice();
  const encoder = device.createCommandEncoder();
  const launch = (descriptor?: object) => {
    const pass = encoder.beginComputePass(descriptor);
    pass.dispatchWorkgroups();
    pass.end();
  };
  launch();
  launch();
  encoder.copyBufferToBuffer();
  launch();
  encoder.clearBuffer();
  encoder.copyBufferToBuffer();
  launch();
  launch({ label: 'measured' });
  launch();
  encoder.finish();
  expect(commands.join(', ')).toBe(
    'begin, launch, launch, end, copy, begin, launch, end, clear, copy, begin, launch, end, ' +
      'begin described, launch, end, begin, launch, end, finish',
  );
});

test('each command encoder has passes of its own', () => {
  const { device, commands } = newDevice();
  for (let time = 0; time < 2; time++) {
    const encoder = device.createCommandEncoder();
    encoder.beginComputePass().end();
    encoder.finish();
  }
  expect(commands).toEqual(['begin', 'end', 'finish', 'begin', 'end', 'finish']);
});

test('a WebLLM that keeps its device elsewhere is left as it is', () => {
  expect(reuseLaunches({})).toBe(false);
  expect(reuseLaunches({ tvm: { lib: {} } })).toBe(false);
});
