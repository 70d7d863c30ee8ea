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
