import { expect, type Page } from '@playwright/test';
import { PROTOCOL_VERSION } from '../../../src/shared/messaging/messages.ts';
import { securityHeaders } from '../../../src/shared/security/security-headers.ts';
import { serveForeignSite } from '../../support/sites/foreign-site.ts';
import { ask } from '../../support/pages/models-page.ts';
import { test as base } from '../../support/pages/shared-site.ts';
import { openSite } from '../../support/pages/site-page.ts';
import { TESTED_SITE } from '../../support/sites/start-command.ts';

/** Hosts of the foreign origin: another site, and our site's host, at another port. */
const HOSTS = ['127.0.0.1', 'localhost'] as const;

/** Adds a tab of a foreign origin to the browser with our site's tab. */
const test = base.extend<{ host: (typeof HOSTS)[number]; foreign: Page }>({
  host: ['127.0.0.1', { option: true }],
  foreign: async ({ site, host }, use) => {
    const { origin, close } = await serveForeignSite(host);
    const page = await site.context().newPage();
    await page.goto(origin);
    await use(page);
    await page.close();
    close();
  },
});

/** Returns the number of requests that the endpoint has logged, including refused ones and those no longer kept. */
function countRecords(site: Page): Promise<number> {
  return site.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('tabserve');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          // Keys are ascending numbers; only the latest records are kept.
          const finding = opening.result.transaction('requests').objectStore('requests').openKeyCursor(null, 'prev');
          finding.addEventListener('success', () => {
            opening.result.close();
            resolve(Number(finding.result?.key ?? 0));
          });
        });
      }),
  );
}

