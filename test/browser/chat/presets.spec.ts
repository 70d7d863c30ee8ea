import { expect } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { chatWithTwoModels } from '../../support/pages/chat-with-two-models.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { test } from '../../support/pages/shared-context.ts';
import { siteReady } from '../../support/pages/site-page.ts';

test('a preset can be chosen, saved, made the default of new chats, and deleted', async ({ page }) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const settings = page.getByRole('button', { name: 'Settings of this chat' });
  const { dialog } = chat;
  const prompt = dialog.getByLabel('System prompt');
  const preset = dialog.getByRole('combobox', { name: 'Preset' });
  await settings.click();
  await expect(preset.getByRole('option')).toHaveCount(5);
  await preset.selectOption('Edits my text');
  await expect(prompt).toHaveValue(/careful editor/);
  await expect(dialog.getByLabel('Temperature')).toHaveValue('0.2');

  await prompt.fill('Answer in rhymes.');
  await dialog.getByRole('button', { name: 'Save as a preset' }).click();
  await page.keyboard.type('Rhymes');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('“Rhymes” was saved.')).toBeVisible();
  await dialog.getByLabel('Use for new chats').check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await chat.ask('Do you rhyme?');

  await page.reload();
  await siteReady(page);
  await settings.click();
  await expect(preset.locator('option:checked')).toHaveText('Rhymes');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await settings.click();
  await expect(prompt).toHaveValue('Answer in rhymes.');
  await dialog.getByRole('button', { name: 'Delete this preset' }).click();
  await expect(preset.getByRole('option')).toHaveCount(5);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await siteReady(page);
  await settings.click();
  await expect(prompt).toHaveValue('');
});

test('the settings dialog stores what was changed in it, and keeps what another tab has changed meanwhile', async ({
  page,
  context,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.ask('Is it raining?');
  const other = new ChatPage(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.questions).toHaveCount(1);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await other.settings({ 'System prompt': 'Be brief.' });
  await chat.dialog.getByLabel('Temperature').fill('0.5');
  await chat.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  for (const { page: tab, dialog } of [chat, other]) {
    await tab.getByRole('button', { name: 'Settings of this chat' }).click();
    await expect(dialog.getByLabel('System prompt')).toHaveValue('Be brief.');
    await expect(dialog.getByLabel('Temperature')).toHaveValue('0.5');
  }
});

test('choosing no preset puts back what was typed before one was chosen, and Save stores it', async ({ page }) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const { dialog } = await ChatPage.open(page);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const fields = { 'System prompt': 'My own words,\nin two lines.', Temperature: '0.3', 'Stop at': 'END\nSTOP' };
  await dialog.locator('summary').click();
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  const preset = dialog.getByRole('combobox', { name: 'Preset' });
  // Two in a row: what the first one has filled in was not typed.
  for (const name of ['Helps with code', 'Edits my text']) await preset.selectOption(name);
  await expect(dialog.getByLabel('System prompt')).toHaveValue(/careful editor/);
  await preset.selectOption('None');
  for (const [label, value] of Object.entries(fields)) await expect(dialog.getByLabel(label)).toHaveValue(value);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  for (const [label, value] of Object.entries(fields)) await expect(dialog.getByLabel(label)).toHaveValue(value);
});

test('Escape and the × of a dialog ask before what was typed in it is lost, and Cancel does not', async ({ page }) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const question = page.locator('confirmation-dialog');
  for (const [label, open] of [
    ['System prompt', () => page.getByRole('button', { name: 'Settings of this chat' }).click()],
    ['Instructions', () => chat.fromSettings('Instructions and model')],
  ] as const) {
    await open();
    const field = page.getByRole('textbox', { name: label });
    await field.fill('Many words.');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Keep' }).click();
    await expect(question).toHaveCount(0);
    await expect(field).toHaveValue('Many words.');
    await page.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await open();
    await expect(field).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await open();
    await field.fill('Few words.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('a dialog that the browser closes without asking, as at the second Back of a phone, can be opened again', async ({
  page,
}) => {
  const settings = page.getByRole('button', { name: 'Settings of this chat' });
  const field = page.getByRole('textbox', { name: 'System prompt' });
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  await ChatPage.open(page);
  await settings.click();
  await field.fill('Many words.');
  await page
    .locator('settings-dialog wa-dialog dialog')
    .evaluate((dialog) => dialog.dispatchEvent(new Event('cancel', { cancelable: false })));
  await expect(page.locator('settings-dialog')).toHaveCount(0);
  await settings.click();
  await expect(field).toBeVisible();
});

