import { expect, test as base, type Page } from '@playwright/test';
import { securityHeaders } from '../../src/shared/security-headers.ts';
import { serveForeignSite } from '../support/foreign-site.ts';
import { ask } from '../support/models-page.ts';
import { openSite } from '../support/site-page.ts';

/** Another site, and another port of our own site's host. */
const HOSTS = ['127.0.0.1', 'localhost'] as const;

/** A tab with our site, ready, and one of a foreign origin in the same browser. */
const test = base.extend<{ host: (typeof HOSTS)[number]; site: Page; foreign: Page }>({
  host: ['127.0.0.1', { option: true }],
  site: async ({ page }, use) => {
    await openSite(page);
    await use(page);
  },
  foreign: async ({ context, host }, use) => {
    const { origin, close } = await serveForeignSite(host);
    const page = await context.newPage();
    await page.goto(origin);
    await use(page);
    close();
  },
});

/** How many requests the endpoint has seen, refused ones too. */
function countRecords(site: Page): Promise<number> {
  return site.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('tabserve');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const counting = opening.result.transaction('requests').objectStore('requests').count();
          counting.addEventListener('success', () => {
            opening.result.close();
            resolve(counting.result);
          });
        });
      }),
  );
}

/** Whatever came before has been dealt with once this question is answered and on record. */
async function settled(site: Page): Promise<void> {
  const before = await countRecords(site);
  expect(await ask(site, 'pocket')).toMatchObject({ status: 200, text: expect.stringMatching(/\w/) });
  await expect.poll(() => countRecords(site)).toBeGreaterThan(before);
}

for (const host of HOSTS) {
  test.describe(`a page of ${host} on another port`, () => {
    test.use({ host });

    for (const [name, enctype, path] of [
      ['a form', 'application/x-www-form-urlencoded', '/v1/chat/completions'],
      ['a form whose text is JSON', 'text/plain', '/v1/chat/completions'],
      ['a form with files', 'multipart/form-data', '/v1/models'],
    ] as const) {
      test(`${name} that is posted to ${path} gets a 403`, async ({ site, foreign, baseURL }) => {
        const action = new URL(path, baseURL).href;
        const answered = foreign.waitForResponse(action);
        await foreign.evaluate(
          ({ action, enctype }) => {
            const form = Object.assign(document.createElement('form'), { action, enctype, method: 'post' });
            const body = { model: 'pocket', messages: [{ role: 'user', content: 'Hi' }], x: '' };
            const [before, after] = JSON.stringify(body).split('""') as [string, string];
            // As text/plain this is sent as name=value, which makes it JSON.
            form.append(Object.assign(document.createElement('input'), { name: `${before}"`, value: `"${after}` }));
            document.body.append(form);
            form.submit();
          },
          { action, enctype },
        );
        const response = await answered;
        expect(response.fromServiceWorker()).toBe(true);
        expect(response.status()).toBe(403);
        await expect(foreign.locator('body')).toContainText('forbidden_request');
        await settled(site);
      });
    }

    test('a link to the endpoint gets a 403', async ({ site, foreign, baseURL }) => {
      const response = await foreign.goto(new URL('/v1/models', baseURL).href);
      expect(response!.fromServiceWorker()).toBe(true);
      expect(response!.status()).toBe(403);
      await settled(site);
    });

    test('no frame of it shows our page', async ({ site, foreign, baseURL }) => {
      for (const name of ['iframe', 'object', 'embed']) {
        await foreign.evaluate(
          ({ name, address }) =>
            new Promise<void>((resolve) => {
              const element = document.createElement(name);
              element.setAttribute(name === 'object' ? 'data' : 'src', address);
              for (const event of ['load', 'error']) element.addEventListener(event, () => resolve());
              document.body.append(element);
            }),
          { name, address: baseURL! },
        );
      }
      const frames = foreign.frames().filter((frame) => frame !== foreign.mainFrame());
      expect(frames.length).toBeGreaterThan(0);
      for (const frame of frames) {
        expect(frame.url()).toMatch(/^(chrome-error:|about:blank|$)/);
        expect(await frame.locator('chat-app').count()).toBe(0);
      }
      await settled(site);
    });

    test('it can start neither of our workers', async ({ site, foreign, baseURL }) => {
      const address = await site.evaluate(() => navigator.serviceWorker.controller!.scriptURL);
      const outcomes = await foreign.evaluate(async (address) => {
        const started = async (WorkerKind: typeof SharedWorker | typeof Worker) => new WorkerKind(address);
        return Promise.all(
          [started(SharedWorker), started(Worker), navigator.serviceWorker.register(address)].map((start) =>
            start.then(
              () => 'started',
              ({ name }: Error) => name,
            ),
          ),
        );
      }, address);
      expect(outcomes).toEqual(['SecurityError', 'SecurityError', 'SecurityError']);
      expect(new URL(address).origin).toBe(new URL(baseURL!).origin);
    });

    test('it loses the window that it opened with our page in it', async ({ site, foreign, baseURL, context }) => {
      const opening = context.waitForEvent('page');
      await foreign.evaluate((address) => {
        Object.assign(globalThis, { opened: window.open(address) });
      }, baseURL!);
      const opened = await opening;
      await opened.waitForLoadState();
      expect(await opened.evaluate(() => window.opener)).toBeNull();
      await foreign.waitForFunction(() => (globalThis as unknown as { opened: Window }).opened.closed);
      await settled(site);
    });
  });
}

