import { expect, test } from 'vitest';
import { filterModels, EVERYTHING_THAT_SUITS } from '../../../src/chat/models/model-filter.ts';
import { judgeModel, memoryBudget, speedOn, type Device } from '../../../src/chat/models/judge-model.ts';
import type { DeviceSpeed } from '../../../src/chat/models/measuring/speed-worker.ts';
import { offerModels, suggestModels } from '../../../src/chat/models/suggest-models.ts';
import { modelStrings } from '../../../src/chat/strings/model-strings.ts';
import { offerStrings } from '../../../src/chat/strings/offer-strings.ts';
import type { GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import type { ModelListing } from '../../../src/shared/models/model-management.ts';
import { BUILT_IN, sampleModel } from '../../gallery/samples/models.ts';
import { catalogue, GIB, ggufModels, GPU, WITHOUT_HALF } from './whole-catalogue.ts';

const SMALL_BUFFERS: GraphicsDevice = { ...GPU, maxBufferSize: 2 ** 20 };

/** GPUs: name, adapter, and gigabytes per second that it reads; null if it is not measured. */
const GRAPHICS: readonly (readonly [string, GraphicsDevice | null, number | null])[] = [
  ['', null, null],
  ['google swiftshader', WITHOUT_HALF, null],
  ['llvmpipe (LLVM 17)', GPU, null],
  ['intel gen-9', GPU, 4],
  ['intel gen-12lp', WITHOUT_HALF, 43],
  ['arm mali-g57', GPU, 6],
  ['qualcomm adreno-7xx', GPU, 28],
  ['apple metal-3', GPU, 102],
  ['nvidia ampere', SMALL_BUFFERS, 300],
  ['amd rdna-2', GPU, null],
];

/** Main memory in GiB as browsers report it, and the billions of weights that a CPU thread multiplies per second. */
const MACHINES = [
  [0.5, 0.2],
  [4, 0.6],
  [8, null],
  [null, 3],
] as const;

interface Sample {
  readonly device: Device;
  readonly models: readonly ModelListing[];
}

const SAMPLES: readonly (readonly [string, Sample])[] = GRAPHICS.flatMap(([gpu, adapter, gigabytes]) =>
  MACHINES.map(([gib, billions], place): [string, Sample] => {
    const memory = gib === null ? null : gib * GIB;
    const graphics =
      gigabytes === null ? null : { bytesPerSecond: gigabytes * 1e9, secondsPerDispatch: 2e-5, runsGguf: false };
    const speed: DeviceSpeed | null = billions === null ? null : { weightsPerSecond: billions * 1e9, graphics };
    const isMetered = place % 2 === 1;
    const models = [BUILT_IN, ...catalogue(adapter, memory), ...ggufModels(memory)];
    const said = `${gpu || 'no GPU'}, ${gib ?? 'unknown'} GiB, ${billions ?? 'unknown'}e9 weights/s`;
    return [said, { device: { memory, gpu, speed, isMetered }, models }];
  }),
);

test('the table has forty devices', () => {
  expect(SAMPLES).toHaveLength(40);
});

const isChat = ({ id, embedding, continues }: ModelListing) => id !== 'pocket' && !embedding && continues !== true;

test.each(SAMPLES)('offer, suggestions and list agree about %s', (_, { device, models }) => {
  const listed = filterModels(models, EVERYTHING_THAT_SUITS, device);
  const offer = offerModels(models, device);
  const suggested = suggestModels(models, device).map(({ model }) => model);
  // What is offered or suggested is in the list of what suits, and none of it is slow or too large.
  for (const model of [...offer.models, ...suggested]) {
    expect(listed).toContain(model);
    expect(model.memoryBytes).toBeLessThanOrEqual(memoryBudget(device));
    expect(speedOn(model, device) ?? 3).toBeGreaterThanOrEqual(3);
  }
  // That larger models would be too slow or too large is said only if the list has none.
  expect(suggested.length === 0).toBe(!listed.some(isChat));
  expect(offer.models.length === 0).toBe(suggested.length === 0);
  expect(new Set(offer.models).size).toBe(offer.models.length);
});

test.each(SAMPLES)('no badge contradicts the speed beside it on %s', (_, { device, models }) => {
  const contradictions = models.filter(isChat).filter((model) => {
    const badge = modelStrings.fitness[judgeModel(model, device)];
    const tokensPerSecond = speedOn(model, device);
    const isSaidSlow =
      tokensPerSecond !== null &&
      /less than a token|about [12] token/.test(modelStrings.expectedSpeed(tokensPerSecond));
    if (badge === 'Suits this device') return isSaidSlow || model.fit.verdict !== 'yes' || model.fit.reasons.length > 0;
    return badge === 'Slow here' && tokensPerSecond !== null && !isSaidSlow;
  });
  expect(contradictions).toEqual([]);
});

test.each(SAMPLES)('the reason of the offer is true for %s', (_, { device, models }) => {
  const { models: offered, reason } = offerModels(models, device);
  const [first, second] = offered;
  const words = offerStrings.reasons[reason];
  const isSmallFirst = (first?.downloadBytes ?? 0) < (second?.downloadBytes ?? Infinity);
  expect(/pay for data/.test(words)).toBe(device.isMetered === true && first !== undefined);
  expect(/a small one comes first/.test(words) && !isSmallFirst).toBe(false);
  expect(/slow for language models/.test(words) && (speedOn(second!, device) ?? 0) >= 8).toBe(false);
  expect(device.isMetered === true && !isSmallFirst).toBe(false);
});

test('a slow CPU and a metered connection are offered a model of 98 MB first, and a better one beside it', () => {
  const models = [BUILT_IN, ...ggufModels(4 * GIB)];
  const slow = { memory: 4 * GIB, gpu: '', speed: { weightsPerSecond: 2e9, graphics: null } };
  const fast = { ...slow, speed: { weightsPerSecond: 2e10, graphics: null } };
  const ids = (device: Device) => offerModels(models, device).models.map(({ id }) => id);
  expect(ids(slow)).toEqual(['SmolLM2-135M-Instruct-Q4_1', 'Qwen2.5-0.5B-Instruct-Q4_K_M']);
  expect(ids(fast)[1]).toBe('SmolLM2-135M-Instruct-Q4_1');
  expect(ids({ ...fast, isMetered: true })[0]).toBe('SmolLM2-135M-Instruct-Q4_1');
});

test('models are sorted by the size that their cards show, whatever their family', () => {
  const models = [...catalogue(GPU, null), ...ggufModels(null)];
  const all = { ...EVERYTHING_THAT_SUITS, fit: 'all' } as const;
  const sizes = (order: 'smallest' | 'largest') =>
    filterModels(models, { ...all, order }, { memory: null }).map(({ downloadBytes }) => downloadBytes ?? 0);
  expect(sizes('smallest')).toEqual(sizes('smallest').toSorted((one, other) => one - other));
  expect(sizes('largest')).toEqual(sizes('smallest').toReversed());
});

test('a device that no listed suggestion suits is suggested the smallest model that does', () => {
  const models = [3e8, 2e8, 9e9].map((bytes) =>
    sampleModel({ id: `Other-${bytes}`, memoryBytes: bytes, downloadBytes: bytes }),
  );
  const device = { memory: 4 * GIB, gpu: 'intel gen-12lp' };
  expect(suggestModels(models, device).map(({ model }) => model.id)).toEqual(['Other-200000000']);
  expect(offerModels(models, device).models.map(({ id }) => id)).toEqual(['Other-200000000']);
});
