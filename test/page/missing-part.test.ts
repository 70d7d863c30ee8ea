import { expect, onTestFinished, test, vi } from 'vitest';
import { register } from '../../src/page/index.ts';
import { FakePage } from '../support/fakes/fake-page.ts';

vi.mock('../../src/shared/storage/site-database.ts', () => ({ openSiteDatabase: async () => ({}) }));

const part = vi.hoisted(() => ({ isAway: true }));
vi.mock('../../src/page/registration/check-site-models.ts', () => ({
  get checkSiteModels() {
    if (part.isAway) throw new TypeError('Failed to fetch the script');
    return async () => null;
  },
}));

test('a page starts again if a part of its script could not be fetched', async () => {
  const page = new FakePage();
  const tabserve = register();
  onTestFinished(() => {
    tabserve.dispose();
    page.close();
  });
  await expect(tabserve.ready).rejects.toThrow('Failed to fetch the script');
  part.isAway = false;
  await page.pass(11_000);
  expect(await tabserve.ready).toBeUndefined();
});