test("two tabs keep each other's presets, and a preset deleted in either is gone in both", async ({
  page,
  context,
}) => {
  const tabs = [await ChatPage.open(page), new ChatPage(await context.newPage())] as const;
  await tabs[1].page.goto('/');
  for (const [index, { page, dialog }] of tabs.entries()) {
    await page.getByRole('button', { name: 'Settings of this chat' }).click();
    await dialog.getByLabel('System prompt').fill(`Be number ${index}.`);
    await dialog.getByRole('button', { name: 'Save as a preset' }).click();
    await dialog.getByLabel('Name of the preset').fill(`Tab ${index}`);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(`“Tab ${index}” was saved.`)).toBeVisible();
  }
  const [here, there] = tabs.map(({ dialog }) => dialog.getByRole('combobox', { name: 'Preset' }));
  await expect(here!.getByRole('option')).toHaveCount(7);
  await expect(there!.getByRole('option')).toHaveCount(7);
  await there!.selectOption('Tab 0');
  await tabs[0].dialog.getByRole('button', { name: 'Delete this preset' }).click();
  await expect(there!.locator('option:checked')).toHaveText('None');
  await expect(tabs[1].dialog.getByLabel('Use for new chats')).toHaveCount(0);
  await expect(here!.getByRole('option')).toHaveCount(6);
});

test('the settings dialog opens once despite repeated clicks, closes with its chat, and affects no other chat', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  await chat.ask('The first?');
  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  await chat.ask('The second?');
  const settings = page.getByRole('button', { name: 'Settings of this chat' });
  for (let times = 0; times < 2; times += 1) await settings.dispatchEvent('click');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await chat.dialog.getByLabel('System prompt').fill('Only here.');
  await page.evaluate(() => history.back());
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(chat.questions).toHaveText('The first?');
  await settings.click();
  await expect(chat.dialog.getByLabel('System prompt')).toHaveValue('');
});

test('the settings of an unsent new chat survive a change of the screen, the temporary chat too, and affect no other chat', async ({
  page,
}) => {
  await scriptAnswers(page, { text: 'Yes.', pieceLength: 4, interval: 0 });
  const chat = await ChatPage.open(page);
  const prompt = chat.dialog.getByLabel('System prompt');
  const expectPrompt = async (text: string) => {
    await page.getByRole('button', { name: 'Settings of this chat' }).click();
    await expect(prompt).toHaveValue(text);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  for (const link of ['New chat', 'Temporary chat']) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expectPrompt('');
    await chat.settings({ 'System prompt': `Of a ${link}.` });
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'More models' })).toBeVisible();
    await page.getByRole('link', { name: link, exact: true }).click();
    await expectPrompt(`Of a ${link}.`);
  }
  await page.getByRole('link', { name: 'New chat', exact: true }).click();
  await expectPrompt('Of a New chat.');
  await chat.ask('Why?');
  await page.getByRole('link', { name: 'New chat', exact: true }).click();
  await expect(chat.questions).toHaveCount(0);
  await expectPrompt('');
});

test('instructions and a model for all chats apply to new and old chats, and each chat can change its model', async ({
  page,
}) => {
  const chat = await chatWithTwoModels(page);
  const asked: { model: string; messages: { role: string; content: string }[] }[] = [];
  await page.exposeFunction('tell', (body: string) => asked.push(JSON.parse(body) as (typeof asked)[number]));
  await page.evaluate(() => {
    const scripted = window.fetch;
    window.fetch = async (input, init) => {
      if (String(input).endsWith('v1/chat/completions'))
        await (Reflect.get(globalThis, 'tell') as (body: string) => Promise<void>)(
          await new Response(init?.body).text(),
        );
      return scripted(input, init);
    };
  });
  await chat.fromSettings('Instructions and model');
  await chat.dialog.getByLabel('Instructions').fill('Answer like a pirate.');
  await chat.dialog.getByLabel('Model of new chats').selectOption('other');
  await chat.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  // The open chat keeps its model.
  await chat.send('And then?');
  await expect.poll(() => asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    model: 'pocket',
    messages: [{ role: 'system', content: 'Answer like a pirate.' }, {}, {}, {}],
  });

  await page.getByRole('link', { name: 'New chat' }).click();
  await expect(chat.questions).toHaveCount(0);
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  await expect(model).toHaveValue('other');
  await chat.settings({ 'System prompt': 'Be brief.' });
  await chat.send('Why?');
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ model: 'other', messages: [{ content: 'Answer like a pirate.\n\nBe brief.' }, {}] });
  await model.selectOption('pocket');
  await chat.send('Why not?');
  await expect.poll(() => asked.at(-1)?.model).toBe('pocket');
});
