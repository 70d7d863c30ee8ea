import { beforeAll, expect, test, vi } from 'vitest';
import { recordAhead } from '../../../src/engine-worker/webllm/record-ahead.ts';

const UNIFORM = 0x40;
const STORAGE = 0x80;

beforeAll(() => {
  vi.stubGlobal('GPUBufferUsage', { UNIFORM });
});

/** The members of WebLLM's object that are used, in the middle of an answer, over a device that computes what is submitted. */
function newPipeline({ tokenUsage = STORAGE } = {}) {
  /** The tokens that the device has computed, in their order. */
  const computed: number[] = [];
  /** Positions of the key-value cache, as the model library counts them. */
  let positions = 10;
  let logitsAlive = 0;
  const places = { token: { usage: tokenUsage, value: -1 }, number: { usage: UNIFORM, value: -1 } };
  const context = {
    pendingEncoder: null as { passes: number } | null,
    pendingDispatchCount: 0,
    device: {
      queue: {
        writeBuffer(buffer: { value: number }, _offset: number, data: Int32Array) {
          buffer.value = data[0]!;
        },
      },
    },
  };
  const { queue } = context.device;
  const pipeline = {
    outputIds: [1],
    contextWindowSize: 100,
    filledKVCacheLength: positions,
    kvCache: {},
    tvm: {
      beginScope: () => undefined,
      endScope: () => undefined,
      scalar: (value: number) => value,
      detachFromCurrentScope: (logits: object) => logits,
      attachToCurrentScope: (logits: object) => logits,
      lib: { webGPUContext: context },
    },
    getKVCheckpointFunc(name: string) {
      if (name !== 'vm.builtin.kv_state_popn') throw new Error(`no ${name}`);
      return (_cache: unknown, _sequence: number, count: number) => void (positions -= count);
    },
    async embedAndForward(data: readonly (readonly number[])[], length: number) {
      queue.writeBuffer(places.token, 0, Int32Array.from(data.flat()));
      queue.writeBuffer(places.number, 0, Int32Array.of(positions));
      context.pendingEncoder ??= { passes: 0 };
      context.pendingEncoder.passes++;
      context.pendingDispatchCount += 5;
      positions += length;
      pipeline.filledKVCacheLength += length;
      logitsAlive++;
      return { dispose: () => void logitsAlive-- };
    },
    resetChat: () => void computed.push(-1),
  };
  return {
    pipeline,
    computed,
    submit() {
      for (let pass = 0; pass < (context.pendingEncoder?.passes ?? 0); pass++) computed.push(places.token.value);
      context.pendingEncoder = null;
      context.pendingDispatchCount = 0;
    },
    state: () => ({
      positions,
      known: pipeline.filledKVCacheLength,
      logitsAlive,
      pending: context.pendingDispatchCount,
    }),
  };
}

function recording() {
  const made = newPipeline();
  const recordNext = recordAhead(made.pipeline as never);
  expect(recordNext).not.toBeNull();
  return { ...made, record: (config = {}) => recordNext!(config) };
}

test('the launches are recorded before the token is known, and compute the token that then comes', async () => {
  const { pipeline, record, computed, submit, state } = recording();
  await record();
  expect(state()).toEqual({ positions: 11, known: 10, logitsAlive: 1, pending: 5 });
  await pipeline.embedAndForward([[7]], 1);
  expect(state()).toEqual({ positions: 11, known: 11, logitsAlive: 1, pending: 5 });
  submit();
  expect(computed).toEqual([7]);
});

test('a prompt is read as if nothing had been recorded', async () => {
  const { pipeline, record, computed, submit, state } = recording();
  await record();
  await pipeline.embedAndForward([[7, 8, 9]], 3);
  expect(state()).toEqual({ positions: 13, known: 13, logitsAlive: 1, pending: 5 });
  submit();
  expect(computed).toEqual([7]);
});

test('what was recorded is taken back once another prompt begins', async () => {
  const { pipeline, record, computed, submit, state } = recording();
  await record();
  pipeline.resetChat();
  expect(state()).toEqual({ positions: 10, known: 10, logitsAlive: 0, pending: 0 });
  submit();
  expect(computed).toEqual([-1]);
});

test('launches that somebody has submitted without their token are taken back, and recorded anew', async () => {
  const { pipeline, record, computed, submit, state } = recording();
  await record();
  submit();
  await pipeline.embedAndForward([[7]], 1);
  expect(state()).toEqual({ positions: 11, known: 11, logitsAlive: 1, pending: 5 });
  submit();
  expect(computed).toEqual([-1, 7]);
});

test.each<[name: string, prepare: (pipeline: ReturnType<typeof newPipeline>['pipeline']) => object]>([
  ['the first token of an answer', (pipeline) => ((pipeline.outputIds = []), {})],
  ['the last token of a limit', () => ({ max_tokens: 2 })],
  ['the last position of the window', (pipeline) => ((pipeline.filledKVCacheLength = 100), {})],
  [
    'a moment in which something waits to be submitted',
    (pipeline) => {
      pipeline.tvm.lib.webGPUContext.pendingEncoder = { passes: 0 };
      return {};
    },
  ],
])('nothing is recorded at %s', async (_name, prepare) => {
  const { pipeline, record, state } = recording();
  await record(prepare(pipeline));
  expect(state()).toMatchObject({ positions: 10, logitsAlive: 0, pending: 0 });
});

test('where the token is written to no buffer that can be told, what was recorded is taken back, and nothing more is', async () => {
  const { pipeline, state } = newPipeline({ tokenUsage: UNIFORM });
  const forward = vi.spyOn(pipeline, 'embedAndForward');
  const recordNext = recordAhead(pipeline as never)!;
  for (let times = 0; times < 2; times++) await recordNext({});
  expect(forward).toHaveBeenCalledOnce();
  expect(state()).toEqual({ positions: 10, known: 10, logitsAlive: 0, pending: 0 });
});

test('a device that fails while launches are recorded is heard of', async () => {
  const made = newPipeline();
  made.pipeline.embedAndForward = async () => {
    throw new Error('no device');
  };
  await expect(recordAhead(made.pipeline as never)!({})).rejects.toThrow('no device');
});

test('a model library that takes nothing back is left as it is', () => {
  const { pipeline } = newPipeline();
  pipeline.getKVCheckpointFunc = () => {
    throw new Error('no such function');
  };
  const before = { ...pipeline };
  expect(recordAhead(pipeline as never)).toBeNull();
  expect(pipeline).toEqual(before);
});

test.each(['embedAndForward', 'resetChat', 'getKVCheckpointFunc', 'tvm', 'outputIds', 'contextWindowSize'])(
  'a WebLLM without "%s" is left as it is',
  (name) => {
    const other = { ...newPipeline().pipeline, [name]: undefined };
    const before = { ...other };
    expect(recordAhead(other as never)).toBeNull();
    expect(other).toEqual(before);
  },
);
