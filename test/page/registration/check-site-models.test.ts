import { afterEach, expect, test, vi } from 'vitest';
import { checkSiteModels } from '../../../src/page/registration/check-site-models.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';

const store = vi.hoisted(() => ({ downloaded: [] as object[] }));
vi.mock('../../../src/shared/storage/site-database.ts', () => ({
  openSiteDatabase: async () => ({ getAll: async () => store.downloaded, get: async () => undefined }),
}));

const SITE = 'https://site.test/app/';
const CONFIG = `${SITE}models/pocket/mlc-chat-config.json`;
const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };

afterEach(() => {
  store.downloaded = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Checks these models. `missing` are the addresses that the server lacks. */
async function check(
  options: Parameters<typeof readSiteModels>[0],
  answer: (address: string) => Response,
  cached: readonly string[] = [],
): Promise<string | null> {
  vi.stubGlobal('location', new URL(SITE));
  vi.stubGlobal('fetch', async (address: string) => answer(address));
  vi.stubGlobal('caches', {
    match: async (address: string) => (cached.includes(address) ? new Response() : undefined),
  });
  return checkSiteModels(readSiteModels(options, SITE).entries).catch(({ message }: Error) => `rejects: ${message}`);
}

const notFound = () => new Response('', { status: 404 });
const BUILT_IN = { builtInModels: ['pocket'] } as const;
const GGUF = { id: 'kiosk', gguf: 'models/kiosk.gguf' };

test.each([
  ['404', notFound, 'answers 404'],
  ['410', () => new Response('', { status: 410 }), 'answers 410'],
  ['a page', () => new Response('', html), 'answers 200'],
])('the only model is missing if the server answers with %s', async (_, answer, says) => {
  const sentence = await check(BUILT_IN, answer);
  expect(sentence).toMatch(/^rejects: /);
  expect(sentence).toContain(`${CONFIG} the server ${says}`);
});

test.each([
  ['the file', () => new Response('{}')],
  ['405, since it knows no HEAD', () => new Response('', { status: 405 })],
  ['500', () => new Response('', { status: 500 })],
  [
    'nothing, since there is no network',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
])('no model is missing if the server answers with %s', async (_, answer) => {
  expect(await check(BUILT_IN, answer)).toBeNull();
});

const lacking = (address: string) => (requested: string) =>
  new Response('', { status: requested === address ? 404 : 200 });

test('a missing model is a warning if the site has another one', async () => {
  const answer = lacking(`${SITE}models/kiosk.gguf`);
  expect(await check({ ...BUILT_IN, models: [GGUF] }, answer)).toMatch(/^The files of the model kiosk are missing/);
});

test('missing models are a warning if the person has downloaded another one', async () => {
  store.downloaded = [{ id: 'downloaded' }];
  expect(await check(BUILT_IN, lacking(CONFIG))).toMatch(/^The files of the model pocket are missing/);
});

test('with a stored model nothing is asked for, and models of other origins never are', async () => {
  const asked: string[] = [];
  const answer = (address: string) => {
    asked.push(address);
    return notFound();
  };
  expect(await check({ ...BUILT_IN, models: [GGUF] }, answer, [CONFIG])).toBeNull();
  const elsewhere = { id: 'kiosk', gguf: 'https://models.test/kiosk.gguf' };
  expect(await check({ builtInModels: [], models: [elsewhere] }, answer)).toBeNull();
  expect(asked).toEqual([]);
});

test('if Cache Storage stands still, as after the data were cleared, no model is missing', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('caches', { match: () => new Promise(() => {}) });
  const checked = checkSiteModels(readSiteModels(BUILT_IN, SITE).entries);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await Promise.race([checked, Promise.resolve('pending')])).toBeNull();
});
