import { expect } from '@playwright/test';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('a key that moves in the list of other models opens it, and only a choice in it asks one', async ({ page }) => {
  await openSpecimen(page, 'listen-and-compare/other-models');
  const asked: string[] = [];
  await page.exposeFunction('asked', (model: string) => asked.push(model));
  await page.evaluate(() => {
    const { asked } = globalThis as unknown as { asked: (model: string) => void };
    addEventListener('ask-another', (event) => asked((event as CustomEvent<string>).detail));
  });
  const models = page.getByRole('combobox', { name: 'Ask another model too' });
  const isOpen = () => models.evaluate((field) => field.matches(':open'));
  for (const key of ['ArrowDown', 'End', 's']) {
    await models.focus();
    await page.keyboard.press(key);
    await expect.poll(async () => [await isOpen(), ...asked]).toEqual([true]);
    await page.keyboard.press('Escape');
    await expect.poll(isOpen).toBe(false);
  }
  await page.keyboard.press('ArrowDown');
  await expect.poll(isOpen).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => asked).toEqual(['Sample-1.5B-q4f16_1-MLC']);
});
