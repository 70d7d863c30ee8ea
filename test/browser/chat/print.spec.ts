import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('the notice of a nearly full chat is not printed over its last lines', async ({ page }) => {
  await openSpecimen(page, 'nearly-full-notice/full');
  await expect(page.getByText('This chat takes up 83%')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('This chat takes up 83%')).toBeHidden();
});
