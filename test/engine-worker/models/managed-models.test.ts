import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogueRecord } from '../../../src/engine-worker/models/catalogue-model.ts';
import type { GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import type { DownloadEnvironment } from '../../../src/engine-worker/models/download/download-environment.ts';
import { ChosenFiles } from '../../../src/engine-worker/models/download/chosen-files.ts';
import { Downloads } from '../../../src/engine-worker/models/download/downloads.ts';
import { UNKNOWN_VERSION } from '../../../src/engine-worker/models/download/file-version.ts';
import { PartialFile } from '../../../src/engine-worker/models/download/partial-file.ts';
import { ManagedModels } from '../../../src/engine-worker/models/managed-models.ts';
import { sourceOf } from '../../../src/engine-worker/models/source-of.ts';
import type { ModelEvent, StorageReport } from '../../../src/shared/models/model-management.ts';
import { readSiteModels, type ModelOptions } from '../../../src/shared/models/site-models.ts';
import { sleep } from '../../../src/shared/timeout.ts';
import { FaultyModelServer } from '../../support/sites/faulty-model-server.ts';
import { memoryCaches } from '../../support/fakes/memory-caches.ts';
import { memoryRecords } from '../../support/fakes/memory-records.ts';
import { ggufFile, splitGgufFile } from '../../support/samples/gguf-file.ts';
import { tinyMmproj } from '../../support/samples/tiny-vision-model.ts';
import { smallModelPackage } from '../../support/sites/small-model-package.ts';

const SITE = 'https://models.test/';
const MIB = 2 ** 20;
const GPU: GraphicsDevice = {
  features: new Set(['shader-f16']),
  maxBufferSize: 1024 * MIB,
  maxStorageBufferBindingSize: 1024 * MIB,
  maxComputeWorkgroupStorageSize: 32 * 1024,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeInvocationsPerWorkgroup: 1024,
  subgroupSizes: null,
};

let server: FaultyModelServer;
let caches: ReturnType<typeof memoryCaches>;
let records: ReturnType<typeof memoryRecords>;
let events: ModelEvent[];
/** Whether the engine of another version of the site downloads the model. */
let isLockedElsewhere: boolean;

beforeEach(() => {
  server = new FaultyModelServer();
  caches = memoryCaches();
  records = memoryRecords();
  events = [];
  isLockedElsewhere = false;
});

interface World {
  readonly catalogue?: readonly CatalogueRecord[];
  /** The site's options for its models. */
  readonly options?: ModelOptions;
  readonly device?: GraphicsDevice | null;
  readonly deviceMemory?: number | null;
  readonly quota?: number;
}

const announce = (event: ModelEvent) => void events.push(event);

/** A library as a newly started worker has it. Caches and records are kept from the previous one. */
function library({
  catalogue = [],
  options = {},
  device = GPU,
  deviceMemory = null,
  quota = 1e12,
}: World = {}): ManagedModels {
  let time = 0;
  const chosenFiles = new ChosenFiles();
  const environment: DownloadEnvironment = {
    fetch: chosenFiles.fetchWith(server.fetch),
    caches,
    estimate: async () => ({ usage: 1000, quota }),
    exclusively: async (_, work) => (isLockedElsewhere ? null : work()),
    now: () => (time += 100),
    wait: async (_, signal) => signal.throwIfAborted(),
  };
  const downloads = new Downloads({ environment, records, announce });
  return new ManagedModels({
    catalogue: async () => catalogue,
    siteModels: (site) => readSiteModels(options, site),
    environment,
    records,
    downloads,
    announce,
    chosenFiles,
    device: async () => device,
    deviceMemory,
    isCompat: false,
  });
}

function record(folder: string, changes: Partial<CatalogueRecord> = {}): CatalogueRecord {
  return {
    model: `${SITE}${folder}/`,
    model_id: `${folder}-1B-q4f32_1-MLC`,
    model_lib: `${SITE}${folder}/library.wasm`,
    ...changes,
  };
}

/** The package as the site offers it, in which the library is named after the model. */
function pocketPackage() {
  return new Map([...smallModelPackage()].map(([name, bytes]) => [name.replace('library', 'pocket'), bytes]));
}

/** What the files of GGUF models have in common. */
const PIECES = { cache: 'tabserve/gguf', kind: 'gguf', bytes: null, md5: null } as const;

async function stateOf(models: ManagedModels, id: string) {
  return (await models.list(SITE)).find((model) => model.id === id)?.state;
}

async function untilSettled(models: ManagedModels, id: string) {
  const settled = async () => {
    const state = await stateOf(models, id);
    if (state?.kind === 'download' && !['paused', 'failed'].includes(state.progress.phase))
      throw new Error('still running');
    return state;
  };
  return vi.waitFor(settled, { timeout: 60_000 });
}

test('lists the built-in models first and then every model of the WebLLM catalogue', async () => {
  const list = await library({ catalogue: prebuiltAppConfig.model_list }).list(SITE);
  expect(list.slice(0, 2)).toMatchObject([
    { id: 'pocket', origin: 'built-in', family: 'Pocket', embedding: false },
    { id: 'pocket-embed', origin: 'built-in', family: 'Pocket', embedding: true },
  ]);
  const known = prebuiltAppConfig.model_list.map(({ model_id, model_type }) => [model_id, model_type === 1]);
  expect(list.slice(2).map(({ id, embedding }) => [id, embedding])).toEqual(known);
  expect(list.filter(({ family }) => family === 'Other')).toEqual([]);
  expect(list.slice(2).filter(({ parameters, memoryBytes }) => parameters === null || memoryBytes === null)).toEqual(
    [],
  );
});

const described: readonly (readonly [
  id: string,
  family: string,
  parameters: number,
  quantization: string,
  licence: string | null,
  thinking: boolean,
])[] = [
  ['Llama-3.2-1B-Instruct-q4f16_1-MLC', 'Llama 3.2', 1e9, 'q4f16_1', 'Llama 3.2 Community License', false],
  ['Llama-3.1-70B-Instruct-q3f16_1-MLC', 'Llama 3.1', 70e9, 'q3f16_1', 'Llama 3.1 Community License', false],
  ['SmolLM2-360M-Instruct-q0f32-MLC', 'SmolLM2', 360e6, 'q0f32', 'Apache 2.0', false],
  ['stablelm-2-zephyr-1_6b-q4f16_1-MLC-1k', 'StableLM', 1.6e9, 'q4f16_1', null, false],
  ['gemma-4-E2B-it-q4f16_1-MLC', 'Gemma 4', 2e9, 'q4f16_1', 'Apache 2.0', false],
  ['Qwen3-0.6B-q4f16_1-MLC', 'Qwen3', 0.6e9, 'q4f16_1', 'Apache 2.0', true],
  ['Qwen2.5-Coder-3B-Instruct-q4f32_1-MLC', 'Qwen2.5', 3e9, 'q4f32_1', 'Qwen Research License', false],
  ['DeepSeek-R1-Distill-Qwen-7B-q4f16_1-MLC', 'DeepSeek R1 Distill', 7e9, 'q4f16_1', 'MIT', true],
  ['Phi-3.5-vision-instruct-q4f16_1-MLC', 'Phi 3.5', 4.2e9, 'q4f16_1', 'MIT', false],
  ['OpenHermes-2.5-Mistral-7B-q4f16_1-MLC', 'Hermes', 7e9, 'q4f16_1', 'Apache 2.0', false],
];

test.each(described)('describes %s correctly', async (id, family, parameters, quantization, licence, thinking) => {
  const list = await library({ catalogue: prebuiltAppConfig.model_list }).list(SITE);
  expect(list.find((model) => model.id === id)).toMatchObject({ family, parameters, quantization, licence, thinking });
});

/** Waits until the events report that a download receives bytes. */
async function downloading(): Promise<void> {
  await vi.waitFor(() =>
    expect(events).toContainEqual(
      expect.objectContaining({ progress: expect.objectContaining({ phase: 'downloading' }) }),
    ),
  );
}

const fits: readonly {
  name: string;
  device: GraphicsDevice | null;
  memory?: number;
  model: Partial<CatalogueRecord>;
  verdict: string;
  reason?: RegExp;
}[] = [
  {
    name: 'a device that supports everything',
    device: GPU,
    model: { required_features: ['shader-f16'], buffer_size_required_bytes: 250 * MIB },
    verdict: 'yes',
  },
  { name: 'no graphics device', device: null, model: {}, verdict: 'no', reason: /no access to a graphics processor/ },
  {
    name: 'no 16-bit arithmetic',
    device: { ...GPU, features: new Set() },
    model: { required_features: ['shader-f16'] },
    verdict: 'no',
    reason: /shader-f16/,
  },
  {
    name: 'no 16-bit arithmetic and a name that suggests it',
    device: { ...GPU, features: new Set() },
    model: { model_id: 'x-1B-q4f16_1' },
    verdict: 'doubtful',
    reason: /shader-f16/,
  },
  {
    name: 'an unknown feature',
    device: GPU,
    model: { required_features: ['subgroups'] },
    verdict: 'no',
    reason: /subgroups/,
  },
  {
    name: 'too small a buffer binding',
    device: { ...GPU, maxStorageBufferBindingSize: 512 * MIB },
    model: { buffer_size_required_bytes: 250 * MIB },
    verdict: 'no',
    reason: /250 MB at once; here it can access 128 MB/,
  },
  {
    name: 'a small device',
    device: { ...GPU, maxStorageBuffersPerShaderStage: 8 },
    model: {},
    verdict: 'no',
    reason: /fewer than 10 buffers/,
  },
  {
    name: 'less main memory than the model needs',
    device: GPU,
    memory: 4 * 1024 * MIB,
    model: { vram_required_MB: 5000 },
    verdict: 'doubtful',
    reason: /5,000 MB/,
  },
];

test.each(fits)('with $name the verdict is $verdict', async ({ device, memory, model, verdict, reason }) => {
  const list = await library({ catalogue: [record('m', model)], device, deviceMemory: memory ?? null }).list(SITE);
  expect(list[2]!.fit.verdict).toBe(verdict);
  expect(list[2]!.fit.reasons.join(' ')).toMatch(reason ?? /^$/);
});

test.each([
  { llamaCpp: 'serves llama.cpp', gguf: true, verdicts: { pocket: 'yes', 'pocket-embed': 'no' } },
  { llamaCpp: 'does not serve llama.cpp', gguf: false, verdicts: { pocket: 'no', 'pocket-embed': 'no' } },
])('without WebGPU, on a site that $llamaCpp, the built-in models run: $verdicts', async ({ gguf, verdicts }) => {
  const list = await library({ options: { gguf }, device: null }).list(SITE);
  expect(Object.fromEntries(list.map(({ id, fit }) => [id, fit.verdict]))).toEqual(verdicts);
});

test('each model of the catalogue has the facts that users choose by; only named families lack a licence', async () => {
  const listed = await library({ catalogue: prebuiltAppConfig.model_list }).list(SITE);
  const models = listed.filter(({ origin }) => origin === 'catalogue');
  const lacking = models.filter(
    ({ family, parameters, quantization, downloadBytes, memoryBytes, contextWindow, page, embedding }) =>
      family === 'Other' ||
      [parameters, quantization, downloadBytes, memoryBytes, page].includes(null) ||
      // Embedding models have their window only in their packages.
      (contextWindow === null && !embedding),
  );
  expect(lacking.map(({ id }) => id)).toEqual([]);
  const unlicensed = models.filter(({ licence }) => licence === null).map(({ family }) => family);
  // Their publishers state no licence, or different ones in different places.
  expect(new Set(unlicensed)).toEqual(new Set(['Hermes', 'WizardMath', 'StableLM']));
});

test('a downloaded model gets an entry from its own configuration', async () => {
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a', { overrides: { context_window_size: 1024 } })] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [] });
  expect(await records.models()).toEqual([
    expect.objectContaining({
      id: 'a-1B-q4f32_1-MLC',
      ownedBy: 'models.test',
      contextWindow: 1024,
      vocabularySize: 512,
      defaultTemperature: 0.6,
      defaultTopP: 0.9,
      modelUrl: `${SITE}a/`,
      libraryUrl: `${SITE}a/library.wasm`,
    }),
  ]);
  expect(await records.downloads()).toEqual([]);
});

test.each([
  ['the catalogue says so', { model_type: 1 }, {}],
  ['its configuration says so', {}, { model_type: 'bert' }],
])('an embedding model gets an entry with its dimensions if %s', async (_, known, told) => {
  const files = smallModelPackage();
  const name = 'mlc-chat-config.json';
  const config = JSON.parse(new TextDecoder().decode(files.get(name))) as object;
  const text = JSON.stringify({ ...config, ...told, model_config: { hidden_size: 384 } });
  server.add('/a/', files.set(name, new TextEncoder().encode(text)));
  const models = library({ catalogue: [record('a', known)] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  expect(await records.models()).toMatchObject([{ embedding: { dimensions: 384 } }]);
});

test('no entry exists before the last file is stored', async () => {
  server.add('/a/', smallModelPackage());
  server.faults.push({ file: 'params_shard_2.bin', kind: 'status', status: 404 });
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({
    kind: 'download',
    progress: { phase: 'failed', failure: { file: 'params_shard_2.bin', cause: 'http' } },
  });
  expect(await records.models()).toEqual([]);
});

/** Downloads a model of which one file is missing at first. */
async function failDownload(): Promise<void> {
  server.add('/a/', smallModelPackage());
  server.faults.push({ file: 'params_shard_2.bin', kind: 'status', status: 404, times: 1 });
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
}

test('a download whose page was closed is paused after a restart, and can be resumed', async () => {
  await failDownload();

  const second = library({ catalogue: [record('a')] });
  expect(await stateOf(second, 'a-1B-q4f32_1-MLC')).toMatchObject({
    kind: 'download',
    progress: { phase: 'failed', receivedBytes: expect.any(Number) },
  });
  server.requests.length = 0;
  await second.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(second, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present' });
  expect(server.requests.filter(({ path }) => !path.includes('shard'))).toEqual([]);
});

test('pausing keeps a download without marking it as failed', async () => {
  server.add('/a/', smallModelPackage({ shards: [5_000_000] }));
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await downloading();
  await models.pause('a-1B-q4f32_1-MLC');
  expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toMatchObject({
    kind: 'download',
    progress: { phase: 'paused', failure: null },
  });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present' });
});

test('pausing a download that no longer runs lets everybody who shows it look again', async () => {
  await failDownload();
  const second = library({ catalogue: [record('a')] });
  events.length = 0;
  await second.pause('a-1B-q4f32_1-MLC');
  expect(events).toEqual([{ type: 'changed' }]);
});

test.each(['pause', 'delete'] as const)(
  'the engine of another version of the site goes on with its download: to %s it is refused, and nothing is deleted',
  async (action) => {
    await failDownload();
    const models = library({ catalogue: [record('a')] });
    const before = await stateOf(models, 'a-1B-q4f32_1-MLC');
    isLockedElsewhere = true;
    await expect(models[action]('a-1B-q4f32_1-MLC', SITE)).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('version'),
    });
    expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toEqual(before);
  },
);

test('cancelling a download leaves nothing of it', async () => {
  server.add('/a/', smallModelPackage({ shards: [5_000_000] }));
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await downloading();
  await models.delete('a-1B-q4f32_1-MLC', SITE);
  expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toEqual({ kind: 'absent' });
  expect(await models.storage()).toMatchObject({ modelBytes: 0 });
  expect(await records.downloads()).toEqual([]);
});

/** Adds a split model from files that the user chooses, and starts its download. */
async function addChosen(models: ManagedModels): Promise<void> {
  const parts = [1, 2].map((part) => new File([splitGgufFile(part, 2)], `mine-0000${part}-of-00002.gguf`));
  await models.inspectGguf(parts, SITE);
  await models.download('mine', SITE);
}

/** Adds a GGUF model by its address, and starts its download. */
async function addByAddress(models: ManagedModels, header: Parameters<typeof ggufFile>[0] = {}): Promise<void> {
  server.add('/', new Map([['mine.gguf', ggufFile(header)]]));
  await models.inspectGguf(`${SITE}mine.gguf`, SITE);
  await models.download('mine', SITE);
}

/** Adds a package by its addresses, and starts its download. */
async function addPackage(models: ManagedModels): Promise<void> {
  server.add('/mine/', smallModelPackage());
  await models.addCustom({ id: 'mine', modelUrl: `${SITE}mine/`, libraryUrl: `${SITE}mine/library.wasm` }, SITE);
}

/** The ways to add a model `mine`. The last one leaves an unfinished download. */
const WAYS: Readonly<Record<string, (models: ManagedModels) => Promise<void>>> = {
  'a package': addPackage,
  'a GGUF model': addByAddress,
  'an embedding model': (models) => addByAddress(models, { 'llama.pooling_type': 1 }),
  'a split model from chosen files': addChosen,
  'an unfinished download': (models) => {
    if (server.requests.length === 0) server.faults.push({ file: 'params_shard_2.bin', kind: 'status', status: 404 });
    return addPackage(models);
  },
};

/** What a database without room does. */
const refuse = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));

