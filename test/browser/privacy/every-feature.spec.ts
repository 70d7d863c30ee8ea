import { chromium, expect, test, type BrowserContext, type Page } from '@playwright/test';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { NetLog } from '../../support/browsers/net-log.ts';
import { isDocumented } from '../../support/documented-storage.ts';
import { pdfFile, pdfText } from '../../support/samples/pdf-file.ts';
import { scriptCalls } from '../../support/samples/scripted-calls.ts';
import { siteReady } from '../../support/pages/site-page.ts';

/** Texts of a model or an imported file that could make a page send a request to another server. */
const TEMPTING = [
  String.raw`Euler: \(e^{i\pi} + 1 = 0\)`,
  '```js\nconst answer = 42;\n```',
  '![A picture](https://elsewhere.test/picture.png) and <img src="https://elsewhere.test/other.png">',
  '<link rel="stylesheet" href="https://elsewhere.test/style.css"><iframe src="https://elsewhere.test/"></iframe>',
  '[a link](https://elsewhere.test/link)',
].join('\n\n');

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const FEATURES = [
  talk,
  attach,
  importAndSearch,
  compareModels,
  runProgram,
  useOtherScreens,
  chatTemporarily,
  changeLooks,
];

test('a session that uses every feature of the page sends no request to another origin, attempts none, and stores only what is documented', async ({
  baseURL,
  launchOptions,
}) => {
  // Two models are loaded and used, which takes a minute on an idle machine.
  test.setTimeout(240_000);
  const netLog = new NetLog();
  try {
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), netLog.flag] });
    const context = await browser.newContext({ baseURL: baseURL!, acceptDownloads: true });
    const refused = await watchRefusals(context);
    const page = await context.newPage();
    await page.goto('/');
    await siteReady(page);
    for (const use of FEATURES) await test.step(use.name, () => use(page));
    expect(refused).toEqual([]);
    expect(await undocumentedPlaces(page)).toEqual([]);
    await browser.close();

    const addresses = netLog.requests().map(({ address }) => address);
    expect(addresses.map(({ pathname }) => pathname)).toEqual(
      expect.arrayContaining([
        '/models/pocket/pocket.wasm',
        '/models/pocket-embed/pocket-embed.wasm',
        '/tabserve-document-reader/read-pdf.js',
        expect.stringMatching(/^\/assets\/german/),
        expect.stringMatching(/^\/assets\/javascript-worker/),
      ]),
    );
    expect(addresses.filter(({ origin }) => origin !== new URL(baseURL!).origin)).toEqual([]);
  } finally {
    netLog.delete();
  }
});

/** Returns everything that the site has stored and that the documentation does not list. */
async function undocumentedPlaces(page: Page): Promise<readonly string[]> {
  const stored = await page.evaluate(async () => ({
    'Cache Storage': await caches.keys(),
    IndexedDB: (await indexedDB.databases()).map(({ name }) => name ?? ''),
    localStorage: Object.keys(localStorage),
    sessionStorage: Object.keys(sessionStorage),
  }));
  for (const kind of ['Cache Storage', 'IndexedDB', 'localStorage'] as const) expect(stored[kind]).not.toEqual([]);
  return Object.entries(stored).flatMap(([kind, names]) =>
    names.filter((name) => !isDocumented(kind as keyof typeof stored, name)).map((name) => `${kind}: ${name}`),
  );
}

/** Collects the addresses that the Content-Security-Policy blocked: even a blocked request is a fault. */
async function watchRefusals(context: BrowserContext): Promise<readonly string[]> {
  const refused: string[] = [];
  await context.exposeBinding('tellRefusal', (_source, address: string) => void refused.push(address));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      (globalThis as unknown as { tellRefusal(address: string): void }).tellRefusal(blockedURI),
    );
  });
  return refused;
}

/** Uses a preset, asks, regenerates an answer, edits the question, and continues in a new chat. */
async function talk(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await chat.dialog.getByRole('combobox', { name: 'Preset' }).selectOption('Explains simply');
  await chat.dialog.getByLabel('Maximum length').fill('12');
  await chat.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await chat.ask('What is 2 + 3?');
  await chat.answers.last().getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.answers.last().getByText('Version 2 of 2')).toBeAttached();
  await chat.answered();
  await chat.answers.last().getByRole('button', { name: 'Previous version' }).click();
  await chat.questions.last().getByRole('button', { name: 'Edit the question' }).click();
  await page.getByRole('textbox', { name: 'Edit your question' }).fill('What is 3 + 4?');
  await page.locator('question-message').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.questions.last()).toContainText('3 + 4');
  await chat.answered();
  // Only local voices are offered; there may be none.
  for (const button of await page.getByRole('button', { name: 'Read aloud' }).all()) await button.click();
  await page
    .getByRole('button', { name: /Make room/ })
    .last()
    .click();
  await chat.dialog.getByRole('button', { name: 'The last messages' }).click();
  await expect(page.getByRole('heading', { name: /\(continued\)/ })).toBeAttached();
}

