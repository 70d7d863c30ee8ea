import { expect, test, vi } from 'vitest';
import { createRequestLog } from '../../../src/service-worker/request-log/request-log.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { createApiKeys } from '../../../src/shared/keys/api-keys.ts';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';
import { findDeviceModel, listAllEngineModels, listDeviceModels } from '../../../src/shared/storage/device-models.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY, ORIGIN, type TestApp } from '../support/test-app.ts';

const broken = () => Promise.reject(new DOMException('Internal error.', 'UnknownError'));

/** How the database fails: when it is opened, or at each operation. */
const FAILURES = {
  'does not open': () => Promise.reject(new ApiError('storage_unavailable', 'The profile is read-only.')),
  'is broken': async () => ({ get: broken, getAll: broken, getKey: broken, transaction: broken }),
} as const;

const store = vi.hoisted(() => ({ open: (): Promise<never> => Promise.reject(new Error('No test runs.')) }));
vi.mock('../../../src/shared/storage/site-database.ts', () => ({ openSiteDatabase: () => store.open() }));

/** The installed endpoint with a failing database. */
function appWithout(failure: keyof typeof FAILURES): TestApp {
  store.open = FAILURES[failure] as () => Promise<never>;
  return createTestApp({
    models: () => listDeviceModels(builtInModels(`${ORIGIN}/`)),
    findModel: (id) => findDeviceModel(id, builtInModels(`${ORIGIN}/`)),
    findKey: createApiKeys().find,
    aliases: { 'gpt-4o-mini': 'pocket' },
    observe: createRequestLog({ write: store.open, keepsContent: store.open }),
  });
}

for (const failure of Object.keys(FAILURES) as (keyof typeof FAILURES)[]) {
  test(`where the database ${failure} the built-in model is listed and answers, by its name and its alias`, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = appWithout(failure);
    const list = await (await app.send('/models')).json();
    expect(list.data).toMatchObject([{ id: 'pocket' }, { id: 'pocket-embed' }]);
    for (const model of ['pocket', 'gpt-4o-mini']) {
      expect(await app.received({ model })).toMatchObject({ model: 'pocket' });
    }
    vi.restoreAllMocks();
  });

  test(`where the database of a hub ${failure} no list without its downloaded models is given to a site`, async () => {
    store.open = FAILURES[failure] as () => Promise<never>;
    await expect(listAllEngineModels(builtInModels(`${ORIGIN}/`))).rejects.toThrow(/read-only|Internal error/);
  });

  test(`where the database ${failure} any other model gets a 503 with the reason and a time to retry`, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await appWithout(failure).chat({ ...GOOD_BODY, model: 'downloaded' });
    expect(response.headers.get('retry-after')).toBe('10');
    expect(await readError(response)).toMatchObject({ status: 503, code: 'storage_unavailable' });
    vi.restoreAllMocks();
  });

  test(`where the database ${failure} a key that the user created is refused with the reason`, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = appWithout(failure);
    const response = await app.send('/models', { headers: { authorization: 'Bearer ts-made-by-the-person' } });
    expect(await readError(response)).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      message: expect.stringContaining('cannot be read'),
    });
    vi.restoreAllMocks();
  });
}

test('an unavailable database is not reported on the console for every request', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  const app = appWithout('does not open');
  for (let request = 0; request < 3; request++) await app.send('/models');
  expect(written).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