/** Lets something happen before each file is deleted from a cache. */
function onDeletion(before: () => Promise<void>): void {
  const { open } = caches;
  vi.spyOn(caches, 'open').mockImplementation(async (name) => {
    const cache = await open(name);
    return { ...cache, delete: async (key) => (await before(), cache.delete(key)) };
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Lets the storage hang when a file is deleted. @returns a function that ends that. */
function holdDeletions(): () => void {
  const held = new EventTarget();
  const released = new Promise<void>((resolve) => held.addEventListener('released', () => resolve()));
  onDeletion(() => released);
  return () => void held.dispatchEvent(new Event('released'));
}

for (const [what, add] of Object.entries(WAYS)) {
  test(`the next engine deletes the rest of ${what} if the browser is closed while it is deleted`, async () => {
    const models = library();
    await add(models);
    await untilSettled(models, 'mine');
    const open = vi.spyOn(caches, 'open').mockReturnValue(new Promise(() => {}));
    models.delete('mine', SITE).catch(() => {});
    await vi.waitFor(() => expect(open).toHaveBeenCalled());
    open.mockRestore();

    const next = library();
    expect((await next.list(SITE)).map(({ id }) => id)).not.toContain('mine');
    expect((await next.storage()).modelBytes).toBeGreaterThan(0);
    await next.finishDeletions(SITE);
    expect((await next.storage()).modelBytes).toBe(0);
    expect(await records.deletions()).toEqual([]);
  });

  test(`${what} is complete if it is added again while it is deleted`, async () => {
    const models = library();
    await add(models);
    await untilSettled(models, 'mine');
    server.faults.length = 0;
    const goOn = holdDeletions();
    const deletion = models.delete('mine', SITE);
    await vi.waitFor(async () => expect(await stateOf(models, 'mine')).toBeUndefined());
    const adding = add(models);
    setTimeout(goOn, 100);
    await Promise.all([adding, deletion]);
    expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present', missing: [] });
  });
}

test('a download that waits for another deletion does not begin if its own model is deleted meanwhile', async () => {
  const models = library({ catalogue: [record('a')] });
  await addByAddress(models);
  await untilSettled(models, 'mine');
  server.add('/a/', smallModelPackage());
  const goOn = holdDeletions();
  const other = models.delete('mine', SITE);
  await vi.waitFor(async () => expect(await stateOf(models, 'mine')).toBeUndefined());
  const download = models.download('a-1B-q4f32_1-MLC', SITE);
  const deletion = models.delete('a-1B-q4f32_1-MLC', SITE);
  goOn();
  await Promise.all([other, download, deletion]);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toEqual({ kind: 'absent' });
  expect((await models.storage()).modelBytes).toBe(0);
  expect(await records.deletions()).toEqual([]);
});

test('a model that is downloaded again while its deletion takes minutes is complete', async () => {
  const models = library();
  await addPackage(models);
  await untilSettled(models, 'mine');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onDeletion(() => sleep(9000));
  const deletion = models.delete('mine', SITE);
  await vi.advanceTimersByTimeAsync(20_000);
  const adding = addPackage(models);
  await vi.advanceTimersByTimeAsync(200_000);
  await Promise.all([deletion, adding]);
  expect(await stateOf(models, 'mine')).toMatchObject({ kind: 'present', missing: [] });
});

test('a deletion that hangs is given up, and does not go on when the storage answers at last', async () => {
  const models = library({ catalogue: [record('a')] });
  server.add('/a/', smallModelPackage());
  await addPackage(models);
  await untilSettled(models, 'mine');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const goOn = holdDeletions();
  const deletion = models.delete('mine', SITE).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(13_000);
  expect(await deletion).toMatchObject({ code: 'storage_unavailable' });
  const adding = addPackage(models);
  await vi.advanceTimersByTimeAsync(10_000);
  await adding;
  goOn();
  await vi.advanceTimersByTimeAsync(10_000);
  // The one file whose deletion had begun is gone.
  expect(await stateOf(models, 'mine')).toMatchObject({ kind: 'present', missing: [expect.any(String)] });
});

test('a model that an earlier build has downloaded again is not deleted by the next engine', async () => {
  const models = library();
  await addByAddress(models);
  await untilSettled(models, 'mine');
  const [entry] = await records.models();
  await records.putDeletion(sourceOf(entry!));
  await library().finishDeletions(SITE);
  expect(await stateOf(models, 'mine')).toMatchObject({ kind: 'present', missing: [] });
  expect(await records.deletions()).toEqual([]);
});

test('a model can be deleted if the disk has no room to note that', async () => {
  const models = library();
  await addByAddress(models);
  await untilSettled(models, 'mine');
  records.putDeletion = refuse;
  await models.delete('mine', SITE);
  expect((await models.storage()).modelBytes).toBe(0);
  expect(await stateOf(models, 'mine')).toBeUndefined();
});

test('an interrupted deletion is finished on a disk that has no room for notes', async () => {
  const models = library();
  await addByAddress(models);
  await untilSettled(models, 'mine');
  const [entry] = await records.models();
  await records.deleteModel('mine');
  await records.putDeletion(sourceOf(entry!));
  Object.assign(records, { putDeletion: refuse, putSiteSources: refuse });
  await models.finishDeletions(SITE);
  expect((await models.storage()).modelBytes).toBe(0);
});

test('a model whose file is being completed is deleted at once, however long its storage takes to open it', async () => {
  const models = library();
  const open = vi.spyOn(Response.prototype, 'blob').mockReturnValue(new Promise(() => {}));
  onTestFinished(() => open.mockRestore());
  await addByAddress(models);
  await vi.waitFor(() => expect(open).toHaveBeenCalled());
  await models.delete('mine', SITE);
  expect((await models.storage()).modelBytes).toBe(0);
  expect(await stateOf(models, 'mine')).toBeUndefined();
});

test("where a site's own models come from is stored only when it has changed", async () => {
  const store = vi.spyOn(records, 'putSiteSources');
  await library().finishDeletions(SITE);
  const { length } = store.mock.calls;
  await library().finishDeletions(SITE);
  expect(store.mock.calls).toHaveLength(length);
});

test('a deletion that hangs in the storage keeps no other model from being deleted', async () => {
  const models = library();
  await addByAddress(models);
  await untilSettled(models, 'mine');
  const [entry] = await records.models();
  await records.finishDownload({ ...entry!, id: 'other', modelUrl: `${SITE}other.gguf` });
  vi.spyOn(caches, 'open').mockReturnValue(new Promise(() => {}));
  models.delete('mine', SITE).catch(() => {});
  models.delete('other', SITE).catch(() => {});
  await vi.waitFor(async () => expect(await records.models()).toEqual([]));
  vi.restoreAllMocks();
});

test('pages look again when the files of a deleted model are gone, and see the room that it has left', async () => {
  const models = library();
  await addByAddress(models);
  await untilSettled(models, 'mine');
  const seen: Promise<StorageReport>[] = [];
  vi.spyOn(events, 'push').mockImplementation(() => seen.push(models.storage()));
  await models.delete('mine', SITE);
  expect((await seen.at(-1))?.modelBytes).toBe(0);
  vi.restoreAllMocks();
});

/** Looks at a split model of a server, and starts its download. Only the second file is large. */
async function addSplit(models: ManagedModels): Promise<void> {
  const first = 'mine-00001-of-00002.gguf';
  const second = ggufFile({ 'split.count': 2, 'split.no': 1 }, 9e6);
  server.add('/', new Map([[first, splitGgufFile(1, 2)]]));
  server.add('/', new Map([['mine-00002-of-00002.gguf', second]]));
  await models.inspectGguf(SITE + first, SITE);
  await models.download('mine', SITE);
}

test('nothing of a split model is fetched if the storage has no room for all of its files', async () => {
  const models = library({ quota: 5e6 });
  await addSplit(models);
  expect(await untilSettled(models, 'mine')).toMatchObject({
    kind: 'download',
    progress: { phase: 'failed', failure: { cause: 'quota', file: null } },
  });
  expect((await models.storage()).modelBytes).toBe(0);
});

test("a site's own GGUF file, whose size its server tells first, is not fetched if the storage has no room for it", async () => {
  server.add('/', new Map([['big.gguf', ggufFile({}, 9e6)]]));
  const models = library({ quota: 5e6, options: { models: [{ id: 'own', gguf: '/big.gguf' }] } });
  await models.download('own', SITE);
  expect(await untilSettled(models, 'own')).toMatchObject({
    kind: 'download',
    progress: { phase: 'failed', failure: { cause: 'quota', file: null } },
  });
  expect((await models.storage()).modelBytes).toBe(0);
});

test('the progress of a split model counts the files from the beginning whose download has not begun', async () => {
  const models = library();
  await addSplit(models);
  await untilSettled(models, 'mine');
  const totals = events.flatMap((event) => (event.type === 'progress' ? [event.progress.totalBytes] : []));
  const { modelBytes } = await models.storage();
  expect(new Set(totals.filter((total) => total !== null))).toEqual(new Set([modelBytes]));
});

const TWO_FILES = [ggufFile(), ggufFile({ 'general.name': 'A model of a longer name' })] as const;
const servedFrom = (folder: string, file: Uint8Array<ArrayBuffer>) => {
  server.add(`/${folder}/`, new Map([['mine.gguf', file]]));
  return `${SITE}${folder}/mine.gguf`;
};

test.each([
  ['files', TWO_FILES.map((file) => [new File([file], 'mine.gguf')])],
  ['addresses', TWO_FILES.map((file, index) => () => servedFrom(`${index}`, file))],
] as const)('two %s of one name that are looked at in two tabs at once become two models', async (_, [one, two]) => {
  const models = library();
  const look = (from: readonly File[] | (() => string)) =>
    models.inspectGguf(typeof from === 'function' ? from() : from, SITE);
  const offers = await Promise.all([look(one!), look(two!)]);
  const ids = offers.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(['mine', 'mine-2']);
  // Who looks at the first one again gets the same offer.
  expect(await look(one!)).toEqual(offers[0]);
  for (const id of ids) await models.download(id, SITE);
  for (const [index, id] of ids.entries())
    expect(await untilSettled(models, id)).toMatchObject({ kind: 'present', bytes: TWO_FILES[index]!.length });
});

test.each([
  ['after a first look', 'absent'],
  ['during its download', 'download'],
])('a file that is replaced on its server %s is downloaded once it was looked at again', async (_, state) => {
  const [old, newer] = [ggufFile({}, 3e6), ggufFile({ 'general.name': 'Version 2' }, 4e6)];
  const models = library();
  await models.inspectGguf(servedFrom('files', old), SITE);
  server.faults.push({ file: 'mine.gguf', kind: 'drop', after: 1e6, times: 1 });
  server.faults.push({ file: 'mine.gguf', kind: 'status', status: 404 });
  if (state === 'download') await models.download('mine', SITE);
  await untilSettled(models, 'mine');
  server.faults.length = 0;
  expect(await models.inspectGguf(servedFrom('files', newer), SITE)).toMatchObject({ id: 'mine', state });
  await models.download('mine', SITE);
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present', missing: [], bytes: newer.length });
});

test('a file is not added under a name that a package has been given since it was looked at', async () => {
  const models = library();
  await models.inspectGguf(servedFrom('files', ggufFile()), SITE);
  await addPackage(models);
  await expect(models.download('mine', SITE)).rejects.toMatchObject({ code: 'invalid_value', param: 'id' });
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present' });
  // The package can be repaired.
  await (await caches.open('webllm/model')).delete(`${SITE}mine/params_shard_1.bin`);
  await models.download('mine', SITE);
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present', missing: [] });
  expect(await models.inspectGguf(servedFrom('files', ggufFile()), SITE)).toMatchObject({ id: 'mine-2' });
});

test('of two packages that get one name at once, the second is refused', async () => {
  const models = library();
  server.add('/one/', smallModelPackage());
  server.add('/two/', smallModelPackage());
  const add = (folder: string) =>
    models.addCustom({ id: 'mine', modelUrl: `${SITE}${folder}/`, libraryUrl: `${SITE}${folder}/library.wasm` }, SITE);
  const [first, second] = await Promise.allSettled([add('one'), add('two')]);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'invalid_value', param: 'id' } });
});

