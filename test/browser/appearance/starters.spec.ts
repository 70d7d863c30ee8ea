import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('an empty chat suggests the questions for the model in use', async ({ page }) => {
  const story = page.getByRole('button', { name: 'What is 27 + 35?' });
  await openSpecimen(page, 'first-questions/ready');
  await expect(page.getByRole('heading', { name: 'Try asking Pocket' })).toBeVisible();
  await expect(story).toBeVisible();
  await openSpecimen(page, 'first-questions/other-model');
  await expect(page.getByRole('heading', { name: 'Try asking' })).toBeVisible();
  await expect(story).toHaveCount(0);
  await expect(page.getByText('is a small demonstration')).toHaveCount(0);
});
