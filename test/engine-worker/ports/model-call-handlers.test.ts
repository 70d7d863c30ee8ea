import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handleCall } from '../../../src/engine-worker/ports/call-handlers.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { modelCallHandlers } from '../../../src/engine-worker/ports/model-call-handlers.ts';
import { BROWSER_ENVIRONMENT } from '../../../src/engine-worker/models/download/download-environment.ts';
import { UNKNOWN_VERSION } from '../../../src/engine-worker/models/download/file-version.ts';
import { PartialFile } from '../../../src/engine-worker/models/download/partial-file.ts';
import { Downloads } from '../../../src/engine-worker/models/download/downloads.ts';
import { ManagedModels } from '../../../src/engine-worker/models/managed-models.ts';
import { sourceOf } from '../../../src/engine-worker/models/source-of.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { EngineCallName, EngineCalls } from '../../../src/shared/engine/engine-calls.ts';
import { IMAGE_PLACE } from '../../../src/shared/engine/tokenization.ts';
import { memoryCaches } from '../../support/fakes/memory-caches.ts';
import { memoryRecords } from '../../support/fakes/memory-records.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';

const siteModels = (site: string) => readSiteModels({ models: [{ id: 'own', gguf: '/own.gguf' }] }, site);
const findModel = async (id: string, site: string) =>
  id === 'pocket' ? builtInModel(site) : (siteModels(site).entries.find((entry) => entry.id === id) ?? null);

let engine: ScriptedEngine;
let records: ReturnType<typeof memoryRecords>;
let call: <Name extends EngineCallName>(
  name: Name,
  parameters: EngineCalls[Name]['parameters'],
) => Promise<EngineCalls[Name]['result']>;

