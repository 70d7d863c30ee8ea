import { expect, type BrowserContext, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import type { HubHost, HubSites } from '../sites/hub-sites.ts';

declare const window: { readonly tabserve: Tabserve };

/** Opens a site that names the hub, and waits until its endpoint is ready. */
export function visitWithHub(context: BrowserContext, sites: HubSites, host: HubHost): Promise<Page> {
  return visit(context, `${sites.url(host)}?hub=${encodeURIComponent(sites.url('hub'))}`);
}

/** Opens a site, and waits until its endpoint is ready. */
export async function visit(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => window.tabserve.ready);
  return page;
}

/** Presses the hub's button in its frame, which ignores clicks before it has been visible for a while. */
export async function allowHub(page: Page): Promise<void> {
  const asked = page.evaluate(() => window.tabserve.askForHub(document.querySelector('#place')!));
  const button = page.frameLocator('#place iframe').getByRole('button');
  await expect(async () => {
    // Once it has reacted it cannot be pressed again, and the frame goes.
    await button.click({ timeout: 1000 }).catch(() => {});
    await expect(page.locator('#place iframe')).toHaveCount(0, { timeout: 3000 });
  }).toPass();
  expect(await asked).toBe(true);
}
