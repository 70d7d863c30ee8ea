import { expect } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptCalls } from '../../support/samples/scripted-calls.ts';
import { test } from '../../support/pages/shared-context.ts';

test('a tool is off by default; a call is shown, allowed once or always, and its result is used @core', async ({
  page,
}) => {
  const asked = await scriptCalls(page, { name: 'calculate', argument: 'expression' });
  const chat = await ChatPage.open(page);
  await chat.ask('27 * 35');
  expect((await asked()).at(-1)).toMatchObject({ tools: [] });
  expect(await chat.text()).toBe('I do not know.');

  await chat.useTool('Calculator');
  await chat.send('27 * 35');
  const { calls } = chat;
  await expect(calls.getByRole('alert')).toHaveText('The model wants to use: Calculator');
  await expect(calls).toContainText('27 * 35');
  expect((await asked()).at(-1)).toMatchObject({ tools: ['calculate'], last: '27 * 35' });
  // The tool runs only after the user allows it, which is possible by keyboard.
  await calls.getByRole('button', { name: 'Allow once' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await chat.answered();
  expect(await chat.text()).toBe('It is 945.');
  expect((await asked()).at(-1)).toMatchObject({ last: '945' });
  await expect(calls.first()).toContainText('Calculator · done');

  await chat.send('6 * 7');
  await calls.last().getByRole('button', { name: 'Don’t allow' }).click();
  await chat.answered();
  expect((await asked()).at(-1)).toMatchObject({ last: 'Error: The user did not allow this.' });

  await chat.send('6 * 8');
  await calls.last().getByRole('button', { name: 'Always in this chat' }).click();
  await chat.answered();
  await chat.ask('6 * 9');
  expect(await chat.text()).toBe('It is 54.');
  await page.reload();
  await expect(calls).toHaveCount(4);
  await calls.last().getByText('Calculator').click();
  await expect(calls.last()).toContainText('54');

  // The permission applies to that chat only.
  await page.getByRole('link', { name: 'New chat' }).click();
  await chat.ask('27 * 35');
  expect((await asked()).at(-1)).toMatchObject({ tools: [] });
});

test('the consent question says what a tool reads, and which engine gets its result', async ({ page }) => {
  await scriptCalls(page, { name: 'calculate', argument: 'expression' });
  const chat = await ChatPage.open(page);
  await chat.useTool('Calculator');
  await chat.send('27 * 35');
  await expect(chat.calls).toContainText('The calculator sees only these words.');
  await expect(chat.calls).toContainText('The result goes to the model on this device.');
  await chat.stop();

  await scriptCalls(page, { name: 'search_chats', argument: 'words', engine: 'upstream:desk' });
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.reload();
  await chat.useTool('Search in my chats');
  await chat.send('harbour');
  await expect(chat.calls).toContainText('This searches all your other chats.');
  await expect(chat.calls).toContainText('The result leaves this device: it goes to desk, which answers this chat.');
});

test('what the page asks about is what runs: hidden characters are written out, and other values than strings are refused', async ({
  page,
}) => {
  const value = '6 \u202E* 7\u200B';
  await scriptCalls(page, { name: 'calculate', argument: 'expression', value });
  const chat = await ChatPage.open(page);
  await chat.useTool('Calculator');
  await chat.send('What is 6 * 7?');
  await expect(chat.calls).toContainText('6 ⟨U+202E⟩* 7⟨U+200B⟩');
  // Letters of scripts that run from right to left do not reorder what stands beside them.
  await expect(chat.calls.locator('pre').first()).toHaveCSS('unicode-bidi', 'bidi-override');
  await expect(chat.calls).toContainText('It contains invisible characters.');
  await chat.calls.getByRole('button', { name: 'Allow once' }).click();
  await chat.answered();
  await expect(chat.calls).toContainText('Calculator · failed');

  const asked = await scriptCalls(page, { name: 'search_chats', argument: 'words', value: { x: 'secret' } });
  await page.getByRole('link', { name: 'New chat' }).click();
  await page.reload();
  await chat.useTool('Search in my chats');
  await chat.send('Find it.');
  await chat.answered();
  await expect(chat.calls).toContainText('Search in my chats · failed');
  expect((await asked()).at(-1)?.last).toBe('Error: The argument "words" is no string.');
});

test('a tool call that waits for consent survives a reload in one of two tabs; stopped, repeated and edited answers keep their own calls', async ({
  page,
  context,
}) => {
  const chat = await ChatPage.open(page);
  await chat.useTool('Calculator');
  await chat.send('What is 417 * 23?');
  const allow = chat.calls.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeVisible();
  await page.reload();
  await expect(allow).toBeVisible();
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.calls).toContainText('Calculator · waiting for you in another tab');
  await page.bringToFront();
  await allow.click();
  expect(await chat.answered()).toContain('9591');
  await expect(chat.calls).toContainText('Calculator · done');
  await expect(other.calls).toContainText('Calculator · done');
  await other.page.close();

  await chat.answers.first().hover();
  await chat.answers.first().getByRole('button', { name: 'Ask again' }).click();
  await expect(allow).toBeVisible();
  await chat.stop();
  await expect(chat.calls).toContainText('Calculator · not run');
  await expect(allow).toHaveCount(0);

  await chat.questions.first().hover();
  await chat.questions.first().getByRole('button', { name: 'Edit the question' }).click();
  await page.getByRole('textbox', { name: 'Edit your question' }).fill('What is 12 * 12?');
  await page.keyboard.press('Enter');
  await allow.click();
  expect(await chat.answered()).toContain('144');

  await chat.questions.first().getByRole('button', { name: 'Previous version' }).click();
  await expect(chat.calls).toContainText('Calculator · not run');
  await chat.answers.first().getByRole('button', { name: 'Previous version' }).click();
  expect(await chat.text()).toContain('9591');
  await expect(chat.calls).toContainText('Calculator · done');
});

test('a chip at the composer shows which tools are on, and opens their settings', async ({ page }) => {
  const chat = await ChatPage.open(page);
  const chip = page.getByRole('button', { name: /tools? of this chat/ });
  await expect(chip).toHaveCount(0);
  await chat.useTool('Calculator');
  await expect(chip).toHaveText(/Calculator/);
  await chip.click();
  await expect(chat.dialog.getByRole('checkbox', { name: 'Calculator' })).toBeFocused();
  await expect(chat.dialog.getByRole('checkbox', { name: 'JavaScript' })).toBeInViewport();
  await chat.dialog.getByRole('checkbox', { name: 'JavaScript' }).check();
  await chat.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(chip).toHaveAccessibleName('2 tools of this chat: Calculator, JavaScript');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(chip).toBeInViewport({ ratio: 1 });
});