/** Attaches files of every kind to a question. */
async function attach(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  await page.getByRole('link', { name: 'New chat' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const pdf = pdfFile([pdfText('The harbour is in Oslo.')]);
  await (
    await choosing
  ).setFiles([
    { name: 'harbour.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from(TEMPTING) },
    { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
  ]);
  const chips = page.locator('attachment-tray').getByRole('listitem');
  await expect(chips.filter({ hasText: /harbour.*tokens/s })).toBeVisible();
  await expect(chips.filter({ hasText: /notes.*tokens/s })).toBeVisible();
  await expect(chips.filter({ hasText: /pixel.*cannot see images/s })).toBeVisible();
  await page.getByRole('button', { name: 'Remove pixel.png' }).click();
  await chat.ask('Where is the harbour?');
  await chat.questions.last().getByText('harbour.pdf').click();
}

/** Imports chats, finds them by words and by meaning and in the palette, exports, deletes and restores them. */
async function importAndSearch(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  const imported = {
    conversation: sampleConversation({ id: 'tempting', title: 'Tempting', leaf: 'a' }),
    messages: [
      sampleQuestion({ id: 'q', conversation: 'tempting', text: 'How do I bake bread?' }),
      sampleAnswer({ id: 'a', conversation: 'tempting', parent: 'q', text: TEMPTING }),
    ],
  };
  await page.locator('conversation-list input[type=file]').setInputFiles({
    name: 'chats.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile([imported])),
  });
  await expect(page.getByText('One chat imported')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Actions and chats' }).fill('tempting');
  await page.keyboard.press('Enter');
  await expect(chat.answers.last().locator('math')).toBeVisible();
  await expect(chat.answers.last().locator('.hljs-number')).toHaveText('42');
  const search = page.getByRole('searchbox', { name: 'Search chats' });
  await search.fill('cooking');
  await expect(page.getByRole('heading', { name: 'Related' })).toBeVisible({ timeout: 60_000 });
  await search.fill('');
  for (const act of [
    () => chat.fromMenu('Tempting', 'Export as JSON'),
    () => chat.fromMenu('Tempting', 'Export as Markdown'),
    () => chat.fromSettings('Export all chats'),
  ])
    await Promise.all([page.waitForEvent('download'), act()]);
  await chat.fromMenu('Tempting', 'Delete');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.chatInList('Tempting')).toBeVisible();
}

/** Downloads a model that the site itself serves, and compares its answer with the built-in model's. */
async function compareModels(page: Page): Promise<void> {
  const manager = await ModelsPage.open(page);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Everything');
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('qwen');
  await manager.add('second', `${new URL(page.url()).origin}/models/pocket/`);
  await expect(manager.button('Load second')).toBeVisible();
  await page.getByRole('link', { name: 'New chat' }).click();
  const chat = new ChatPage(page);
  await chat.ask('What is 2 + 2?');
  await chat.answers.first().getByRole('combobox', { name: 'Ask another model too' }).selectOption('second');
  await expect(chat.answers).toHaveCount(2);
  await chat.answered();
}

/** Runs a program that a scripted model calls, in its own tab. */
async function runProgram(page: Page): Promise<void> {
  const tab = await page.context().newPage();
  await scriptCalls(tab, { name: 'run_javascript', argument: 'program' });
  const chat = await ChatPage.open(tab);
  await chat.useTool('JavaScript');
  await chat.send(
    'let told = []; for (const code of ["fetch(a)", "new WebSocket(a)", "import(a)"]) try { ' +
      'told.push(typeof new Function("a", `return ${code}`)("https://elsewhere.test/")) } catch ({ name }) { told.push(name) } told',
  );
  await chat.calls.getByRole('button', { name: 'Allow once' }).click();
  await chat.answered();
  expect(await chat.text()).toBe('It is ["ReferenceError","ReferenceError","object"].');
  await tab.close();
}

/** Uses keys, an example and the request log, then the Privacy screen. */
async function useOtherScreens(page: Page): Promise<void> {
  const { dialog } = new ChatPage(page);
  await page.getByRole('link', { name: 'For developers' }).click();
  await page.getByLabel('Name', { exact: true }).fill('notebook');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Raw response' })).toContainText('data: [DONE]');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Revoke the key notebook' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByText('The browser has recorded no request to another address.')).toBeVisible();
}

async function chatTemporarily(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  await page.getByRole('link', { name: 'Temporary chat' }).click();
  await chat.ask('What is 2 + 5?');
  await chat.endTemporary();
}

/** Changes the colours, shows the shortcuts, and changes the language, which reloads the page. */
async function changeLooks(page: Page): Promise<void> {
  const chat = new ChatPage(page);
  await chat.fromSettings('Appearance: Dark');
  await page.keyboard.press('Control+/');
  await expect(chat.dialog).toContainText('Find any action or chat');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await chat.fromSettings('Language: Deutsch');
  await expect(page.getByRole('link', { name: 'Neuer Chat' })).toBeVisible();
  await siteReady(page);
}
