import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Completion } from '../../../src/engine-worker/completions/completion.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const SITE = 'https://site.test/';
const entry = (id: string): ModelEntry => ({
  ...builtInModel(SITE),
  id,
  ...(id === 'vectors' && { embedding: { dimensions: 2 } }),
});

let engine: ScriptedEngine;
let completions: Completions;
/** Ids of the models on the device. */
let present: Set<string>;
let count = 0;
/** Ends the deletion that has begun. */
let goOn: () => void;

beforeEach(() => {
  present = new Set(['a', 'b', 'vectors']);
  engine = new ScriptedEngine();
  completions = new Completions({ engine, findModel: async (id) => (present.has(id) ? entry(id) : null) });
});

function ask(id: string, text = 'one'): Completion {
  const options = { requestId: `${count}`, fingerprint: `${count++}`, holdTime: null };
  return completions.start(completionRequest(text, id) as never, options, SITE);
}

function endOf({ log }: Completion): string {
  let end = 'none';
  log.subscribe((event) => (end = event.type === 'error' ? event.error.code : event.type));
  return end;
}

function remove(id: string): Promise<void> {
  return completions.deleteModel(id, SITE, async () => {
    engine.history.push(`files of ${id} go`);
    await new Promise<void>((resolve) => (goOn = resolve));
    present.delete(id);
    engine.history.push(`files of ${id} gone`);
  });
}

test('the files of a model stay until the requests that need it have ended, and the next one does not find it', async () => {
  const before = [ask('a'), ask('a', 'also')];
  await engine.advance(4);
  const removed = remove('a');
  const after = ask('a', 'two');
  await engine.advance(25);
  expect(before.map(endOf)).toEqual(['done', 'done']);
  expect(engine.history).toEqual(['load a', 'generate a: one', 'generate a: also', 'unload chat', 'files of a go']);
  goOn();
  await removed;
  await engine.advance(3);
  expect(endOf(after)).toBe('model_not_found');
  expect(completions.status).toEqual({ state: 'idle' });
});

test('the files of a model that nobody needs go at once, while another one answers', async () => {
  const other = ask('b');
  await engine.advance(11);
  const removed = remove('a');
  await engine.advance(1);
  goOn();
  await removed;
  await engine.advance(5);
  expect(engine.history).toEqual(['load b', 'generate b: one', 'files of a go', 'files of a gone']);
  expect(endOf(other)).toBe('done');
});

test('a request for a model whose files are going waits until they are gone', async () => {
  const removed = remove('a');
  const asked = ask('a');
  await engine.advance(5);
  expect(engine.history).toEqual(['files of a go']);
  goOn();
  await removed;
  await engine.advance(3);
  expect(endOf(asked)).toBe('model_not_found');
});

test('of two loaded models only the deleted one is unloaded', async () => {
  engine.runFreely();
  await completions.load(entry('a'), SITE);
  await completions.load(entry('vectors'), SITE);
  const removed = remove('vectors');
  await vi.waitFor(() => expect(engine.history.at(-1)).toBe('files of vectors go'));
  expect([engine.loadedModel, engine.loadedEmbeddingModel]).toEqual(['a', null]);
  goOn();
  await removed;
});

test('an embedding model whose load nobody awaits any more keeps its files until the load has ended', async () => {
  void completions.load(entry('vectors'), SITE);
  await engine.advance(2);
  const removed = remove('vectors');
  await engine.advance(3);
  expect(engine.history).toEqual(['load vectors']);
  await engine.advance(20);
  expect(engine.history).toEqual(['load vectors', 'unload embedding', 'files of vectors go']);
  goOn();
  await removed;
});

test('a model that is deleted while a call waits for it is not loaded, and so not downloaded, again', async () => {
  const removed = remove('a');
  const used = completions.use(entry('a'), SITE, () => 'used').catch(({ code }: { code: string }) => code);
  const loaded = completions.load(entry('a'), SITE).catch(({ code }: { code: string }) => code);
  await engine.advance(2);
  goOn();
  await removed;
  expect(await Promise.all([used, loaded])).toEqual(['model_not_found', 'model_not_found']);
  expect(engine.history).not.toContain('load a');
});

test.each(['is', 'is not'])(
  'however long the files of a model that %s loaded take to go, others answer, and it is not loaded before the end',
  async (how) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    engine.runFreely();
    if (how === 'is') await completions.load(entry('a'), SITE);
    const removed = remove('a');
    const [other, own] = [ask('b'), ask('a')];
    await engine.advance(20);
    await vi.advanceTimersByTimeAsync(60_000);
    await engine.advance(20);
    expect(endOf(other)).toBe('done');
    goOn();
    await removed;
    await engine.advance(20);
    expect(endOf(own)).toBe('model_not_found');
    expect(engine.history.lastIndexOf('load a')).toBeLessThan(engine.history.indexOf('files of a go'));
  },
);

