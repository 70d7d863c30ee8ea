import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { chromium, firefox, type Page } from 'playwright';
import { localModels } from '../../src/command-line/local-models.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { runCommand } from '../../src/command-line/run-command.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { ChatPage } from '../support/pages/chat-page.ts';
import { siteReady } from '../support/pages/site-page.ts';
import { serveDist, startTestSite } from '../support/sites/test-site.ts';
import { answerForFirefox } from '../support/browsers/firefox-driver.ts';
import { firefoxLaunchOptions } from '../support/browsers/firefox-launch-options.ts';
import { launchOptionsWithoutGpu } from '../support/browsers/without-gpu.ts';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const DESKTOP = { width: 1200, height: 760 };
/** High enough for the table of attempts, which a screenshot of a smaller page would cut off. */
const WHOLE_TABLE = { width: 1100, height: 1700 };
/** The documents of a collection: pages of `docs`. */
const DOCUMENTS = ['limits.md', 'security-and-privacy.md', 'models.md', 'clients.md'];
/** A question about them. */
const DOCUMENTS_QUESTION = 'Where are downloaded models stored?';
/** A question that a model of this size answers rightly. */
const REAL_QUESTION = 'What is photosynthesis? Answer in two sentences.';

/**
 * `npm run screenshots`: the pictures of README and docs into `docs/screenshots`, from the built site and with
 * answers of the built-in model; that of README is of a conversation with SmolLM2, which `npm run model -- smollm2` fetches.
 * `npm run screenshots -- leaks` takes only those of the attempts to leak, `-- documents` only those of documents,
 * `-- real-model` only that of SmolLM2.
 */
await runCommand(async () => {
  mkdirSync(FOLDER, { recursive: true });
  const only = process.argv[2];
  if (only === undefined || only === 'real-model') await photographRealModel();
  if (only === 'real-model') return;
  const site = await startTestSite();
  try {
    if (only !== 'documents') await photographLeaks(site.url);
    if (only === undefined) await photographScreens(site.url);
    if (only !== 'leaks') await photographDocuments(site.url);
  } finally {
    await site.close();
  }
});

/** Takes pictures of the empty chat and of three screens after an answer of the built-in model. */
async function photographScreens(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  try {
    const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: 'reduce' });
    await page.goto(url);
    await siteReady(page);
    await picture(page, 'empty');
    await new ChatPage(page).ask('What is a service worker?');
    for (const [screen, link] of [
      ['models', 'Models'],
      ['developers', 'For developers'],
      ['privacy', 'Privacy'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await picture(page, screen);
    }
  } finally {
    await browser.close();
  }
}

/** Takes pictures of a collection of documents, and of a passage that was found in it. */
async function photographDocuments(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS });
  try {
    const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: 'reduce' });
    await page.goto(`${url}#/documents`);
    await siteReady(page);
    await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('Tabserve');
    await page.keyboard.press('Enter');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add files to Tabserve' }).click();
    const files = DOCUMENTS.map((name) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)));
    await (await chosen).setFiles(files);
    await expect(page.getByText(`All ${DOCUMENTS.length} files can be asked about.`)).toBeVisible({ timeout: 300_000 });
    await picture(page, 'documents');

    await page.getByRole('link', { name: 'Ask about Tabserve' }).click();
    await new ChatPage(page).send(DOCUMENTS_QUESTION);
    await page.getByRole('button', { name: /^Source 1 / }).click();
    await expect(page.getByRole('region', { name: 'The passage' }).locator('mark')).toBeVisible();
    await picture(page, 'passage');
  } finally {
    await browser.close();
  }
}

/** Takes a picture of a conversation with a real model, on the CPU. */
async function photographRealModel(): Promise<void> {
  const model = localModels().find(({ id }) => id === 'smollm2');
  if (model === undefined)
    return console.log('No picture of a real model: `npm run model -- smollm2` fetches the model for it.');
  const site = await serveDist({ gguf: [{ ...model, id: 'SmolLM2-135M-Instruct-Q4_1' }] });
  const browser = await chromium.launch(launchOptionsWithoutGpu('chromium'));
  try {
    const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: 'reduce' });
    await page.goto(site.url);
    await siteReady(page);
    const chat = new ChatPage(page);
    await chat.settings({ Temperature: '0', 'Maximum length': '150' });
    await chat.ask(REAL_QUESTION);
    await picture(page, 'real-model');
  } finally {
    await browser.close();
    await site.close();
  }
}

/** Takes pictures of what Chromium and Firefox stopped of the attempts to leak. */
async function photographLeaks(url: string): Promise<void> {
  answerForFirefox();
  const browsers = [
    ['chromium', await chromium.launch({ executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS })],
    ['firefox', await firefox.launch({ channel: 'moz-firefox', ...firefoxLaunchOptions() })],
  ] as const;
  for (const [name, browser] of browsers) {
    const page = await browser.newPage({ viewport: WHOLE_TABLE, reducedMotion: 'reduce' });
    await page.goto(`${url}#/privacy`);
    await page.getByRole('button', { name: 'Try to leak' }).click();
    await expect(page.locator('leak-table')).toBeVisible({ timeout: 30_000 });
    await page.locator('leak-test').screenshot({ path: `${FOLDER}leak-${name}.png`, animations: 'disabled' });
    console.log(`docs/screenshots/leak-${name}.png`);
    await browser.close();
  }
}

async function picture(page: Page, name: string): Promise<void> {
  // Moves the pointer away from elements that react to it.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
  console.log(`docs/screenshots/${name}.png`);
}
