import { beforeEach, expect, test, vi } from 'vitest';
import { ChatModel } from '../../../src/chat/conversation/chat-model.ts';
import type { PageStatus } from '../../../src/page/index.ts';

const promptCache = { promptTokens: 0, cachedTokens: 0, off: null };
const STARTING: PageStatus = { state: 'starting', message: '' };
const IDLE: PageStatus = { state: 'idle', message: '' };
const READY: PageStatus = { state: 'ready', model: 'pocket', gpu: '', promptCache, extensions: [], message: '' };
const LOADING: PageStatus = { state: 'loading', model: 'pocket', progress: 0.1, message: '' };

beforeEach(() => vi.stubGlobal('localStorage', { getItem: () => null }));

/** For each status of the endpoint, returns the loaded model that a question to the model `large` would replace. */
function displacedAt(...statuses: readonly PageStatus[]): readonly (string | null)[] {
  const endpoint = { status: STARTING };
  const chat = { settings: { model: 'large' }, answering: false, isTemporary: false };
  const models = { chatModels: [{ id: 'pocket' }, { id: 'large' }] };
  type Parts = ConstructorParameters<typeof ChatModel>;
  const model = new ChatModel(...([chat, models, endpoint] as unknown as Parts));
  return statuses.map((status) => {
    endpoint.status = status;
    return model.displaced;
  });
}

test('the model that a question would replace is known before the last used model is loaded', () => {
  expect(displacedAt(STARTING, LOADING, READY)).toEqual(['pocket', 'pocket', 'pocket']);
});

test('if no model is loaded any more, a question replaces none', () => {
  expect(displacedAt(STARTING, READY, IDLE)).toEqual(['pocket', 'pocket', null]);
  // A model that has blocked an engine is not loaded automatically.
  expect(displacedAt(STARTING, IDLE)).toEqual(['pocket', null]);
  expect(displacedAt(IDLE)).toEqual([null]);
});

test.each([
  { isTemporary: true, chosen: null, id: 'pocket', goesTo: undefined },
  { isTemporary: true, chosen: 'big-chat', id: 'big-chat', goesTo: 'desk' },
  { isTemporary: false, chosen: null, id: 'big-chat', goesTo: 'desk' },
])(
  'with a last model of an upstream, the model of a chat (temporary: $isTemporary, chosen: $chosen) is $id',
  ({ isTemporary, chosen, id, goesTo }) => {
    const kept = new Map([
      ['tabserve-last-model', 'big-chat'],
      ['tabserve-last-model-here', 'pocket'],
    ]);
    vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null });
    const tabserve = { state: 'upstream', upstream: 'desk', upstream_origin: 'https://desk.test' };
    const models = { chatModels: [{ id: 'pocket' }, { id: 'big-chat', tabserve }] };
    const chat = { settings: { model: chosen }, answering: false, isTemporary };
    type Parts = ConstructorParameters<typeof ChatModel>;
    const model = new ChatModel(...([chat, models, { status: READY }] as unknown as Parts));
    expect(model.id).toBe(id);
    expect(model.destination?.name).toBe(goesTo);
  },
);