beforeEach(() => {
  engine = new ScriptedEngine();
  engine.runFreely();
  const completions = new Completions({ engine, findModel });
  vi.stubGlobal('caches', memoryCaches());
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  records = memoryRecords();
  const models = new ManagedModels({
    environment: BROWSER_ENVIRONMENT,
    records,
    downloads: new Downloads({ environment: BROWSER_ENVIRONMENT, records, announce: () => {} }),
    announce: () => {},
    catalogue: async () => [],
    siteModels,
    device: async () => null,
    deviceMemory: null,
    isCompat: false,
  });
  const handlers = modelCallHandlers({ models, completions, findModel });
  call = (name, parameters) => handleCall(handlers, name, parameters, SITE);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('loads the model for the site of the caller, and frees it', async () => {
  const load = vi.spyOn(engine, 'load');
  await expect(call('models/load', { id: 'pocket' })).resolves.toBeNull();
  expect(load.mock.calls[0]?.[0]).toEqual(builtInModel(SITE));
  await call('models/unload', null);
  expect(engine.loadedModel).toBeNull();
});

test.each(['models/delete', 'models/cancel'] as const)('%s of the loaded model unloads it first', async (name) => {
  await call('models/load', { id: 'pocket' });
  await call(name, { id: 'pocket' });
  expect(engine.loadedModel).toBeNull();
});

test('what the load of a model is bringing is listed as unused only once the load was interrupted', async () => {
  const broken = new AbortController();
  vi.spyOn(engine, 'load').mockImplementation(
    () =>
      new Promise((_, reject) =>
        broken.signal.addEventListener('abort', () => reject(new Error('The connection broke.'))),
      ),
  );
  const file = { cache: 'tabserve/gguf', kind: 'gguf', bytes: null, md5: null } as const;
  const partial = await PartialFile.open(caches, { ...file, name: 'own.gguf', url: `${SITE}own.gguf` });
  await partial.append(new Blob(['GGUF']), UNKNOWN_VERSION);
  const left = async () => (await call('models/list', null)).find(({ id }) => id === 'own')?.leftBytes;
  expect(await left()).toBe(4);
  const loading = call('models/load', { id: 'own' }).catch(() => {});
  await vi.waitFor(async () => expect(await left()).toBeUndefined());
  broken.abort();
  await loading;
  expect(await left()).toBe(4);
});

test('models/cancel of a model that is being loaded ends its load at once, and the calls that wait for it', async () => {
  const load = vi
    .spyOn(engine, 'load')
    .mockImplementation(
      (_model, _report, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
  const loading = call('models/load', { id: 'pocket' }).catch(({ code }: { code: string }) => code);
  await vi.waitFor(() => expect(load).toHaveBeenCalled());
  await call('models/cancel', { id: 'pocket' });
  expect(await loading).toBe('model_not_found');
});

test('models/cancel of a repair keeps the model, and the model stays loaded', async () => {
  const entry = siteModels(SITE).entries.find(({ id }) => id === 'own')!;
  await records.finishDownload(entry);
  await call('models/load', { id: 'own' });
  await records.putDownload({ id: 'own', source: sourceOf(entry), totalBytes: 9, receivedBytes: 4, failure: null });
  await call('models/cancel', { id: 'own' });
  expect([await records.models(), await records.downloads()]).toMatchObject([[{ id: 'own' }], []]);
  expect(engine.loadedModel).toBe('own');
});

const unknown = [
  'models/load',
  'models/preload',
  'models/size',
  'models/download',
  'models/cancel',
  'models/delete',
] as const;

test.each(unknown)('%s of an unknown model names the wrong parameter', async (name) => {
  await expect(call(name, { id: 'nobody' })).rejects.toMatchObject({ code: 'model_not_found', param: 'id' });
});

test('the calls tokenize and detokenize wait in the queue, load the requested model and use it', async () => {
  const input = { type: 'text', text: 'one three', prefix: false, markers: true } as const;
  const parameters = { id: 'pocket', input };
  expect(await call('models/tokenize', { ...parameters, pieces: true })).toEqual({
    tokens: [3, 5],
    pieces: ['xxx', 'xxxxx'],
  });
  expect(await call('models/tokenize', { ...parameters, pieces: false })).toEqual({ tokens: [3, 5], pieces: null });
  expect(await call('models/detokenize', { id: 'pocket', tokens: [1, 2] })).toBe('x xx');
  expect(engine.history).toEqual(['load pocket']);
  const failure = call('models/detokenize', { id: 'nobody', tokens: [] });
  await expect(failure).rejects.toMatchObject({ code: 'model_not_found', param: 'model' });
});

test('an image placeholder has no text', async () => {
  vi.spyOn(engine, 'tokenize').mockResolvedValue([3, IMAGE_PLACE]);
  const input = { type: 'text', text: '', prefix: false, markers: true } as const;
  expect(await call('models/tokenize', { id: 'pocket', input, pieces: true })).toEqual({
    tokens: [3, IMAGE_PLACE],
    pieces: ['xxx', ''],
  });
});

const CUSTOM = { id: 'mine', modelUrl: `${SITE}mine/`, libraryUrl: `${SITE}mine/library.wasm` };

/** Calls with a parameter of the wrong type, as a page's script may send them. */
const malformed: readonly { name: EngineCallName; parameters: unknown; param: string | null }[] = [
  ...(['load', 'size', 'download', 'pause', 'cancel', 'delete'] as const).flatMap((verb) => [
    { name: `models/${verb}` as const, parameters: null, param: null },
    { name: `models/${verb}` as const, parameters: {}, param: 'id' },
    { name: `models/${verb}` as const, parameters: { id: 5 }, param: 'id' },
  ]),
  ...(['list', 'unload', 'storage', 'outside-requests'] as const).map((what) => ({
    name: `models/${what}` as const,
    parameters: { id: 'pocket' },
    param: null,
  })),
  { name: 'models/tokenize', parameters: { id: 'pocket', pieces: true }, param: 'input' },
  { name: 'models/detokenize', parameters: { id: 'pocket', tokens: ['a'] }, param: 'tokens.0' },
  ...Object.keys(CUSTOM).map((param) => ({
    name: 'models/add-custom' as const,
    parameters: { ...CUSTOM, [param]: 5 },
    param,
  })),
];

test.each(malformed)('$name refuses the parameters $parameters', async ({ name, parameters, param }) => {
  const outcome = call(name, parameters as EngineCalls[typeof name]['parameters']);
  await expect(outcome).rejects.toMatchObject({ code: 'invalid_type', param });
});
