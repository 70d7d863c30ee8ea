import { expect, test, type Locator, type Page } from '@playwright/test';
import { openSpecimen } from '../support/gallery.ts';
import { WITHOUT_GPU } from '../support/without-gpu.ts';

// How things stand and look is asked of the gallery: nothing here needs a model.
test.use({ ...WITHOUT_GPU, contextOptions: { reducedMotion: 'reduce' } });

function style(element: Locator, property: string, pseudo?: string): Promise<string> {
  return element.evaluate(
    (element, [property, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(property!),
    [property, pseudo] as const,
  );
}

async function open(page: Page, specimen: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await openSpecimen(page, specimen);
}

test('a first question can be chosen without scrolling, on a small phone and on an enlarged page', async ({ page }) => {
  await open(page, 'chat-app/empty', 320, 640);
  const question = page.getByRole('button', { name: 'What is a service worker?' });
  await expect(question).toBeInViewport({ ratio: 1 });
  // 1280 × 720 at 200 %.
  await page.setViewportSize({ width: 640, height: 360 });
  await expect(question).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
});

test('a question stands beside its buttons, whatever its length; a long one is folded, and unfolds', async ({
  page,
}) => {
  await open(page, 'question-message', 1200, 800);
  const long = page.locator('#long question-message');
  const [tab, actions] = [long.locator('.tab'), long.locator('.actions')];
  const [tabBox, actionsBox] = [(await tab.boundingBox())!, (await actions.boundingBox())!];
  expect(actionsBox.x).toBeGreaterThan(tabBox.x + tabBox.width);
  expect(actionsBox.y + actionsBox.height).toBeLessThanOrEqual(tabBox.y + tabBox.height + 3);
  expect(Number(await style(long.locator('.text'), 'font-weight'))).toBe(400);
  await long.getByRole('button', { name: 'Show all of it' }).click();
  expect((await tab.boundingBox())!.height).toBeGreaterThan(tabBox.height + 50);
  await long.getByRole('button', { name: 'Show less' }).click();
  expect((await tab.boundingBox())!.height).toBe(tabBox.height);
});

test('lists, quotes and tables of a text from right to left have their numbers, bars and columns on the right', async ({
  page,
}) => {
  await open(page, 'markdown-text/right-to-left', 900, 800);
  const list = page.locator('markdown-text li', { hasText: /\p{Script=Arabic}/u }).first();
  expect(await style(list, 'direction')).toBe('rtl');
  expect(await style(list.locator('xpath=..'), 'direction')).toBe('rtl');
  expect(Number.parseFloat(await style(list.locator('xpath=..'), 'padding-right'))).toBeGreaterThan(10);
  // The same page has a text from left to right.
  expect(await style(page.locator('markdown-text li', { hasText: 'a list' }).first(), 'direction')).toBe('ltr');
});

test('what has been put off, or waits for a word, keeps the keyboard in a place that makes sense', async ({ page }) => {
  await open(page, 'chat-app/failed', 1200, 800);
  await page.getByRole('button', { name: 'Later' }).press('Enter');
  await expect(page.getByText('A new version of this page is ready.')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('textbox', { name: 'Your question' }).fill('Why?');
  await expect(send).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('textbox', { name: 'Your question' }).fill('  ');
  await expect(send).toHaveAttribute('aria-disabled', 'true');
});

test('a text that grows has its cursor behind the last word', async ({ page }) => {
  await open(page, 'answer-message/streaming', 900, 600);
  const growing = page.locator('answer-message markdown-text').last();
  const ends = await growing.evaluate(
    (element) =>
      [...element.shadowRoot!.querySelectorAll('*')].filter((one) => getComputedStyle(one, '::after').width === '8px')
        .length,
  );
  expect(ends).toBe(1);
  await expect(page.locator('answer-message .wait')).toHaveCount(0);
});

test('in forced colours the chat that is shown, and a light that says yes, can be told', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, 'chat-app/chat', 1200, 800);
  expect(await style(page.locator('conversation-item[current]'), 'outline-style')).toBe('solid');
  expect(await style(page.locator('offline-badge .ready .light'), 'forced-color-adjust')).toBe('none');
});

test('a chat has one bar: with its model beside the list, with its name on a phone', async ({ page }) => {
  await open(page, 'chat-app/chat', 1200, 800);
  const header = page.locator('conversation-header header');
  expect((await header.boundingBox())!.height).toBeGreaterThan(40);
  await expect(header.locator('.model')).toHaveText('Pocket');
  await expect(page.getByRole('button', { name: 'Export this chat as Markdown' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await style(header, 'position')).toBe('absolute');
  await expect(page.locator('chat-app .bar .title')).toHaveText(
    await page.getByRole('heading', { level: 1 }).innerText(),
  );
  // Nothing of the page but one bar stands above the messages.
  expect((await page.getByRole('region', { name: 'Conversation' }).boundingBox())!.y).toBeLessThan(60);
});
