import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('while an archive is checked, the screen tells that leaving it ends the import', async ({ page }) => {
  await openSpecimen(page, 'documents-view/checking');
  await expect(page.getByText('Checking the archive: 3 of 40 files')).toBeVisible();
  await expect(page.getByText('The import is cancelled if you leave this screen')).toBeVisible();
});
