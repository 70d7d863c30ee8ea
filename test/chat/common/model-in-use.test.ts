import { beforeEach, expect, test, vi } from 'vitest';
import { chooseModel, displacedModel, modelInUse } from '../../../src/chat/common/model-in-use.ts';
import { defaultModel, instructionsForAllChats, writeAllChats } from '../../../src/chat/storage/all-chats-settings.ts';
import { forgetModel } from '../../../src/chat/storage/awaited-model.ts';
import { lastModelHere } from '../../../src/chat/storage/local-storage-values.ts';
import type { PageStatus, Tabserve } from '../../../src/page/index.ts';

const MODELS = [
  { id: 'pocket' },
  { id: 'large', tabserve: { state: 'downloaded' } },
  { id: 'far', tabserve: { state: 'upstream', upstream: 'A server' } },
];
const IDLE: PageStatus = { state: 'idle', message: '' };

function ready(model: string): PageStatus {
  const promptCache = { promptTokens: 0, cachedTokens: 0, off: null };
  return { state: 'ready', model, gpu: '', promptCache, extensions: [], message: '' };
}

function loading(model: string): PageStatus {
  return { state: 'loading', model, progress: 0, message: '' };
}

const load = vi.fn<(id: string) => Promise<void>>();
const choose = (id: string) => chooseModel(id, { load } as Partial<Tabserve> as Tabserve, MODELS);

beforeEach(() => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  });
  load.mockReset().mockRejectedValue(new Error('No room for it.'));
});

test.each<[string, string | null, PageStatus, string]>([
  ['nothing was chosen and nothing is loaded', null, IDLE, 'pocket'],
  ['one was chosen and nothing is loaded', 'large', IDLE, 'large'],
  ['another model is loaded than was chosen', 'large', ready('pocket'), 'pocket'],
  ['another model is loading than was chosen', 'pocket', loading('large'), 'large'],
  ['only an embedding model is loaded', 'large', ready('pocket-embed'), 'large'],
  ['a model of an upstream was chosen', 'far', ready('pocket'), 'far'],
])('a new chat uses the expected model if %s', (_, chosen, status, expected) => {
  if (chosen !== null) choose(chosen);
  expect(modelInUse(status, MODELS)).toBe(expected);
});

test.each<[string, PageStatus, string | null]>([
  ['pocket', ready('pocket'), null],
  ['pocket', ready('large'), 'large'],
  ['pocket', loading('large'), 'large'],
  ['pocket', IDLE, null],
  ['pocket', ready('pocket-embed'), null],
  ['far', ready('large'), null],
  ['deleted', ready('large'), null],
])('a question to %s names the model that it would replace (%#)', (model, status, expected) => {
  expect(displacedModel(model, status, MODELS)).toBe(expected);
});

test('choosing a model loads it, now and in the next page; choosing one of an upstream leaves it loaded', () => {
  choose('large');
  expect(load.mock.calls).toEqual([['large']]);
  choose('far');
  expect(load).toHaveBeenCalledTimes(1);
  expect(lastModelHere()).toBe('large');
});

test('after the model in use was deleted, the built-in one replaces it, with and without an upstream', () => {
  choose('large');
  forgetModel('large');
  expect(modelInUse(IDLE, MODELS)).toBe('pocket');

  choose('large');
  choose('far');
  forgetModel('large');
  expect(modelInUse(IDLE, MODELS)).toBe('far');
  expect(lastModelHere()).toBe('pocket');
});

test('after the model of new chats was deleted, they have the last chosen one, and keep their instructions', () => {
  writeAllChats('Be brief.', 'large');
  forgetModel('other');
  expect(defaultModel()).toBe('large');
  forgetModel('large');
  expect(defaultModel()).toBeNull();
  expect(instructionsForAllChats()).toBe('Be brief.');
});