test('deleting a model keeps the files that another model shares with it', async () => {
  server.add('/a/', smallModelPackage());
  const small = record('a', { model_id: 'a-1k', overrides: { context_window_size: 1024 } });
  const models = library({ catalogue: [record('a'), small] });
  for (const id of ['a-1B-q4f32_1-MLC', 'a-1k']) {
    await models.download(id, SITE);
    await untilSettled(models, id);
  }
  const { modelBytes } = await models.storage();
  await models.delete('a-1k', SITE);
  expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [], bytes: modelBytes });
  await models.delete('a-1B-q4f32_1-MLC', SITE);
  expect(await models.storage()).toMatchObject({ modelBytes: 0 });
});

test('names the files that the browser has evicted, and fetches only these for a repair', async () => {
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  await (await caches.open('webllm/model')).delete(`${SITE}a/params_shard_1.bin`);
  expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: ['params_shard_1.bin'] });
  server.requests.length = 0;
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [] });
  expect(server.requests.map(({ path }) => path)).toEqual(['/a/params_shard_1.bin']);
});

test('a repair that is cancelled leaves the model and its settings as they are, another download is no repair', async () => {
  server.add('/a/', smallModelPackage());
  const id = 'a-1B-q4f32_1-MLC';
  const models = library({ catalogue: [record('a')] });
  const begin = async () => {
    server.faults.push({ file: 'params_shard_1.bin', kind: 'status', status: 404, times: 1 });
    await models.download(id, SITE);
    expect(await untilSettled(models, id)).toMatchObject({ kind: 'download', progress: { phase: 'failed' } });
  };
  await begin();
  expect(await models.cancelRepair(id)).toBe(false);
  expect(await stateOf(models, id)).toMatchObject({ kind: 'download' });
  await models.download(id, SITE);
  await untilSettled(models, id);
  await models.setKeepAlive(id, 60, SITE);
  await (await caches.open('webllm/model')).delete(`${SITE}a/params_shard_1.bin`);
  const damaged = await stateOf(models, id);
  await begin();
  expect(await models.cancelRepair(id)).toBe(true);
  expect(await stateOf(models, id)).toEqual(damaged);
  expect(await records.models()).toMatchObject([{ keepAlive: 60 }]);
  // There is nothing to cancel.
  expect(await models.cancelRepair(id)).toBe(false);
});

