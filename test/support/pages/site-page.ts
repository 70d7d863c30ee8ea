import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { PageStatus, Tabserve } from '../../../src/page/index.ts';

type ChatApp = HTMLElement & { readonly tabserve?: Tabserve };

/** Opens the built site and waits until the built-in model can answer this page. */
export async function openSite(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await siteReady(page);
}

/** Opens a page of a site and waits until the site's service worker answers its requests. No model has to be there. */
export async function openControlled(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Opens two tabs in a browser without SharedWorker. The first one hosts the engine. */
export async function openHostAndGuest(context: BrowserContext): Promise<[host: Page, guest: Page]> {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const [host, guest] = [await context.newPage(), await context.newPage()];
  await openSite(host);
  await openSite(guest);
  return [host, guest];
}

/** The engines that this page hosts, in a browser without SharedWorker. The page has other workers, too. */
export function enginesOf(page: Page): readonly Worker[] {
  return page.workers().filter((worker) => /\/engine-worker-[^/]+\.js$/.test(worker.url()));
}

/** Waits until the built-in model can answer this page. */
export async function siteReady(page: Page): Promise<void> {
  const ready = page.waitForFunction(
    () => {
      const app = document.querySelector<ChatApp>('chat-app');
      return navigator.serviceWorker.controller !== null && app?.tabserve?.status.state === 'ready';
    },
    null,
    // Not in every frame, because a hidden page has none.
    { timeout: 100_000, polling: 100 },
  );
  try {
    await ready;
  } catch (thrown) {
    throw new Error(`The page is not ready, but ${JSON.stringify(await pageStatus(page))}`, { cause: thrown });
  }
}

/** Returns the page's status of the endpoint. */
export function pageStatus(page: Page): Promise<PageStatus | undefined> {
  return page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.status);
}

/** Waits until the page's status has this state. */
export async function reachState(page: Page, state: PageStatus['state']): Promise<PageStatus> {
  const status = await page.waitForFunction((state) => {
    const status = document.querySelector<ChatApp>('chat-app')?.tabserve?.status;
    return status?.state === state ? status : null;
  }, state);
  return (await status.jsonValue())!;
}

/** Unloads every model from the GPU. */
export async function unloadModels(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.call('models/unload', null));
}

/** Calls the page's `retry()`, as the button "Try again" does. */
export async function retry(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.retry());
}
