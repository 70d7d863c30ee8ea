import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('the request log tells the day of a request, and the server that has answered it', async ({ page }) => {
  await openSpecimen(page, 'request-log-list/filled');
  const fact = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
  const records = page.getByRole('listitem');
  await expect(fact('Time')).toHaveCount(await records.count());
  for (const text of await fact('Time').allTextContents()) expect(text).toContain('2026');
  await expect(fact('Answered by')).toHaveText(/desk$/);
  await expect(records.filter({ has: fact('Answered by') })).toContainText('req_6');
});
