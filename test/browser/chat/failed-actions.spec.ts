import { expect, test, type Page } from '@playwright/test';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';

// No model is needed. Service workers are blocked, because they would serve from the cache the files whose loading must
// fail.
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
    what: 'a file of chats that cannot be imported yet',
    path: '/',
    cause: (page) => page.route('**/import-files*', (route) => route.abort()),
    press: (page) =>
      page.locator('conversation-list input[type=file]').setInputFiles({
        name: 'chats.json',
        mimeType: 'application/json',
        buffer: Buffer.from('[]'),
      }),
    words: 'This part of the page could not be loaded. Reload the page and try again.',
  },
  {
    what: 'a search whose code cannot be loaded',
    path: '/',
    cause: (page) => page.route('**/conversation-search*', (route) => route.abort()),
    press: (page) => page.getByRole('searchbox', { name: 'Search chats' }).fill('boat'),
    words: 'This part of the page could not be loaded. Reload the page and try again.',
  },
  {
    what: 'a text that cannot be copied',
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
      await page.getByRole('button', { name: 'Create key' }).click();
    },
    words: 'No room left.',
  },
];

/** Collects the errors and rejections that the page does not handle. */
function watchUnhandled(page: Page): readonly string[] {
  const unhandled: string[] = [];
  page.on('pageerror', ({ message }) => unhandled.push(message));
  return unhandled;
}

for (const { what, path, cause, press, words } of FAILURES) {
  test(`${what} is reported near the button that was pressed, without an unhandled rejection`, async ({ page }) => {
    const unhandled = watchUnhandled(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await cause(page);
    await press(page);
    await expect(page.getByText(words)).toBeAttached();
    expect(unhandled).toEqual([]);
  });
}

test('the browser asks before changes are lost if the code of the question cannot be loaded', async ({ page }) => {
  await page.route('**/small-dialogs*', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const field = page.getByRole('textbox', { name: 'System prompt' });
  const asked: string[] = [];
  const answer = (how: 'accept' | 'dismiss') =>
    page.once('dialog', async (question) => {
      asked.push(question.message().split('\n')[0]!);
      await question[how]();
    });
  await field.fill('Many words.');
  answer('dismiss');
  await page.keyboard.press('Escape');
  await expect.poll(() => asked).toHaveLength(1);
  await expect(field).toHaveValue('Many words.');
  answer('accept');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await page.getByRole('textbox', { name: 'Your question', exact: true }).fill('A secret.');
  answer('accept');
  await page.getByRole('button', { name: 'End now' }).click();
  await expect(page.getByRole('textbox', { name: 'Your question', exact: true })).toHaveValue('');
  expect(asked).toEqual(['Discard your changes?', 'Discard your changes?', 'End the temporary chat?']);
});

test('if the elements of messages cannot be loaded, the page says so, without an unhandled rejection', async ({
  page,
}) => {
  const unhandled = watchUnhandled(page);
  await page.route('**/answer-message*', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText(FAILURES[0]!.words)).toBeAttached();
  expect(unhandled).toEqual([]);
});

test('if no lazy part can be loaded, the page still renders and says so, without an unhandled rejection', async ({
  page,
  request,
}) => {
  const unhandled = watchUnhandled(page);
  const atOnce = await (await request.get('/')).text();
  const blocked: string[] = [];
  await page.route(/\/assets\/[^/]+\.js$/, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
    if (atOnce.includes(name)) return route.continue();
    blocked.push(name);
    return route.abort();
  });
  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Your question' })).toBeVisible();
  await expect(page.getByText(FAILURES[0]!.words)).toBeAttached();
  for (const part of ['lazy-parts', 'answer-message']) expect(blocked.join()).toContain(part);
  expect(unhandled).toEqual([]);
});

test('if the Markdown renderer cannot be loaded, text grows unformatted, without an unhandled rejection', async ({
  page,
}) => {
  const unhandled = watchUnhandled(page);
  await page.route('**/renderer-*', (route) => route.abort());
  await page.goto('/');
  const isDrawn = page.evaluate(async () => {
    await customElements.whenDefined('markdown-text');
    const growing = Object.assign(document.createElement('markdown-text'), { text: 'One', growing: true });
    document.body.append(growing);
    await new Promise(requestAnimationFrame);
    const drawn = new Promise((resolve) => growing.addEventListener('drawn', resolve));
    Object.assign(growing, { text: 'One **two**', growing: false });
    return drawn.then(() => true);
  });
  await expect(page.locator('body > markdown-text')).toHaveText('One **two**');
  expect(await isDrawn).toBe(true);
  expect(unhandled).toEqual([]);
});
