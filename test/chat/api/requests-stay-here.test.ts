import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EndpointSide } from '../../../src/bench/sides/endpoint-side.ts';
import { requestEmbeddings } from '../../../src/chat/api/request-embeddings.ts';
import { requestEndpoint } from '../../../src/chat/api/request-endpoint.ts';
import { fittingPassages } from '../../../src/chat/attachments/fit-text.ts';
import { MeaningIndex } from '../../../src/chat/list/meaning-index.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { createUpstreamRouter } from '../../../src/service-worker/upstreams/upstream-router.ts';
import { readUpstreams, UPSTREAM_ROUTES, type UpstreamRoute } from '../../../src/shared/upstreams/upstream.ts';
import { sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { startStandInUpstream } from '../../support/sites/stand-in-upstream.ts';
import { createTestApp } from '../../service-worker/support/test-app.ts';

const ending: (() => unknown)[] = [];
beforeEach(() => void vi.stubGlobal('document', new EventTarget()));
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(ending.splice(0).map((end) => end()));
});

/** Gives `fetch` an endpoint that may forward every model to an upstream. Returns what each of them is asked. */
async function endpointWithUpstream(when: UpstreamRoute) {
  const server = await startStandInUpstream();
  ending.push(() => server.close());
  const upstreams = createUpstreamRouter(
    readUpstreams([{ name: 'desk', baseUrl: server.baseUrl, models: ['*'], when }]),
    {
      findPermission: async (origin) => ({ origin, granted: 0, key: null }),
      addSentRequest: async () => {},
      announceSentRequest: () => {},
      holdAnswerLock: async () => {},
    },
  );
  const app = createTestApp({ upstreams });
  const network = fetch;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (!address.startsWith('/v1/')) return network(address, init);
    asked.push(address);
    return app.send(address.slice('/v1'.length), init);
  });
  return { server, asked };
}

const { signal } = new AbortController();
const TEXT = 'The whale is 90 years old.';

/** What the page asks without a question of the person. Each may fail: no model is loaded. */
const REQUESTS: Readonly<Record<string, () => Promise<unknown>>> = {
  embeddings: () => requestEmbeddings('pocket-embed', [TEXT], signal),
  'passages of a file': () =>
    fittingPassages(TEXT, 'How old?', 1000, signal, { find: async () => [{ start: 0, text: TEXT } as never] }),
  'a search in chats': async () => {
    const database = createMemoryDatabase();
    const store = new ConversationStore(async () => database);
    await store.add(sampleConversation(), [sampleQuestion({ text: TEXT })]);
    await new MeaningIndex(() => store).find('age', () => {}, signal);
  },
  'a completion whose caller says nothing of upstreams': () =>
    requestEndpoint('chat/completions', signal, { model: 'big-chat', messages: [{ role: 'user', content: TEXT }] }),
  'a measurement': () =>
    new EndpointSide({} as never, 'big-chat').answer(
      { messages: [{ role: 'user', content: TEXT }] } as never,
      false,
      signal,
    ),
};

test.each(Object.keys(REQUESTS).flatMap((name) => UPSTREAM_ROUTES.map((when) => ({ name, when }))))(
  'a request for $name stays here, although an allowed upstream has every model, with the rule $when',
  async ({ name, when }) => {
    const { server, asked } = await endpointWithUpstream(when);
    await REQUESTS[name]!().catch(() => undefined);
    expect(asked).toHaveLength(1);
    expect(server.requests).toEqual([]);
  },
);
