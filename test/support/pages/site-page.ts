import type { BrowserContext, Page } from '@playwright/test';
import type { PageStatus, Tabserve } from '../../../src/page/index.ts';

type ChatApp = HTMLElement & { readonly tabserve?: Tabserve };

/** Opens the built site and waits until the built-in model can answer this page. */
export async function openSite(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await siteReady(page);
}

/** Two tabs of a browser that has no SharedWorker: the first one hosts the engine. */
export async function openHostAndGuest(context: BrowserContext): Promise<[host: Page, guest: Page]> {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const [host, guest] = [await context.newPage(), await context.newPage()];
  await openSite(host);
  await openSite(guest);
  return [host, guest];
}

/** Waits until the built-in model can answer this page. */
export async function siteReady(page: Page): Promise<void> {
  const ready = page.waitForFunction(
    () => {
      const app = document.querySelector<ChatApp>('chat-app');
      return navigator.serviceWorker.controller !== null && app?.tabserve?.status.state === 'ready';
    },
    null,
    // Not each frame: a hidden page draws none.
    { timeout: 100_000, polling: 100 },
  );
  try {
    await ready;
  } catch (thrown) {
    throw new Error(`The page is not ready, but ${JSON.stringify(await pageStatus(page))}`, { cause: thrown });
  }
}

/** What the page knows about the endpoint. */
export function pageStatus(page: Page): Promise<PageStatus | undefined> {
  return page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.status);
}

/** Waits until the page says that the endpoint is in the given state. */
export async function reachState(page: Page, state: PageStatus['state']): Promise<PageStatus> {
  const status = await page.waitForFunction((state) => {
    const status = document.querySelector<ChatApp>('chat-app')?.tabserve?.status;
    return status?.state === state ? status : null;
  }, state);
  return (await status.jsonValue())!;
}

/** Takes every model from the graphics processor. */
export async function unloadModels(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.call('models/unload', null));
}

/** The page's "try again". */
export async function retry(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<ChatApp>('chat-app')?.tabserve?.retry());
}
