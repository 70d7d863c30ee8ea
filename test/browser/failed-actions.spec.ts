import { expect, test, type Page } from '@playwright/test';
import { WITHOUT_GPU } from '../support/without-gpu.ts';

// Nothing here needs a model, and a service worker would answer from its cache what is to fail.
test.use({ ...WITHOUT_GPU, serviceWorkers: 'block' });

const FAILURES: readonly {
  readonly what: string;
  readonly path: string;
  readonly cause: (page: Page) => Promise<unknown>;
  readonly press: (page: Page) => Promise<unknown>;
  readonly words: string;
}[] = [
  {
    what: 'a part of the page that cannot be loaded',
    path: '/',
    cause: (page) => page.route('**/settings-dialog*', (route) => route.abort()),
    press: (page) => page.getByRole('button', { name: 'Settings of this chat' }).click(),
    words: 'This part of the page could not be loaded. Reload the page and try again.',
  },
  {
    what: 'a text that may not be copied',
    path: '/#/developers',
    cause: (page) =>
      page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('Denied.', 'NotAllowedError'));
      }),
    press: (page) => page.getByRole('button', { name: 'Copy the base address' }).click(),
    words: 'The browser did not allow copying',
  },
  {
    what: 'a key that cannot be stored',
    path: '/#/developers',
    cause: (page) =>
      page.evaluate(() => {
        IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
          throw new DOMException('No room left.', 'QuotaExceededError');
        };
      }),
    press: async (page) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A program');
      await page.getByRole('button', { name: 'Make a key' }).click();
    },
    words: 'No room left.',
  },
];

for (const { what, path, cause, press, words } of FAILURES) {
  test(`${what} is said where one pressed, and is no unhandled rejection`, async ({ page }) => {
    const unhandled: string[] = [];
    page.on('pageerror', ({ message }) => unhandled.push(message));
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await cause(page);
    await press(page);
    await expect(page.getByText(words)).toBeAttached();
    expect(unhandled).toEqual([]);
  });
}

test('messages whose elements cannot be loaded are missed in words, and it is no unhandled rejection', async ({
  page,
}) => {
  const unhandled: string[] = [];
  page.on('pageerror', ({ message }) => unhandled.push(message));
  await page.route('**/answer-message*', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText(FAILURES[0]!.words)).toBeAttached();
  expect(unhandled).toEqual([]);
});