test.each<[string, () => unknown]>([
  ['question', () => ask('a')],
  ['load', () => completions.load(entry('a'), SITE).catch(() => {})],
  ['count of tokens', () => completions.use(entry('a'), SITE, () => 1).catch(() => {})],
])('a %s that waits for a deletion keeps no request for another model waiting', async (what, begin) => {
  engine.runFreely();
  const removed = remove('a');
  begin();
  const other = ask('b');
  await engine.advance(20);
  expect(endOf(other)).toBe('done');
  expect(completions.isIdle).toBe(what !== 'question');
  goOn();
  await removed;
  await engine.advance(5);
  expect(engine.history).not.toContain('load a');
  expect(completions.isIdle).toBe(true);
});

test('a request that is cancelled while it waits for a deletion keeps no other one waiting', async () => {
  engine.runFreely();
  void remove('a');
  const cancelled = ask('a');
  await engine.advance(3);
  completions.failSite(SITE, new ApiError('model_not_found', 'The tab was closed.'));
  await engine.advance(3);
  const other = ask('b');
  await engine.advance(20);
  expect([endOf(cancelled), endOf(other)]).toEqual(['model_not_found', 'done']);
});

test('a model that was lost with the graphics processor is not loaded again while its files go', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  engine.failure = new ApiError('gpu_device_lost', 'The GPU process has crashed.');
  ask('a');
  await engine.advance(3);
  expect(completions.status).toMatchObject({ state: 'failed', model: 'a' });
  engine.runFreely();
  void remove('a');
  await vi.advanceTimersByTimeAsync(400_000);
  await engine.advance(3);
  expect(engine.history.filter((each) => each === 'load a')).toHaveLength(1);
});

test('a load that is stopped for good is not begun again by the requests that waited for it', async () => {
  const asked = [ask('a'), ask('a', 'also')];
  await engine.advance(4);
  completions.stopLoad('b');
  await engine.advance(1);
  expect(asked.map(endOf)).not.toContain('model_not_found');
  completions.stopLoad('a');
  const removed = remove('a');
  await engine.advance(3);
  expect(asked.map(endOf)).toEqual(['model_not_found', 'model_not_found']);
  expect(engine.history).toEqual(['load a', 'load stopped', 'files of a go']);
  expect(completions.status).toEqual({ state: 'idle' });
  goOn();
  await removed;
});

const codeOf = (waiting: Promise<unknown>): Promise<unknown> =>
  waiting.then(
    () => 'done',
    (thrown: unknown) => (thrown as ApiError).code,
  );

test.each<[string, () => Promise<unknown>]>([
  ['load', () => completions.load(entry('a'), SITE)],
  ['count of tokens', () => completions.use(entry('a'), SITE, () => 1)],
])('a %s that waits behind a stopped load does not begin it again', async (_, waiter) => {
  const first = codeOf(completions.load(entry('a'), SITE));
  const second = codeOf(waiter());
  await engine.advance(4);
  completions.stopLoad('a');
  const removed = remove('a');
  await engine.advance(3);
  expect(await Promise.all([first, second])).toEqual(['model_not_found', 'model_not_found']);
  expect(engine.history).toEqual(['load a', 'load stopped', 'files of a go']);
  goOn();
  await removed;
});

test('a question that waits behind the answer of another model does not load a model whose download is cancelled', async () => {
  const other = ask('b');
  await engine.advance(11);
  const asked = ask('a');
  completions.stopLoad('a');
  const removed = remove('a');
  await engine.advance(6);
  expect([other, asked].map(endOf)).toEqual(['done', 'model_not_found']);
  expect(engine.history).toEqual(['load b', 'generate b: one', 'files of a go']);
  goOn();
  await removed;
});

test('the questions for a loaded model whose repair is cancelled are answered, and later ones find it again', async () => {
  const asked = [ask('a'), ask('a', 'also')];
  await engine.advance(11);
  completions.stopLoad('a');
  const removed = remove('a');
  engine.runFreely();
  await engine.advance(20);
  expect(asked.map(endOf)).toEqual(['done', 'done']);
  goOn();
  await removed;
  present.add('a');
  const later = ask('a');
  await engine.advance(20);
  expect(endOf(later)).toBe('done');
});

test('a model whose deletion fails after its download was cancelled can be loaded', async () => {
  engine.runFreely();
  await completions.load(entry('a'), SITE);
  completions.stopLoad('a');
  vi.spyOn(engine, 'unload').mockRejectedValueOnce(new Error('It does not end.'));
  await expect(remove('a')).rejects.toThrow('It does not end.');
  await completions.unload();
  expect(await codeOf(completions.load(entry('a'), SITE))).toBe('done');
});

test('the failure of a model is not shown any more once the model is deleted', async () => {
  engine.failure = new ApiError('model_load_failed', 'Its files are damaged.');
  ask('a');
  await engine.advance(3);
  expect(completions.status).toMatchObject({ state: 'failed', model: 'a' });
  const removed = remove('a');
  goOn();
  await removed;
  expect(completions.status).toEqual({ state: 'idle' });
});
