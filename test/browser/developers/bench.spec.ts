import { expect, test, type Page } from '@playwright/test';
import type { BenchReport } from '../../../src/bench/bench-report.ts';
import { benchStrings } from '../../../src/chat/strings/bench-strings.ts';
import { expectAccessible } from '../../support/pages/accessibility.ts';
import { openControlled } from '../../support/pages/site-page.ts';

test.describe.configure({ mode: 'serial' });

/** Opens the page, and waits until a run has ended. */
async function measure(page: Page, hash: string): Promise<BenchReport> {
  await page.goto(`/bench/${hash}`);
  const output = page.locator('#bench-json');
  await expect(output).toHaveAttribute('data-state', 'done', { timeout: 90_000 });
  return JSON.parse((await output.textContent())!) as BenchReport;
}

test('the bench page compares the endpoint with WebLLM, and sends nothing', async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  page.context().on('request', (request) => {
    if (!request.url().startsWith(baseURL!) && !/^(blob|data):/.test(request.url())) elsewhere.push(request.url());
  });
  const report = await measure(page, '#run=short&model=pocket&rounds=1&rows=first-50,decode-100,energy');
  expect(report).toMatchObject({ complete: true, sides: ['endpoint', 'webllm'], leftOut: [], rounds: 1 });
  const measured = report.results.map(({ row, side }) => `${row} ${side}`);
  expect(measured).toEqual(['first-50 endpoint', 'first-50 webllm', 'decode-100 endpoint', 'decode-100 webllm']);
  for (const { median } of report.results) expect(median).toBeGreaterThan(0);
  expect(report.missing.map(({ row }) => row)).toEqual(['energy', 'energy']);

  const table = page.locator('bench-table');
  await expect(table.locator('tbody')).toHaveCount(3);
  for (const { median, unit } of report.results) {
    await expect(table.getByText(benchStrings.figures[unit](median), { exact: true }).first()).toBeVisible();
  }
  await expectAccessible(page, 'the page that measures, with figures');
  await page.setViewportSize({ width: 390, height: 800 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  expect(elsewhere).toEqual([]);
});

test('a stopped run keeps its figures, and another one can be started', async ({ page }) => {
  await page.goto('/bench/#run=whole&model=pocket&rounds=50&rows=first-50');
  const output = page.locator('#bench-json');
  await expect.poll(() => output.textContent(), { timeout: 60_000 }).not.toBe('');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(output).toHaveAttribute('data-state', 'stopped');
  await expect(page.getByText('Stopped. These are the figures so far.')).toBeVisible();
  const report = JSON.parse((await output.textContent())!) as BenchReport;
  expect(report.complete).toBe(false);
  expect(report.results.length).toBeGreaterThan(0);
  await expect(page.getByRole('button', { name: 'Measure' })).toBeEnabled();
});

test('the developers’ screen links to the bench page, which opens without network', async ({ page, context }) => {
  await openControlled(page, '/#/developers');
  await context.setOffline(true);
  await page.locator('a[href="bench/"]').click();
  await expect(page.getByRole('heading', { name: 'How fast is this device?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Measure' })).toBeEnabled();
});