/** Waits until a new question is answered and logged; then all earlier requests have been handled. */
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
            // The form is sent as text/plain in the form name=value, which together is JSON.
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

    test('no request of such a page reaches the endpoint, whatever its mode and destination', async ({
      site,
      foreign,
      baseURL,
    }) => {
      await settled(site);
      const before = await countRecords(site);
      const byWorker: string[] = [];
      foreign.on('response', (response) => {
        if (response.fromServiceWorker()) byWorker.push(response.url());
      });
      const outcomes = await foreign.evaluate(async (base) => {
        const models = new URL('/v1/models', base).href;
        const chat = new URL('/v1/chat/completions', base).href;
        const body = JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'Hi' }] });
        const posted = (init: RequestInit) =>
          fetch(chat, { method: 'POST', body, ...init }).then(
            ({ type, status }) => `${type} ${status}`,
            () => 'failed',
          );
        const loaded = (name: 'img' | 'script') =>
          new Promise<string>((resolve) => {
            const element = Object.assign(document.createElement(name), { src: models });
            element.addEventListener('load', () => resolve('loaded'));
            element.addEventListener('error', () => resolve('failed'));
            document.body.append(element);
          });
        const events = new Promise<string>((resolve) => {
          const source = new EventSource(models);
          source.addEventListener('open', () => resolve('opened'));
          source.addEventListener('error', () => resolve('failed'));
        });
        return {
          noCors: await posted({ mode: 'no-cors' }),
          kept: await posted({ mode: 'no-cors', keepalive: true }),
          cors: await posted({ headers: { authorization: 'Bearer local' } }),
          simple: await posted({}),
          beacon: navigator.sendBeacon(chat, body) ? 'sent' : 'failed',
          image: await loaded('img'),
          script: await loaded('script'),
          events: await events,
        };
      }, baseURL!);
      // The web server answers all of these with a 404, which no other origin can read or embed.
      expect(outcomes).toEqual({
        noCors: 'failed',
        kept: 'failed',
        cors: 'failed',
        simple: 'failed',
        beacon: 'sent',
        image: 'failed',
        script: 'failed',
        events: 'failed',
      });
      await settled(site);
      expect(await countRecords(site), 'only our own question is on record').toBe(before + 1);
      expect(byWorker).toEqual([]);
    });

    test('such a page cannot show ours in a frame', async ({ site, foreign, baseURL }) => {
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

    test('such a page cannot start our workers', async ({ site, foreign, baseURL }) => {
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

    test('such a page loses the window handle when it opens our page', async ({ site, foreign, baseURL }) => {
      const opening = site.context().waitForEvent('page');
      await foreign.evaluate((address) => {
        Object.assign(globalThis, { opened: window.open(address) });
      }, baseURL!);
      const opened = await opening;
      await opened.waitForLoadState();
      expect(await opened.evaluate(() => window.opener)).toBeNull();
      await foreign.waitForFunction(() => (globalThis as unknown as { opened: Window }).opened.closed);
      await opened.close();
      await settled(site);
    });
  });
}

test.describe(() => {
  // A foreign window on the host of our site differs from it only by its port.
  test.use({ host: 'localhost' });

  test('if a host omits our headers, messages and ports of its other origins still get no answer', async ({
    foreign,
  }) => {
    const careless = await serveForeignSite('localhost', TESTED_SITE);
    try {
      const opening = foreign.context().waitForEvent('page');
      await foreign.evaluate((address) => {
        Object.assign(globalThis, { opened: window.open(address) });
      }, `${careless.origin}/`);
      const opened = await opening;
      await openSite(opened, opened.url());
      expect(await opened.evaluate(() => window.opener !== null), 'the two windows know each other').toBe(true);
      await opened.evaluate(() => {
        const received: unknown[] = Object.assign(globalThis, { received: [] }).received;
        addEventListener('message', ({ data }) => received.push(data.type));
      });
      const messages = [
        { type: 'tabserve/connect-engine', requestId: '' },
        { type: 'tabserve/find-engine' },
        { type: 'tabserve/version' },
        { type: 'tabserve/claim' },
        { type: 'tabserve/keep-awake' },
        { type: 'tabserve/site-report' },
        { type: 'SKIP_WAITING' },
        {
          type: 'hello',
          version: PROTOCOL_VERSION,
          client: 'page',
          incarnation: 'foreign',
          site: `${careless.origin}/`,
        },
      ];
      await foreign.evaluate((messages) => {
        const { opened } = globalThis as unknown as { opened: Window };
        const answers: unknown[] = Object.assign(globalThis, { answers: [] }).answers;
        addEventListener('message', ({ data }) => answers.push(data));
        for (const message of messages) {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', ({ data }) => answers.push(data));
          port1.start();
          port1.postMessage(messages.at(-1));
          opened.postMessage(message, '*', [port2]);
        }
      }, messages);
      const received = () => opened.evaluate(() => (globalThis as unknown as { received: unknown[] }).received);
      await expect.poll(received).toEqual(messages.map(({ type }) => type));
      await settled(opened);
      expect(await foreign.evaluate(() => (globalThis as unknown as { answers: unknown[] }).answers)).toEqual([]);
      await opened.close();
    } finally {
      careless.close();
    }
  });
});

test('every file of the site has the security headers', async ({ request, site }) => {
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

test('markup in a key name, a logged request and an error is shown as plain text', async ({ site }) => {
  const page = await site.context().newPage();
  const markup = '<img src=x onerror=attacked()><svg onload=attacked()></svg>';
  await page.addInitScript((message) => {
    const attacks: string[] = [];
    Object.assign(globalThis, { attacks, attacked: () => attacks.push('a script ran') });
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) => attacks.push(`blocked ${blockedURI}`));
    const realFetch = window.fetch.bind(window);
    window.fetch = (input, init) => {
      // The page's own questions get an error. The request below, for a model with this name, is real.
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
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('status', { name: 'The new key' })).toHaveText(/^ts-/);
  await expect(page.getByRole('listitem').filter({ hasText: markup }).first()).toBeVisible();
  const logged = page.getByRole('listitem').filter({ hasText: 'POST /v1/chat/completions' });
  await expect(logged.filter({ hasText: markup }).first()).toBeVisible();
  await expect(page.locator('img[src=x], svg[onload]')).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as unknown as { attacks: string[] }).attacks)).toEqual([]);
  await page.close();
});