test('a repair changes nothing that programs know of a model', async () => {
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1e12);
  onTestFinished(() => clock.mockRestore());
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  const before = await records.models();
  clock.mockReturnValue(2e12);
  await (await caches.open('webllm/model')).delete(`${SITE}a/params_shard_1.bin`);
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  expect(await records.models()).toEqual(before);
});

test('adds a model by its addresses, lists it before the catalogue, and forgets it when deleted', async () => {
  server.add('/mine/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  await models.addCustom({ id: 'mine', modelUrl: `${SITE}mine`, libraryUrl: `${SITE}mine/library.wasm` }, SITE);
  await untilSettled(models, 'mine');
  const list = await models.list(SITE);
  expect(list.map(({ id, origin }) => [id, origin])).toEqual([
    ['pocket', 'built-in'],
    ['pocket-embed', 'built-in'],
    ['mine', 'custom'],
    ['a-1B-q4f32_1-MLC', 'catalogue'],
  ]);
  const weights = smallModelPackage();
  const bytes = [...weights].reduce((sum, [name, data]) => sum + (name.startsWith('params') ? data.length : 0), 0);
  expect(list.find(({ id }) => id === 'mine')?.memoryBytes).toBe(bytes);
  await models.delete('mine', SITE);
  expect((await models.list(SITE)).some(({ id }) => id === 'mine')).toBe(false);
});

test('a custom model is judged by the memory of its weights', async () => {
  server.add('/mine/', smallModelPackage());
  const models = library({ deviceMemory: 10 });
  await models.addCustom({ id: 'mine', modelUrl: `${SITE}mine`, libraryUrl: `${SITE}mine/library.wasm` }, SITE);
  await untilSettled(models, 'mine');
  const { fit } = (await models.list(SITE)).find(({ id }) => id === 'mine')!;
  expect(fit).toMatchObject({ verdict: 'doubtful', reasons: [expect.stringContaining('graphics memory')] });
});

const refused = [
  { name: 'an empty name', change: { id: '  ' }, param: 'id' },
  { name: 'a name that is in use', change: { id: 'pocket' }, param: 'id' },
  { name: 'an incomplete address', change: { modelUrl: 'models/x' }, param: 'modelUrl' },
  { name: 'a file address', change: { libraryUrl: 'file:///x.wasm' }, param: 'libraryUrl' },
];

test.each(refused)('refuses a custom model with $name', async ({ change, param }) => {
  const model = { id: 'mine', modelUrl: `${SITE}mine/`, libraryUrl: `${SITE}mine/library.wasm`, ...change };
  await expect(library().addCustom(model, SITE)).rejects.toMatchObject({ code: 'invalid_value', param });
});

test.each([
  ['the package', 'modelUrl', '/typo/', '/mine/library.wasm'],
  ['the library', 'libraryUrl', '/mine/', '/mine/typo.wasm'],
] as const)('a wrong address of %s is refused, stores nothing, and can be corrected', async (_, param, model, wasm) => {
  server.add('/mine/', smallModelPackage());
  const models = library();
  const add = (modelUrl: string, libraryUrl: string) => models.addCustom({ id: 'mine', modelUrl, libraryUrl }, SITE);
  const refusal = await add(new URL(model, SITE).href, new URL(wasm, SITE).href).catch((thrown: unknown) => thrown);
  expect(refusal).toMatchObject({ code: 'model_load_failed', param });
  expect((await models.list(SITE)).map(({ id }) => id)).not.toContain('mine');
  await add(`${SITE}mine/`, `${SITE}mine/library.wasm`);
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present' });
});

test('a GGUF model is downloaded once its header was read, and gets its own id', async () => {
  const models = library({ deviceMemory: 8 * 2 ** 30 });
  server.add('/one/', new Map([['tiny.gguf', ggufFile()]]));
  server.add('/two/', new Map([['tiny.gguf', ggufFile({ 'general.name': 'Other' })]]));
  const offer = await models.inspectGguf(`${SITE}one/tiny.gguf`, SITE);
  expect(offer).toMatchObject({ id: 'tiny', contextWindow: 2048, fit: { verdict: 'yes' }, state: 'absent' });
  expect((await models.list(SITE)).map(({ id }) => id)).not.toContain('tiny');
  await models.download('tiny', SITE);
  await untilSettled(models, 'tiny');
  expect((await models.list(SITE)).find(({ id }) => id === 'tiny')).toMatchObject({
    format: 'gguf',
    origin: 'custom',
    licence: 'apache-2.0',
    quantization: 'Q4_K_M',
    contextWindow: 2048,
    memoryBytes: offer.memoryBytes,
    state: { kind: 'present', bytes: ggufFile().length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  // After a restart, the worker knows the model by its stored entry.
  expect(await library().inspectGguf(`${SITE}one/tiny.gguf`, SITE)).toMatchObject({ id: 'tiny', state: 'present' });
  expect(await models.inspectGguf(`${SITE}two/tiny.gguf`, SITE)).toMatchObject({ id: 'tiny-2', state: 'absent' });
  await models.delete('tiny', SITE);
  expect((await models.storage()).modelBytes).toBe(0);
});

test('a GGUF model without a chat template continues text, if its file or the site says so', async () => {
  const ofSite = { gguf: '/site.gguf' };
  const models = library({
    options: {
      models: [
        { id: 'of-site', ...ofSite, chatTemplate: false },
        { id: 'other', ...ofSite },
      ],
    },
  });
  const withoutTemplate = ggufFile({ 'tokenizer.chat_template': null });
  server.add(
    '/one/',
    new Map([
      ['chats.gguf', ggufFile()],
      ['base.gguf', withoutTemplate],
    ]),
  );
  for (const name of ['chats', 'base']) {
    await models.inspectGguf(`${SITE}one/${name}.gguf`, SITE);
    await models.download(name, SITE);
    await untilSettled(models, name);
  }
  const continuing = (await models.list(SITE)).filter((model) => model.continues);
  expect(continuing.map(({ id }) => id)).toEqual(['of-site', 'base']);
});

test('the image encoder of a GGUF model is downloaded, counted and deleted with it, and shared files stay', async () => {
  const mmproj = new Uint8Array(await tinyMmproj().arrayBuffer());
  server.add(
    '/files/',
    new Map([
      ['tiny.gguf', ggufFile()],
      ['mmproj.gguf', mmproj],
    ]),
  );
  const gguf = '/files/tiny.gguf';
  const sees = { id: 'sees', gguf, mmproj: '/files/mmproj.gguf' };
  const models = library({ options: { models: [sees, { id: 'blind', gguf }], builtInModels: [] } });
  await models.download('blind', SITE);
  const blind = await untilSettled(models, 'blind');
  expect(blind).toMatchObject({ kind: 'present', bytes: ggufFile().length });
  expect(await stateOf(models, 'sees')).toEqual({ kind: 'absent' });

  await models.download('sees', SITE);
  const bytes = ggufFile().length + mmproj.length;
  // The hash is that of the model's own file.
  expect(await untilSettled(models, 'sees')).toEqual({ ...blind, bytes });
  expect(await models.list(SITE)).toMatchObject([
    { id: 'sees', images: true },
    { id: 'blind', images: false },
  ]);
  expect((await models.storage()).modelBytes).toBe(bytes);

  await models.delete('sees', SITE);
  expect((await models.storage()).modelBytes).toBe(ggufFile().length);
  expect(await stateOf(models, 'blind')).toEqual(blind);
});

test('an address on Hugging Face refers to the main branch, as in WebLLM', async () => {
  server.add('/someone/thing/resolve/main/', smallModelPackage());
  server.add('/', smallModelPackage());
  const models = library();
  await models.addCustom(
    {
      id: 'hub',
      modelUrl: 'https://huggingface.co/someone/thing',
      libraryUrl: `${SITE}library.wasm`,
    },
    SITE,
  );
  await untilSettled(models, 'hub');
  expect(server.requests[0]!.path).toBe('/someone/thing/resolve/main/mlc-chat-config.json');
});

test('reads the size of a package from its lists alone', async () => {
  const files = smallModelPackage();
  server.add('/a/', files);
  const models = library({ catalogue: [record('a')] });
  const sum = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  expect(await models.size('a-1B-q4f32_1-MLC', SITE)).toBe(sum);
  expect(server.requests.filter(({ method, path }) => method === 'GET' && path.includes('shard'))).toEqual([]);
  expect((await models.list(SITE))[2]!.downloadBytes).toBe(sum);
  expect(await models.storage()).toMatchObject({ modelBytes: 0 });
});

test('the built-in model is downloaded like any other for offline use, and needs no entry', async () => {
  server.add('/models/pocket/', pocketPackage());
  const models = library();
  expect(await stateOf(models, 'pocket')).toEqual({ kind: 'absent' });
  await models.download('pocket', SITE);
  expect(await untilSettled(models, 'pocket')).toMatchObject({ kind: 'present', missing: [] });
  expect(await records.models()).toEqual([]);
});

test('deleting the built-in model deletes its files for devices without WebGPU, too', async () => {
  server.add('/models/pocket/', pocketPackage());
  const models = library({ options: { gguf: true } });
  await models.download('pocket', SITE);
  await untilSettled(models, 'pocket');
  const url = readSiteModels({ gguf: true }, SITE).entries[0]!.ggufUrl!;
  const partial = await PartialFile.open(caches, { ...PIECES, name: 'pocket.gguf', url });
  await partial.append(new Blob(['GGUF']), UNKNOWN_VERSION);
  await (await caches.open('tabserve/gguf')).put(url, new Response(''));
  await models.delete('pocket', SITE);
  expect((await models.storage()).modelBytes).toBe(0);
  for (const name of ['tabserve/gguf', 'tabserve/partial']) expect(await (await caches.open(name)).keys()).toEqual([]);
});

test('an invalid stored file list counts as missing, and is fetched again', async () => {
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  await (await caches.open('webllm/model')).put(`${SITE}a/tensor-cache.json`, new Response('{"records": [1]}'));
  expect(await stateOf(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: ['tensor-cache.json'] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [] });
});

test('a download continues if its progress cannot be stored', async () => {
  records.putDownload = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [] });
  expect(warned).toHaveBeenCalled();
  warned.mockRestore();
});

test('if a disk that fills up has no room for the entry of a downloaded model, the download says so, and ends once there is', async () => {
  const { finishDownload } = records;
  records.finishDownload = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));
  const models = library();
  await addByAddress(models);
  expect(await untilSettled(models, 'mine')).toMatchObject({
    progress: { phase: 'failed', failure: { cause: 'quota', file: 'mine' } },
  });
  records.finishDownload = finishDownload;
  server.requests.length = 0;
  await models.download('mine', SITE);
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present', missing: [] });
  expect(server.requests).toEqual([]);
});

