import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listCollections, searchCollection } from '../../../src/chat/api/collections.ts';
import { createCollection, deleteCollection } from '../../../src/chat/api/edit-collections.ts';
import { listModels } from '../../../src/chat/api/list-models.ts';
import { requestEmbeddings } from '../../../src/chat/api/request-embeddings.ts';

const { signal } = new AbortController();
const never = () => new Promise<never>(() => {});
const answered = async () =>
  Response.json({ data: [{ index: 0, embedding: 'AACAPw==' }], id: 'vs_1', owns_files: true });
const withoutEnd = async () => new Response(new ReadableStream());

beforeEach(() => void vi.stubGlobal('document', new EventTarget()));
afterEach(() => void vi.unstubAllGlobals());

/** What a frozen page leaves pending, and then an endpoint that answers everything. @returns What it is asked. */
function endpoint(pending: (() => Promise<Response>)[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit = {}) => {
    asked.push(`${method} ${path}`);
    return (pending.shift() ?? answered)();
  });
  return asked;
}

/** Freezes the page, and lets it run again, once it has sent so many requests. */
async function freezeAfter(asked: readonly string[], requests: number): Promise<void> {
  await vi.waitUntil(() => asked.length === requests);
  await new Promise((resolve) => setTimeout(resolve, 10));
  document.dispatchEvent(new Event('resume'));
}

test.each<[string, () => Promise<unknown>]>([
  ['a list of models', () => listModels(signal)],
  ['a list of collections', () => listCollections(signal)],
  ['a search', () => searchCollection('vs_1', { query: 'whale', max_num_results: 3 }, signal)],
  ['embeddings', () => requestEmbeddings('pocket-embed', ['whale'], signal)],
  ['a deletion', () => deleteCollection('vs_1', signal)],
])('%s is asked for again if the page is frozen meanwhile, without headers or in the body', async (_, ask) => {
  for (const pending of [never, withoutEnd]) {
    const asked = endpoint([pending]);
    const answer = ask();
    await freezeAfter(asked, 1);
    await answer;
    expect(asked[1]).toBe(asked[0]);
  }
});

test('what would be created twice is not sent again after the page was frozen: it fails', async () => {
  const asked = endpoint([never]);
  const created = createCollection('Notes', signal);
  await Promise.all([expect(created).rejects.toMatchObject({ code: 'engine_unavailable' }), freezeAfter(asked, 1)]);
  expect(asked).toHaveLength(1);
});
