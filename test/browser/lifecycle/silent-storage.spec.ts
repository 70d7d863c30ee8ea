import { expect } from '@playwright/test';
import { test } from '../../support/pages/shared-context.ts';

test('a browser that tells nothing true of its storage leaves no uncaught error, and the page names no limit @firefox', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new TypeError('Denied.'));
    // What Chromium says since 2026, whatever the true quota is.
    const estimate = () => Promise.resolve({ usage: 5_000_000, quota: 5_000_000 + 10 * 2 ** 30 });
    Object.assign(StorageManager.prototype, { persisted: refuse, persist: refuse, estimate });
  });
  await page.goto('/#/privacy');
  const total = page.getByText(/5(\.0)? MB in all/);
  await expect(total).toBeVisible();
  await expect(total).not.toContainText('allows this site');
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.goto('/#/models');
  await expect(page.getByRole('heading', { name: 'Models' }).first()).toBeVisible();
  expect(errors).toEqual([]);
});