test('an unknown id is an error of its own', async () => {
  await expect(library().download('nobody', SITE)).rejects.toMatchObject({ code: 'model_not_found' });
});

const KIOSK = {
  id: 'kiosk',
  contextWindow: 1024,
  vocabularySize: 512,
  modelUrl: '/kiosk/',
  libraryUrl: '/kiosk/library.wasm',
} as const;

test('a model of the site precedes or replaces one of the catalogue, and needs no entry', async () => {
  server.add('/kiosk/', smallModelPackage());
  const catalogue = [record('a'), record('b', { model_id: 'kiosk' })];
  const models = library({ catalogue, options: { models: [KIOSK], builtInModels: [] } });
  const list = await models.list(SITE);
  expect(list).toMatchObject([
    { id: 'kiosk', origin: 'built-in', contextWindow: 1024, state: { kind: 'absent' } },
    { id: 'a-1B-q4f32_1-MLC', origin: 'catalogue' },
  ]);
  expect(list).toHaveLength(2);
  await models.download('kiosk', SITE);
  expect(await untilSettled(models, 'kiosk')).toMatchObject({ kind: 'present', missing: [] });
  expect(await records.models()).toEqual([]);
});

test('with a mirror the catalogue is fetched from there, each file below its host and path', async () => {
  server.add('/copies/models.test/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')], options: { catalogue: { base: 'https://mirror.test/copies' } } });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present' });
  expect(await records.models()).toMatchObject([
    {
      modelUrl: 'https://mirror.test/copies/models.test/a/',
      libraryUrl: 'https://mirror.test/copies/models.test/a/library.wasm',
    },
  ]);
});

