import { expect } from '@playwright/test';
import type { AddGguf } from '../../../src/chat/models/add-gguf.ts';
import type { ModelCatalogue } from '../../../src/chat/models/model-catalogue.ts';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test('the catalogue shows the chosen family, also when one before it or all its models are gone', async ({ page }) => {
  await openSpecimen(page, 'model-catalogue/folded');
  const families = page.getByRole('combobox', { name: 'Family' });
  const shown = () => families.evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.textContent);
  const leave = (family: string) =>
    page.locator('model-catalogue').evaluate((catalogue: ModelCatalogue, family) => {
      catalogue.models = catalogue.models.filter((model) => model.family !== family);
      return catalogue.updateComplete;
    }, family);
  await families.selectOption('Beta');
  await expect(page.getByText('12 of 36 models')).toBeVisible();
  await leave('Alpha');
  expect(await shown()).toBe('Beta');
  await expect(page.getByText('12 of 30 models')).toBeVisible();
  await leave('Beta');
  expect(await shown()).toBe('Beta');
  await expect(page.getByText('No model matches.')).toBeVisible();
  await families.selectOption('All families');
  await expect(page.getByText('18 of 18 models')).toBeVisible();
});

test('after a model could not be looked at, the focus is where its address or another file is chosen', async ({
  page,
}) => {
  await openSpecimen(page, 'add-gguf/empty');
  const field = page.getByRole('textbox', { name: 'Or its address' });
  const form = page.locator('add-gguf');
  await form.evaluate((form: AddGguf) => {
    form.manager = { inspectGguf: () => Promise.reject(new Error('No such file.')) } as unknown as AddGguf['manager'];
  });
  await field.fill('https://example.org/model.gguf');
  await page.getByRole('button', { name: 'Check it' }).press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(field).toBeFocused();
  await form.evaluate((form: AddGguf) => void (form.files = [new File(['x'], 'model.gguf')]));
  await expect(page.getByRole('button', { name: 'Choose a file…' })).toBeFocused();
});
