import { expect, type Browser, type Page } from '@playwright/test';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { test } from '../../support/pages/shared-context.ts';
import { siteReady, unloadModels } from '../../support/pages/site-page.ts';
import { slowAnswers } from '../../support/samples/slow-answers.ts';

/** Settings with which every answer to a question is the same, and short. */
const EXACT = { Temperature: '0', Seed: '7', 'Maximum length': '24' };

/** Long enough for a whole answer. An answer shows its version once it has ended. */
const SLOWLY = { timeout: 200_000 };

// Each test generates several answers on a simulated GPU.
test.setTimeout(300_000);

/** The shared engine while it is slowed down; undefined otherwise. */
let slowed: EngineWorkerTarget | undefined;

test.afterEach(async () => {
  await slowed?.slowDown(0);
  slowed = undefined;
});

/**
 * Generates an answer, then begins the same answer in a new chat at 200 ms per token. At full speed it might end before
 * the test can act on it.
 */
async function wholeAndGrowing(page: Page, browser: Browser): Promise<{ chat: ChatPage; whole: string }> {
  const chat = await ChatPage.open(page);
  await chat.settings(EXACT);
  const whole = await chat.ask(LONG_QUESTION);
  slowed = await EngineWorkerTarget.attach(browser);
  await slowed.slowDown(200);
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.settings(EXACT);
  await chat.send(LONG_QUESTION);
  await chat.growing();
  return { chat, whole };
}

test('two questions asked from the empty page are answered, show their speed, and survive a reload @firefox @core', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('button', { name: 'What is a service worker?' }).click();
  const text = await chat.answered();
  expect(text).toMatch(/\w+/);
  await chat.answers.last().getByRole('button', { name: 'Details of this answer' }).click();
  const figures = chat.answers.last().getByRole('group', { name: 'Details of this answer' });
  await expect(figures).toHaveText(/Pocket\s+on this device\s+\d+ tokens?\s+[\d.,]+ tokens\/s\s+first word after/);

  const next = await chat.ask('How many days has a week?');
  expect(next).toMatch(/\w+/);
  await expect(chat.questions).toHaveText(['What is a service worker?', 'How many days has a week?']);
  await page.reload();
  await expect(chat.chatInList('What is a service worker?')).toHaveAttribute('aria-current', 'page');
  await expect.poll(() => chat.text()).toBe(next);
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.answers.first()).toContainText(text.split('\n')[0]!);
});

test('an answer that was stopped, or cut off by the token limit, can be continued without a gap @core', async ({
  page,
}) => {
  const slowDown = await slowAnswers(page);
  const chat = await ChatPage.open(page);
  await chat.settings(EXACT);
  const whole = await chat.ask(LONG_QUESTION);
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.settings(EXACT);
  await slowDown(500);
  await chat.send(LONG_QUESTION);
  await chat.growing();
  await chat.stop();
  await slowDown(0);
  const cut = await chat.text();
  expect(whole.startsWith(cut) && cut.length < whole.length).toBe(true);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect.poll(() => chat.text(), SLOWLY).toBe(whole);

  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.settings({ ...EXACT, 'Maximum length': '6' });
  const beginning = await chat.ask(LONG_QUESTION);
  expect(whole.startsWith(beginning) && beginning.length < whole.length).toBe(true);
  await expect(chat.notice('The answer reached its limit of 6 tokens.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect.poll(async () => (await chat.text()).length, SLOWLY).toBeGreaterThan(beginning.length);
  expect(whole.startsWith(await chat.answered())).toBe(true);
});

test('asking again and editing a question create branches, and each can be shown again @core', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await chat.settings({ ...EXACT, 'Maximum length': '8' });
  await chat.ask('What is the capital of France?');
  await chat.answers.last().getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.answers.last().getByText('Version 2 of 2')).toBeAttached(SLOWLY);
  await chat.answered();

  await chat.questions.last().getByRole('button', { name: 'Edit the question' }).click();
  await page.getByRole('textbox', { name: 'Edit your question' }).fill('What is the capital of Italy?');
  await page.locator('question-message').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.questions.last().getByText('Version 2 of 2')).toBeAttached(SLOWLY);
  await chat.answered();
  await expect(chat.questions).toHaveText(/Italy/);

  await chat.questions.last().getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.questions).toHaveText(/France/);
  await expect(chat.answers.last().getByText('Version 2 of 2')).toBeAttached(SLOWLY);
  await chat.answers.last().getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.answers.last().getByText('Version 1 of 2')).toBeAttached();
  await page.reload();
  await expect(chat.questions).toHaveText(/France/);
  await expect(chat.answers.last().getByText('Version 1 of 2')).toBeAttached();
});