test('a model that was downloaded before the site added or removed its mirror is complete', async () => {
  const [direct, mirror] = [{}, { catalogue: { base: 'https://mirror.test' } }];
  server.add('/a/', smallModelPackage());
  server.add('/models.test/b/', smallModelPackage());
  const catalogue = [record('a'), record('b')];
  for (const [options, other, id] of [
    [direct, mirror, 'a-1B-q4f32_1-MLC'],
    [mirror, direct, 'b-1B-q4f32_1-MLC'],
  ] as const) {
    const models = library({ catalogue, options });
    await models.download(id, SITE);
    await untilSettled(models, id);
    expect(await stateOf(library({ catalogue, options: other }), id)).toMatchObject({ kind: 'present', missing: [] });
  }
});

for (const [what, now] of Object.entries({
  'its library': record('a', { model_lib: `${SITE}libs/newer.wasm` }),
  'all its files': record('moved', { model_id: 'a-1B-q4f32_1-MLC', model_lib: `${SITE}libs/newer.wasm` }),
})) {
  const id = 'a-1B-q4f32_1-MLC';

  /**
   * A library of a new build, whose catalogue has another address of {@link what}. The old files are on the device.
   * @param file Name of an old file that could not be downloaded. Default: all could.
   */
  async function afterMove(file?: string): Promise<ManagedModels> {
    for (const folder of ['/a/', '/moved/']) server.add(folder, smallModelPackage());
    for (const name of ['older', 'newer'])
      server.add('/libs/', new Map([[`${name}.wasm`, smallModelPackage().get('library.wasm')!]]));
    const before = library({ catalogue: [record('a', { model_lib: `${SITE}libs/older.wasm` })] });
    if (file !== undefined) server.faults.push({ file, kind: 'status', status: 404 });
    await before.download(id, SITE);
    await untilSettled(before, id);
    server.faults.length = 0;
    return library({ catalogue: [now] });
  }

  test(`a model is deleted completely after the catalogue has given ${what} another address`, async () => {
    const models = await afterMove();
    await models.delete(id, SITE);
    expect(await stateOf(models, id)).toEqual({ kind: 'absent' });
    expect((await models.storage()).modelBytes).toBe(0);
  });

  test.each([
    ['a model is repaired', undefined],
    ['a download is resumed', 'params_shard_2.bin'],
  ])(
    `once %s whose catalogue has given ${what} another address, the next engine deletes the old files`,
    async (_, file) => {
      const models = await afterMove(file);
      await models.download(id, SITE);
      const repaired = await untilSettled(models, id);
      expect(repaired).toMatchObject({ kind: 'present', missing: [] });
      const next = library({ catalogue: [now] });
      await next.finishDeletions(SITE);
      expect(await stateOf(next, id)).toEqual(repaired);
      expect(repaired).toHaveProperty('bytes', (await next.storage()).modelBytes);
      await next.delete(id, SITE);
      expect((await next.storage()).modelBytes).toBe(0);
      expect(await records.deletions()).toEqual([]);
    },
  );
}

const OWN_PACKAGE = { id: 'own', contextWindow: 1024, vocabularySize: 512 };

for (const [what, before, now] of [
  [
    'package',
    { ...OWN_PACKAGE, modelUrl: '/a/', libraryUrl: '/libs/older.wasm' },
    { ...OWN_PACKAGE, modelUrl: '/moved/', libraryUrl: '/libs/newer.wasm' },
  ],
  ['GGUF file', { id: 'own', gguf: '/one.gguf' }, { id: 'own', gguf: '/one.gguf?2' }],
  ['image encoder', { id: 'own', gguf: '/one.gguf', mmproj: '/b.gguf' }, { id: 'own', gguf: '/one.gguf' }],
] as const) {
  /** A library of a site that has moved its own model, whose earlier files are on the device. */
  async function afterSiteMoved(): Promise<ManagedModels> {
    for (const folder of ['/a/', '/moved/']) server.add(folder, smallModelPackage());
    for (const name of ['older', 'newer'])
      server.add('/libs/', new Map([[`${name}.wasm`, smallModelPackage().get('library.wasm')!]]));
    for (const name of ['one', 'b']) server.add('/', new Map([[`${name}.gguf`, ggufFile()]]));
    const models = library({ options: { models: [before] } });
    await models.finishDeletions(SITE);
    await models.download('own', SITE);
    expect(await untilSettled(models, 'own')).toMatchObject({ kind: 'present', missing: [] });
    return library({ options: { models: [now] } });
  }

  test.each(['at once', 'by a later engine'])(
    `a model is deleted completely, %s, after the site has moved its ${what}`,
    async (when) => {
      const models = await afterSiteMoved();
      if (when !== 'at once') await models.finishDeletions(SITE);
      await models.delete('own', SITE);
      expect((await models.storage()).modelBytes).toBe(0);
    },
  );

  test.each([
    ['', {}],
    [', also on a full disk', { putDeletion: refuse, putSiteSources: refuse }],
  ])(
    `once a model is here from where the site has moved its ${what}, the next engine deletes the old files%s`,
    async (_, disk) => {
      const models = await afterSiteMoved();
      await models.download('own', SITE);
      const present = await untilSettled(models, 'own');
      expect(present).toMatchObject({ kind: 'present', missing: [] });
      const next = library({ options: { models: [now] } });
      Object.assign(records, disk);
      await next.finishDeletions(SITE);
      expect(await stateOf(next, 'own')).toEqual(present);
      expect(present).toHaveProperty('bytes', (await next.storage()).modelBytes);
      expect(await records.deletions()).toEqual([]);
    },
  );
}

/** A library of a site that has its own model no longer, or elsewhere, and how many bytes of that are on the device. */
async function afterSiteDropped(
  options: ModelOptions,
): Promise<{ readonly models: ManagedModels; readonly all: number }> {
  const files = { one: ggufFile(), two: ggufFile(), eye: EYE };
  server.add('/', new Map(Object.entries(files).map(([name, file]) => [`${name}.gguf`, file])));
  const before = library({ options: { models: [{ id: 'own', gguf: '/one.gguf', mmproj: '/eye.gguf' }] } });
  await before.finishDeletions(SITE);
  await before.download('own', SITE);
  await untilSettled(before, 'own');
  const models = library({ options });
  await models.finishDeletions(SITE);
  return { models, all: (await before.storage()).modelBytes };
}

const EYE = ggufFile({}, 256);

test.each<[string, ModelOptions, number]>([
  ['has taken it from its list', {}, 0],
  ['has moved it, and it was not loaded since', { models: [{ id: 'own', gguf: '/other.gguf' }] }, 0],
  // Its image encoder stays, which the other model uses.
  ['has taken it from its list', { models: [{ id: 'b', gguf: '/two.gguf', mmproj: '/eye.gguf' }] }, EYE.length],
])(
  "the files of a site's own model are listed, and can be deleted, after the site %s: %j",
  async (_, options, kept) => {
    const { models, all } = await afterSiteDropped(options);
    const own = async () => (await models.list(SITE)).filter(({ id, leftBytes }) => id === 'own' && leftBytes);
    expect(await own()).toMatchObject([{ origin: 'built-in', state: { kind: 'absent' }, leftBytes: all - kept }]);
    await models.delete('own', SITE);
    expect(await own()).toEqual([]);
    expect((await models.storage()).modelBytes).toBe(kept);
  },
);

test('a new engine does not look through all stored files for each model that the site has no longer', async () => {
  const { models } = await afterSiteDropped({});
  const { open } = caches;
  let looks = 0;
  caches.open = async (name) => {
    const cache = await open(name);
    return Object.assign(Object.create(cache) as Cache, { keys: () => (looks++, cache.keys()) });
  };
  await models.finishDeletions(SITE);
  expect(looks).toBe(0);
});

test("the files of a site's own model are not left if the site has given it another name only", async () => {
  const models = [{ id: 'b', gguf: '/one.gguf', mmproj: '/eye.gguf' }];
  const list = await (await afterSiteDropped({ models })).models.list(SITE);
  expect(list.filter(({ id, leftBytes }) => id === 'own' || leftBytes)).toEqual([]);
});

test("what an interrupted load of a site's own model has left is listed, and can be deleted", async () => {
  const models = siteOf('/one.gguf');
  const partial = await PartialFile.open(caches, { ...PIECES, name: 'one.gguf', url: `${SITE}one.gguf` });
  await partial.append(new Blob(['GGUF']), UNKNOWN_VERSION);
  const own = async () => (await models.list(SITE)).find(({ id }) => id === 'own');
  expect(await own()).toMatchObject({ state: { kind: 'absent' }, fit: { verdict: 'yes' }, leftBytes: 4 });
  await models.delete('own', SITE);
  expect(await own()).not.toHaveProperty('leftBytes');
  expect((await models.storage()).modelBytes).toBe(0);
});

