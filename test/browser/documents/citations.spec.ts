import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('each passage of a short range in an answer can be opened, and the ends of a long one', async ({ page }) => {
  await openSpecimen(page, 'answer-with-sources/ranges');
  const text = page.locator('markdown-text p');
  await expect(text).toHaveText(
    'Both harbours have lighthouses [2, 3, 4], piers [1 - 2], ferries [1-6] and cranes [4-9].',
  );
  const names = await text
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  const [handbook, notes, timetable] = ['harbours/handbook.pdf', 'notes.md', 'timetable-2026.xlsx'];
  expect(names).toEqual([
    `Source 2 ${notes}`,
    `Source 3 ${timetable}`,
    `Source 4 ${handbook}`,
    `Source 1 ${handbook}`,
    `Source 2 ${notes}`,
    `Source 1 ${handbook}`,
    `Source 6 ${timetable}`,
    `Source 4 ${handbook}`,
  ]);
  const opened = page.evaluate(
    () =>
      new Promise((resolve) => addEventListener('citation', (event) => resolve((event as CustomEvent<number>).detail))),
  );
  await text.getByRole('button', { name: 'Source 3 timetable-2026.xlsx' }).click();
  expect(await opened).toBe(2);
});
