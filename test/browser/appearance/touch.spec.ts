import { expect, test, type Locator } from '@playwright/test';
import { FINGERS } from '../../support/browsers/firefox-launch-options.ts';
import { openSpecimen } from '../../support/sites/gallery.ts';
import { launchOptionsWithoutGpu } from '../../support/browsers/without-gpu.ts';

test.use({
  hasTouch: true,
  isMobile: true,
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: ({ browserName }, use) => use(launchOptionsWithoutGpu(browserName, FINGERS)),
  permissions: ({ browserName }, use) => use(browserName === 'firefox' ? [] : ['clipboard-read', 'clipboard-write']),
});

test('on a touch screen a message has one button, whose menu holds every action, with deleting apart @firefox', async ({
  page,
  browserName,
}) => {
  // Playwright cannot simulate touches in Firefox, so the menu is clicked there.
  const tap = (target: Locator): Promise<void> => (browserName === 'firefox' ? target.click() : target.tap());
  await page.setViewportSize({ width: 390, height: 780 });
  await openSpecimen(page, 'chat-app/chat');
  const menu = { name: 'More actions' };
  const question = page.locator('question-message').last();
  const answer = page.locator('answer-message').last();
  const items = page.getByRole('menuitem');
  await expect(page.getByRole('button', { name: /^(Copy the|Ask again|Delete from here)/ })).toHaveCount(0);

  await tap(question.getByRole('button', menu));
  await expect(items).toHaveText(['Copy the question', 'Edit the question', 'Delete from here']);
  await tap(items.nth(1));
  const edit = page.getByRole('textbox', { name: 'Edit your question' });
  await edit.fill('First');
  // On-screen keyboards have no Shift + Enter.
  await edit.press('Enter');
  await edit.pressSequentially('Second');
  await expect(edit).toHaveValue('First\nSecond');
  await tap(question.getByRole('button', { name: 'Cancel' }));

  const button = answer.getByRole('button', menu);
  await tap(button);
  await expect(items).toHaveText([
    'Copy the answer',
    'Ask again',
    'Details of this answer',
    'Ask Sample-present too',
    'Ask Sample-own too',
    'Delete from here',
  ]);
  await expect(page.getByRole('separator')).toHaveCount(1);
  const composer = (await page.locator('message-composer').boundingBox())!;
  const lastItem = (await items.last().boundingBox())!;
  expect(lastItem.y + lastItem.height, 'the menu covers the composer').toBeLessThanOrEqual(composer.y);
  await tap(items.first());
  await expect(answer.locator('message-menu').getByRole('status')).toHaveText('Copied');
  await expect(button).toBeFocused();
  // If the menu is opened before it has closed, it does not take the focus.
  await expect(items).toHaveCount(0);
  await button.press('Enter');
  // The menu handles keys once its first item has the focus.
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(items.last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete this message?' })).toBeVisible();
});

/** Specimens of the gallery that together have controls of every kind. */
const TOUCHED = [
  'chat-app/chat',
  'chat-app/models',
  'chat-app/developers',
  'side-bar/filled',
  'settings-dialog/filled',
  'attachment-tray',
  'tool-rounds',
];

test('on a touch screen every control is 44 pixels high, except links in a sentence', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  for (const specimen of TOUCHED) {
    await openSpecimen(page, specimen);
    const controls = page.locator(
      'button, select, summary, a.button, a.place, input:not([type=checkbox], [type=radio])',
    );
    const small = await controls.evaluateAll((controls) =>
      controls.flatMap((control) => {
        const { width, height } = control.getBoundingClientRect();
        const isShown = width > 0 && getComputedStyle(control).visibility !== 'hidden';
        // Allows for a rounded height.
        return isShown && height < 43.9 ? [`${control.localName} ${control.textContent?.trim()}: ${height}`] : [];
      }),
    );
    expect.soft(small, specimen).toEqual([]);
  }
});

test('on a touch screen the menu of an answer is aligned with its text', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await openSpecimen(page, 'chat-app/chat');
  const answer = page.locator('answer-message').last();
  const text = (await answer.locator('markdown-text').boundingBox())!;
  const dots = (await answer.locator('message-menu svg').boundingBox())!;
  expect(Math.abs(dots.x - text.x)).toBeLessThan(3);
});

test('on a touch screen Enter starts a new line, and its key does not promise to send', async ({ page }) => {
  await page.goto('/');
  const field = page.getByRole('textbox', { name: 'Your question' });
  await field.fill('One');
  await field.press('Enter');
  await expect(field).toHaveValue('One\n');
  expect(await field.evaluate((element: HTMLTextAreaElement) => element.enterKeyHint)).not.toBe('send');
});

test('only numbers that cannot be negative ask a phone for the keyboard without a minus', async ({ page }) => {
  await openSpecimen(page, 'settings-dialog/advanced');
  const keyboards = await page
    .locator('settings-dialog input[type=number]')
    .evaluateAll((fields: HTMLInputElement[]) => fields.map(({ name, inputMode }) => [name, inputMode]));
  expect(Object.fromEntries(keyboards)).toEqual({
    temperature: 'decimal',
    maxTokens: 'decimal',
    topP: 'decimal',
    seed: '',
    presencePenalty: '',
    frequencyPenalty: '',
  });
});

test('on a touch screen the buttons of the warning of a nearly full chat are in one row', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await openSpecimen(page, 'nearly-full-notice/full');
  const [room, close] = ['Make room', 'Dismiss'].map((name) => page.getByRole('button', { name }));
  await expect(close!).toBeInViewport({ ratio: 1 });
  expect((await close!.boundingBox())!.y).toBe((await room!.boundingBox())!.y);
});

for (const isTouch of [true, false])
  test(`a touch screen is not told to drop a file; ${isTouch ? 'a phone' : 'a desktop'}`, async ({ browser }) => {
    const context = await browser.newContext({ hasTouch: isTouch, isMobile: isTouch });
    const page = await context.newPage();
    await openSpecimen(page, 'add-gguf/empty');
    await expect(page.getByText('Choose all files of a model that is split')).toBeVisible();
    await expect(page.getByText('Or drop it anywhere')).toBeVisible({ visible: !isTouch });
    await context.close();
  });