test("a model of the user that the site's own model of the same name hides can be deleted", async () => {
  await withGguf();
  const bytes = ggufFile().length;
  const models = library({ options: { models: [{ id: 'tiny', gguf: '/own.gguf' }] } });
  const listed = (await models.list(SITE)).filter(({ id }) => id === 'tiny');
  expect(listed).toMatchObject([{ origin: 'built-in', state: { kind: 'absent' }, leftBytes: bytes }]);
  await models.delete('tiny', SITE);
  expect((await models.storage()).modelBytes).toBe(0);
});

const siteOf = (gguf: string) => library({ options: { models: [{ id: 'own', gguf }] } });

test('files that another site of the same origin uses stay when a site has moved its own model away from them', async () => {
  for (const name of ['one', 'two']) server.add('/', new Map([[`${name}.gguf`, ggufFile()]]));
  await siteOf(`${SITE}one.gguf`).finishDeletions(`${SITE}b/`);
  const models = siteOf('/one.gguf');
  await models.finishDeletions(SITE);
  await models.download('own', SITE);
  await untilSettled(models, 'own');
  const moved = siteOf('/two.gguf');
  await moved.download('own', SITE);
  await untilSettled(moved, 'own');
  await moved.finishDeletions(SITE);
  const other = async () => (await siteOf(`${SITE}one.gguf`).list(`${SITE}b/`)).find(({ id }) => id === 'own')?.state;
  expect(await other()).toMatchObject({ kind: 'present', missing: [] });
  expect((await moved.list(SITE)).filter(({ leftBytes }) => leftBytes)).toEqual([]);
  await moved.delete('own', SITE);
  expect(await other()).toMatchObject({ kind: 'present', missing: [] });
});

test('a model whose library the catalogue has replaced is incomplete, and is repaired with the new one', async () => {
  server.add('/a/', smallModelPackage());
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  const newer = library({ catalogue: [record('a', { model_lib: `${SITE}a/newer.wasm` })] });
  expect(await stateOf(newer, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: ['newer.wasm'] });
});

/**
 * A package whose context window is larger than the catalogue's. Its cache takes 2 × 4 layers × 2 heads × 64 values × 4
 * bytes per token.
 */
function wideWindowPackage() {
  const files = smallModelPackage();
  const name = 'mlc-chat-config.json';
  const config = JSON.parse(new TextDecoder().decode(files.get(name))) as object;
  const shape = { num_hidden_layers: 4, num_key_value_heads: 2, num_attention_heads: 8, head_dim: 64 };
  const own = { context_window_size: 32_768, quantization: 'q4f32_1', model_config: shape };
  return files.set(name, new TextEncoder().encode(JSON.stringify({ ...config, ...own })));
}

async function wideWindowModel() {
  server.add('/a/', wideWindowPackage());
  const catalogue = [record('a', { overrides: { context_window_size: 1024 }, vram_required_MB: 500 })];
  const models = library({ catalogue });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  return models;
}

test("a context window can be set up to the model's limit, its memory grows with it, and pages are notified", async () => {
  const models = await wideWindowModel();
  const listing = async () => (await models.list(SITE)).find(({ id }) => id === 'a-1B-q4f32_1-MLC');
  const bytesPerToken = 2 * 4 * 2 * 64 * 4;
  expect(await listing()).toMatchObject({ contextWindow: 1024, windowLimits: { most: 32_768, bytesPerToken } });
  events.length = 0;
  await models.setContextWindow('a-1B-q4f32_1-MLC', 8192, SITE);
  expect(events).toEqual([{ type: 'changed' }]);
  expect(await listing()).toMatchObject({
    contextWindow: 8192,
    memoryBytes: 500 * 2 ** 20 + (8192 - 1024) * bytesPerToken,
  });
  expect(await records.models()).toMatchObject([{ contextWindow: 8192 }]);

  await models.delete('a-1B-q4f32_1-MLC', SITE);
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  expect(await listing()).toMatchObject({ contextWindow: 1024 });
});

test('of a model with attention in every fourth layer only those layers count', async () => {
  const files = wideWindowPackage();
  const name = 'mlc-chat-config.json';
  const config = JSON.parse(new TextDecoder().decode(files.get(name))) as { model_config: object };
  const model_config = { ...config.model_config, full_attention_interval: 4 };
  server.add('/a/', files.set(name, new TextEncoder().encode(JSON.stringify({ ...config, model_config }))));
  const models = library({ catalogue: [record('a')] });
  await models.download('a-1B-q4f32_1-MLC', SITE);
  await untilSettled(models, 'a-1B-q4f32_1-MLC');
  expect(await records.models()).toMatchObject([{ window: { bytesPerToken: 2 * 2 * 64 * 4, layers: 1 } }]);
});

test("a context window is limited by the GPU driver's buffer size per layer", async () => {
  await wideWindowModel();
  const device = { ...GPU, maxStorageBufferBindingSize: 128 * 2 ** 20 };
  const shape = { num_hidden_layers: 1, num_key_value_heads: 16, head_dim: 256 };
  const [entry] = await records.models();
  const window = { most: 32_768, bytesPerToken: 2 * 16 * 256 * 4, layers: shape.num_hidden_layers };
  await records.finishDownload({ ...entry!, window });
  const list = await library({ catalogue: [record('a')], device }).list(SITE);
  expect(list.find(({ id }) => id === 'a-1B-q4f32_1-MLC')?.windowLimits?.most).toBe(
    (128 * 2 ** 20) / (2 * 16 * 256 * 4),
  );
});

test.each([
  ['a-1B-q4f32_1-MLC', 255, 'tokens'],
  ['a-1B-q4f32_1-MLC', 32_769, 'tokens'],
  ['a-1B-q4f32_1-MLC', 1000.5, 'tokens'],
  ['a-1B-q4f32_1-MLC', Number.NaN, 'tokens'],
  ['pocket', 1024, 'id'],
])('the window of %s cannot be %s', async (id, tokens, param) => {
  const models = await wideWindowModel();
  await expect(models.setContextWindow(id, tokens, SITE)).rejects.toMatchObject({ code: 'invalid_value', param });
  expect(await records.models()).toMatchObject([{ contextWindow: 1024 }]);
});

/** A library with a small GGUF model, whose KV cache takes 256 bytes per token, and a package. */
async function withGguf(header: Parameters<typeof ggufFile>[0] = {}) {
  server.add('/', new Map([['tiny.gguf', ggufFile(header)]]));
  const models = library();
  await models.inspectGguf(`${SITE}tiny.gguf`, SITE);
  await models.download('tiny', SITE);
  await untilSettled(models, 'tiny');
  return { models, listing: async () => (await models.list(SITE)).find(({ id }) => id === 'tiny')! };
}

test('a GGUF model of the user answers one request at once until the user sets more, at the price of memory', async () => {
  const { models, listing } = await withGguf();
  const before = await listing();
  expect(before.settings).toEqual({ parallel: 1, mostParallel: 8, bytesPerRequest: 2048 * 256, keepAlive: -1 });
  events.length = 0;
  await models.setParallel('tiny', 3, SITE);
  expect(events).toEqual([{ type: 'changed' }]);
  expect(await records.models()).toMatchObject([{ parallel: 3, contextWindow: 2048 }]);
  const after = await listing();
  expect(after.settings).toMatchObject({ parallel: 3 });
  expect(after.memoryBytes! - before.memoryBytes!).toBe(2 * 2048 * 256);
  await models.setContextWindow('tiny', 1024, SITE);
  expect(await records.models()).toMatchObject([{ parallel: 3, contextWindow: 1024 }]);

  await models.delete('tiny', SITE);
  await models.inspectGguf(`${SITE}tiny.gguf`, SITE);
  await models.download('tiny', SITE);
  await untilSettled(models, 'tiny');
  expect((await listing()).settings).toMatchObject({ parallel: 1 });
});

test('the memory of a model with sliding attention counts it for each request at once, and so do its other windows', async () => {
  const { models, listing } = await withGguf({
    'general.architecture': 'gemma3',
    ...Object.fromEntries(
      Object.entries({
        context_length: 2048,
        block_count: 6,
        embedding_length: 64,
        'attention.head_count': 4,
        'attention.head_count_kv': 2,
        'attention.sliding_window': 512,
      }).map(([key, value]) => [`gemma3.${key}`, value]),
    ),
  });
  const before = await listing();
  const { bytesPerRequest } = before.settings!;
  await models.setParallel('tiny', 3, SITE);
  const after = await listing();
  expect(after.memoryBytes! - before.memoryBytes!).toBe(2 * bytesPerRequest!);
  await models.setContextWindow('tiny', 1024, SITE);
  // What the listing says of a window is what a model with it takes.
  expect((await listing()).memoryBytes).toBe(after.memoryBytes! - 1024 * after.windowLimits!.bytesPerToken!);
});