test('every file of the site comes with the headers that say so', async ({ request, site }) => {
  const scripts = await site.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const { origin } = new URL(site.url());
  const own = scripts.filter((address) => address.startsWith(origin) && !address.includes('/v1/'));
  expect(own.length).toBeGreaterThan(3);
  for (const address of [site.url(), `${origin}/v1/models`, `${origin}/nowhere`, ...own]) {
    const headers = (await request.get(address)).headers();
    expect(headers).toMatchObject(securityHeaders());
  }
  expect(securityHeaders()['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('markup in the name of a key, in a logged request and in an error is shown as the text it is', async ({
  page,
}) => {
  const markup = '<img src=x onerror=attacked()><svg onload=attacked()></svg>';
  await page.addInitScript((message) => {
    const attacks: string[] = [];
    Object.assign(globalThis, { attacks, attacked: () => attacks.push('a script ran') });
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) => attacks.push(`blocked ${blockedURI}`));
    const realFetch = window.fetch.bind(window);
    window.fetch = (input, init) => {
      // The page's own questions fail; the one below, which asks for a model of that name, is real.
      if (!String(input).endsWith('chat/completions') || String(init?.body).includes('onerror'))
        return realFetch(input, init);
      const error = { message, type: 'invalid_request_error', param: null, code: 'invalid_value' };
      return Promise.resolve(Response.json({ error }, { status: 400 }));
    };
  }, markup);
  await openSite(page);
  expect(await ask(page, markup)).toEqual({ status: 404, text: 'model_not_found' });
  const field = page.getByRole('textbox', { name: 'Your question' });
  await field.fill('Hello');
  await field.press('Enter');
  await expect(page.getByText(markup).first()).toBeVisible();

  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByLabel('Name', { exact: true }).fill(markup);
  await page.getByRole('button', { name: 'Make a key' }).click();
  await expect(page.getByRole('status', { name: 'The new key' })).toHaveText(/^ts-/);
  await expect(page.getByRole('listitem').filter({ hasText: markup }).first()).toBeVisible();
  const logged = page.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' });
  await expect(logged.filter({ hasText: markup }).first()).toBeVisible();
  await expect(page.locator('img[src=x], svg[onload]')).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as unknown as { attacks: string[] }).attacks)).toEqual([]);
});
