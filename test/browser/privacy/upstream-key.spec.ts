import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('the key of a server stays in its field if the permission cannot be stored', async ({ page }) => {
  await openSpecimen(page, 'upstream-list/offered');
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('No room left.', 'QuotaExceededError');
    };
  });
  const field = page.getByLabel('Key of this server').first();
  await field.fill('a long key');
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click();
  await expect(page.getByRole('alert')).toContainText('could not store this');
  await expect(field).toHaveValue('a long key');
});

test('allowing a server with the Enter key leaves the focus there, but a second Enter does not withdraw it', async ({
  page,
}) => {
  await openSpecimen(page, 'upstream-list/offered');
  await page.getByLabel('Key of this server').first().press('Enter');
  await expect(page.getByRole('button', { name: /^Stop allowing/ })).toHaveCount(1);
  await expect(page.locator('upstream-list form').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: /^Stop allowing/ })).toBeFocused();
});

test('a server that was allowed, and that the site no longer names, can be revoked with its key', async ({ page }) => {
  await openSpecimen(page, 'upstream-list/used');
  const { stored } = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('tabserve-upstreams');
      opening.onsuccess = () => resolve(opening.result);
    });
    const permissions = (mode: IDBTransactionMode) =>
      database.transaction('permissions', mode).objectStore('permissions');
    const stored = await new Promise<{ origin: string; key: object | null }[]>((resolve) => {
      const reading = permissions('readonly').getAll();
      reading.onsuccess = () => resolve(reading.result);
    });
    const withKey = stored.find(({ key }) => key !== null);
    await new Promise((resolve) => {
      permissions('readwrite').put({ ...withKey, origin: 'https://gone.example' }).onsuccess = resolve;
    });
    database.close();
    new BroadcastChannel('tabserve/upstreams').postMessage('permissions');
    return { stored: stored.length };
  });
  await expect(
    page.getByText('Allowed earlier. Among the servers that this site names now, it was not found. With the key'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Stop allowing https://gone.example' }).press('Enter');
  await expect(page.getByText('https://gone.example')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Answers from elsewhere' })).toBeFocused();
  await expect(page.getByRole('button', { name: /^Stop allowing/ })).toHaveCount(stored);
});