test('no more requests at once can be set than the memory of WebAssembly has room for, and the window is limited with them', async () => {
  // 40 layers × 40 heads × 2 × 128 numbers × 2 bytes: a window of 2,048 tokens takes 1.7 GB.
  const { models, listing } = await withGguf({
    'llama.block_count': 40,
    'llama.embedding_length': 5120,
    'llama.attention.head_count': 40,
    'llama.attention.head_count_kv': 40,
  });
  expect((await listing()).settings).toMatchObject({ mostParallel: 2 });
  await expect(models.setParallel('tiny', 3, SITE)).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'requests',
    message: 'tiny can answer from 1 to 2 requests at once on this device.',
  });
  await models.setContextWindow('tiny', 1024, SITE);
  await models.setParallel('tiny', 4, SITE);
  expect((await listing()).windowLimits?.most).toBeLessThan(2048);
  await expect(models.setContextWindow('tiny', 2048, SITE)).rejects.toMatchObject({ code: 'invalid_value' });
});

test.each([
  ['tiny', 0, 'requests'],
  ['tiny', 1.5, 'requests'],
  ['tiny', 9, 'requests'],
  ['tiny', Number.NaN, 'requests'],
  ['pocket', 2, 'id'],
])('%s cannot answer %s requests at once', async (id, requests, param) => {
  const { models } = await withGguf();
  await expect(models.setParallel(id, requests, SITE)).rejects.toMatchObject({ code: 'invalid_value', param });
});

test('an embedding model answers one request at a time', async () => {
  const { models, listing } = await withGguf({ 'llama.pooling_type': 1 });
  expect((await listing()).settings).toMatchObject({ mostParallel: 1 });
  await expect(models.setParallel('tiny', 2, SITE)).rejects.toMatchObject({
    message: 'tiny answers one request at a time on this device.',
  });
});

test('the time after which an unused model is unloaded is stored for models of the user only', async () => {
  const { models, listing } = await withGguf();
  await models.setKeepAlive('tiny', 300, SITE);
  expect(await records.models()).toMatchObject([{ keepAlive: 300 }]);
  expect((await listing()).settings).toMatchObject({ keepAlive: 300, parallel: 1 });
  await expect(models.setKeepAlive('pocket', 300, SITE)).rejects.toMatchObject({ code: 'invalid_value', param: 'id' });
  await expect(models.setKeepAlive('tiny', Number.NaN, SITE)).rejects.toMatchObject({ param: 'seconds' });
  await expect(models.setKeepAlive('none', 300, SITE)).rejects.toMatchObject({ code: 'model_not_found' });
});

test('a question can wait for settings that are being stored, but not for ever', async () => {
  const { models } = await withGguf();
  const settings = [models.setParallel('tiny', 2, SITE), models.setKeepAlive('tiny', 0, SITE)];
  await models.settled();
  expect(await records.models()).toMatchObject([{ parallel: 2, keepAlive: 0 }]);
  await Promise.all(settings);
  await expect(models.setParallel('tiny', 1000, SITE)).rejects.toMatchObject({ code: 'invalid_value' });
  await models.settled();

  vi.useFakeTimers();
  vi.spyOn(records, 'models').mockReturnValue(new Promise(() => {}));
  void models.setParallel('tiny', 3, SITE);
  const waited = vi.fn<() => void>();
  void models.settled().then(waited);
  await vi.advanceTimersByTimeAsync(100);
  expect(waited).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(waited).toHaveBeenCalled();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const SUBGROUP_GPU: GraphicsDevice = {
  ...GPU,
  features: new Set(['shader-f16', 'subgroups']),
  subgroupSizes: { min: 32, max: 32 },
};

test.each([
  ['is there', 'sg32', {}],
  ['is not on the server', 'base', {}],
  ['is there, but the site requests the base library', 'base', { subgroups: false }],
])('if the subgroup library %s, the one in the folder %s is kept', async (state, kept, options) => {
  const files = smallModelPackage();
  const wasm = files.get('library.wasm')!;
  server.add('/a/', files);
  server.add('/libs/base/', new Map([['a.wasm', wasm]]));
  if (state !== 'is not on the server') server.add('/libs/sg32/', new Map([['a.wasm', wasm]]));
  const world = { catalogue: [record('a', { model_lib: `${SITE}libs/base/a.wasm` })], device: SUBGROUP_GPU, options };
  const models = library(world);
  await models.download('a-1B-q4f32_1-MLC', SITE);
  expect(await untilSettled(models, 'a-1B-q4f32_1-MLC')).toMatchObject({ kind: 'present', missing: [] });
  expect(await records.models()).toMatchObject([{ libraryUrl: `${SITE}libs/${kept}/a.wasm` }]);
  const listed = (await library(world).list(SITE)).find(({ id }) => id === 'a-1B-q4f32_1-MLC');
  expect(listed?.state).toMatchObject({ kind: 'present', missing: [] });
  expect(listed?.subgroups).toBe(kept === 'sg32' ? true : undefined);
});

test.each([
  ['library', { libraryUrl: 'https://hub.test/a.wasm' }],
  ['image encoder', { format: 'gguf', modelUrl: `${SITE}a.gguf`, libraryUrl: '', mmproj: 'https://hub.test/b.gguf' }],
] as const)('a strict site does not resume a download whose %s is on another host', async (_, addresses) => {
  const facts = { id: 'a', manifest: null, contextWindow: null, images: false };
  const source = { ...facts, modelUrl: `${SITE}a/`, ...addresses };
  await records.putDownload({ id: 'a', source, totalBytes: null, receivedBytes: 0, failure: null });
  const strict = library({ options: { modelHosts: false } });
  await expect(strict.download('a', SITE)).rejects.toThrow(/^This site is strict: .* from hub\.test\./);
  expect(server.requests).toEqual([]);
});

/** A model of the catalogue on another host than the site. */
const HUB_RECORD = record('a', { model: 'https://hub.test/a/', model_lib: 'https://hub.test/a/library.wasm' });

test('a strict site refuses models of other hosts before a request is sent, in words that say why', async () => {
  const models = library({ catalogue: [HUB_RECORD], options: { modelHosts: false } });
  const refusals = [
    () => models.inspectGguf('hf:owner/repository', SITE),
    () => models.inspectGguf('https://huggingface.co/owner/repository/resolve/main/model.gguf', SITE),
    () => models.inspectGguf('https://models.test:8443/model-00001-of-00002.gguf', SITE),
    () => models.addCustom({ id: 'a', modelUrl: 'https://b.test/', libraryUrl: `${SITE}a.wasm` }, SITE),
    () => models.addCustom({ id: 'a', modelUrl: `${SITE}a/`, libraryUrl: 'http://models.test/a.wasm' }, SITE),
  ];
  for (const refused of refusals) {
    await expect(refused()).rejects.toThrow(
      /^This site is strict: .* nothing was requested from \S+\. Choose one of this site's models/,
    );
  }
  expect(server.requests).toEqual([]);
  expect((await models.list(SITE)).map(({ origin }) => origin)).toEqual(['built-in', 'built-in']);
});

test('a strict site takes models of its own origin and from disk', async () => {
  server.add('/mine/', smallModelPackage());
  server.add('/one/', new Map([['tiny.gguf', ggufFile()]]));
  const models = library({ options: { modelHosts: false } });
  await models.addCustom({ id: 'mine', modelUrl: `${SITE}mine`, libraryUrl: `${SITE}mine/library.wasm` }, SITE);
  expect(await untilSettled(models, 'mine')).toMatchObject({ kind: 'present' });
  expect(await models.inspectGguf(`${SITE}one/tiny.gguf`, SITE)).toMatchObject({ id: 'tiny' });
  expect(await models.inspectGguf([new File([ggufFile()], 'own.gguf')], SITE)).toMatchObject({ id: 'own' });
});

test('a model that was downloaded before its site became strict stays usable, but is not downloaded again', async () => {
  server.add('/a/', smallModelPackage());
  const catalogue = [HUB_RECORD, { ...HUB_RECORD, model_id: 'b-1B-q4f32_1-MLC' }];
  const before = library({ catalogue });
  await before.download(HUB_RECORD.model_id, SITE);
  await untilSettled(before, HUB_RECORD.model_id);
  const requests = server.requests.length;
  const strict = library({ catalogue, options: { modelHosts: false } });
  expect(await stateOf(strict, HUB_RECORD.model_id)).toMatchObject({ kind: 'present', missing: [] });
  expect(await stateOf(strict, 'b-1B-q4f32_1-MLC')).toBeUndefined();
  await expect(strict.download(HUB_RECORD.model_id, SITE)).rejects.toThrow(/^This site is strict: .* from hub\.test\./);
  expect(server.requests).toHaveLength(requests);
});