test('a reload during an answer loses nothing, and the answer continues', async ({ page, browser }) => {
  const { chat, whole } = await wholeAndGrowing(page, browser);
  for (let reload = 0; reload < 2; reload++) {
    const before = await chat.text();
    await page.reload();
    await expect.poll(() => chat.text(), SLOWLY).toContain(before);
  }
  await expect.poll(() => chat.text(), SLOWLY).toBe(whole);
  await chat.answered();
  await expect(chat.notice('This answer was interrupted')).toHaveCount(0);
});

test('an answer whose tab is closed continues in another tab', async ({ page, browser, context }) => {
  const { chat, whole } = await wholeAndGrowing(page, browser);
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await other.growing();
  const before = await chat.text();
  await page.close();
  await expect.poll(() => other.text(), SLOWLY).toBe(whole);
  await other.answered();
  expect(whole.startsWith(before)).toBe(true);
  await expect(other.notice('This answer was interrupted')).toHaveCount(0);
});

test('an answer whose page was closed and whose engine is gone is shown as interrupted, and can be continued', async ({
  page,
  browser,
  context,
}) => {
  const { chat, whole } = await wholeAndGrowing(page, browser);
  const before = await chat.text();
  const address = page.url();
  const later = new ChatPage(await context.newPage());
  await page.close();
  await slowed!.kill();
  slowed = undefined;
  await later.page.goto(address);
  await expect(later.notice('This answer was interrupted')).toBeVisible();
  const kept = await later.text();
  expect(whole.startsWith(kept)).toBe(true);
  expect(kept.length).toBeGreaterThan(0);
  expect(before.startsWith(kept) || kept.startsWith(before)).toBe(true);
  await siteReady(later.page);
  await later.page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect.poll(() => later.text(), SLOWLY).toBe(whole);
});

test('an answer continues while another screen is shown', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await chat.settings(EXACT);
  await chat.send(LONG_QUESTION);
  await chat.growing();
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(chat.answers).toHaveCount(0);
  await chat.chatInList(LONG_QUESTION).click();
  await chat.answered();
  await expect(chat.notice('You stopped this answer.')).toHaveCount(0);
  await expect(chat.notice('This answer was interrupted')).toHaveCount(0);
});

test('with a JSON Schema in the settings every answer is JSON that matches it', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await chat.showAdvanced();
  const schema = chat.dialog.getByLabel('JSON Schema');
  await schema.fill('{"type": "object"');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This is not JSON')).toBeVisible();
  await schema.fill('{"type":"object","properties":{"fits":{"type":"boolean"}},"required":["fits"]}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(JSON.parse(await chat.ask('Is the sky blue?'))).toEqual({ fits: expect.any(Boolean) });
});

test('settings and the system prompt belong to their conversation', async ({ page }) => {
  const chat = await ChatPage.open(page);
  await chat.settings({ 'System prompt': 'You are brief.', 'Stop at': 'one\ntwo', Temperature: '0.5' });
  await chat.ask('What is 27 + 35?');
  await page.reload();
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const { dialog } = chat;
  await expect(dialog.getByLabel('System prompt')).toHaveValue('You are brief.');
  await expect(dialog.getByLabel('Stop at')).toHaveValue('one\ntwo');
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0.5');
  await dialog.getByRole('button', { name: 'Exact' }).click();
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0');
  await expect(dialog.getByRole('button', { name: 'Exact', pressed: true })).toBeVisible();
  await dialog.getByLabel('Temperature').fill('0.1');
  await expect(dialog.getByRole('button', { pressed: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  // Changes that were not saved are discarded.
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0.5');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await expect(chat.dialog.getByLabel('System prompt')).toHaveValue('');
});

test('a model that is not on the device is explained, with a link to another one @core', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('tabserve-last-model', 'no-such-model'));
  await page.goto('/');
  const chat = new ChatPage(page);
  // Unloads the models, because a loaded model would be asked in place of the missing one.
  await unloadModels(page);
  await chat.send('What is 27 + 35?');
  await expect(chat.notice('This model is not on this device.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('link', { name: 'Open Models' })).toHaveAttribute('href', '#/models');
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('pocket');
  await page.getByRole('button', { name: 'Try again' }).last().click();
  await expect(chat.answers.last().getByText('Version 2 of 2')).toBeAttached(SLOWLY);
  expect(await chat.answered()).toMatch(/\w/);
});
