import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect as patient, test, type Page } from '@playwright/test';
import { createServer } from 'vite';
import { securityHeaders } from '../../src/shared/security/security-headers.ts';
import { pdfFile, pdfText } from '../support/samples/pdf-file.ts';
import { serveForeignSite } from '../support/sites/foreign-site.ts';
import { run } from '../support/sites/packed-package.ts';
import { EXAMPLES_FOLDER } from './install-examples.ts';

/** Long enough for a simulated GPU on a machine that builds another example at the same time. */
const expect = patient.configure({ timeout: 90_000 });

const ENGINE_WORKER = /tabserve-engine-worker.*\.js$/;

interface Example {
  readonly name: string;
  /** The text that the page must show. */
  readonly shows: string;
  /** npm script that builds it. Default: `build`. */
  readonly script?: string;
  /** Folder of the built site within the example. */
  readonly site: string;
  /** Path of its page below the root. Default: the root. */
  readonly path?: string;
  /** The user's actions. Default: asks the question that the page suggests. */
  readonly ask?: (page: Page) => Promise<void>;
}

const EXAMPLES: readonly Example[] = [
  { name: 'next', shows: 'a static export by Turbopack', site: 'out' },
  { name: 'next', shows: 'a static export by webpack', script: 'build:webpack', site: 'out' },
  { name: 'plain-html', shows: 'a page without a bundler', site: '.' },
  { name: 'own-service-worker', shows: 'a service worker, a key and a name for the model of its own', site: '.' },
  { name: 'vite-react', shows: 'plugin and hook, under a base of its own', site: 'dist', path: 'assistant/' },
  { name: 'ai-tools', shows: 'a tool called through Vercel ai', site: 'dist' },
  { name: 'langchain', shows: 'a chain of LangChain, streamed', site: 'dist' },
  { name: 'sveltekit', shows: 'a prerendered page', site: 'build' },
  { name: 'ask-this-page', shows: 'answers from its own text, with links to it', site: '.', ask: askThePage },
  { name: 'ask-a-folder', shows: 'answers from documents, with their pages', site: 'dist', ask: askTheFolder },
  { name: 'offline-notes', shows: 'a summary without a network', site: 'dist', ask: summariseOffline },
];

/** Waits for an answer, or for an error that the page throws. */
async function expectAnswer(page: Page): Promise<void> {
  const thrown = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => Promise.reject(error));
  await Promise.race([expect(page.getByRole('status')).toHaveText(/\w+ \w+/), thrown]);
}

/**
 * Returns the folder of an installed example. An example with two builds is copied, because both may be built at once.
 */
function folderOf(name: string, script: string): string {
  const folder = join(process.env[EXAMPLES_FOLDER]!, name);
  if (script === 'build') return folder;
  // One level deeper, where npm does not find a second workspace with the same name.
  const copy = join(process.env[EXAMPLES_FOLDER]!, 'copies', `${name}-${script.replace(':', '-')}`);
  cpSync(folder, copy, { recursive: true, filter: (path) => !/[\\/](\.next|out)$/.test(path) });
  return copy;
}

/** Replaces the server's address in an example's scripts by that of a test's server. */
function putServer(folder: string, address: string, origin: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const script = readFileSync(join(folder, file), 'utf8');
    if (script.includes(address)) writeFileSync(join(folder, file), script.replaceAll(address, origin));
  }
}

for (const { name, shows, script = 'build', site, path = '', ask = askTheQuestion } of EXAMPLES) {
  test(`the example ${name} builds and answers: ${shows}`, async ({ page }) => {
    const folder = folderOf(name, script);
    run('npm', ['run', script], folder);
    const engines = readdirSync(join(folder, site), { recursive: true, encoding: 'utf8' });
    expect(engines.filter((file) => ENGINE_WORKER.test(file))).toHaveLength(1);
    const served = await serveForeignSite('localhost', join(folder, site));
    try {
      await page.goto(`${served.origin}/${path}`);
      await ask(page);
      await expectAnswer(page);
    } finally {
      served.close();
    }
  });
}

test('cdn answers: two stub scripts, everything else on another server', async ({ page }) => {
  const library = join(process.env[EXAMPLES_FOLDER]!, 'node_modules/tabserve/library');
  const server = await serveForeignSite('127.0.0.1', library, () => ({ 'access-control-allow-origin': '*' }));
  const folder = join(process.env[EXAMPLES_FOLDER]!, 'cdn');
  putServer(folder, 'https://cdn.example/tabserve', server.origin);
  const site = await serveForeignSite('localhost', folder);
  try {
    await page.goto(site.origin);
    await askTheQuestion(page);
    await expectAnswer(page);
  } finally {
    site.close();
    server.close();
  }
});

test('mirrored-catalogue answers: a model of the catalogue from a mirror on another server, and from nowhere else', async ({
  page,
}) => {
  const examples = process.env[EXAMPLES_FOLDER]!;
  // Uses the files of a tiny model in place of this catalogue model, whose context window is not larger.
  const id = 'TinyLlama-1.1B-Chat-v1.0-q4f32_1-MLC';
  const record = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id)!;
  const pocket = join(examples, 'node_modules/tabserve/library/models/pocket');
  const copy = (file: string, address: string) => {
    const target = join(examples, 'mirror', new URL(address).host, new URL(address).pathname);
    cpSync(file, target, { recursive: true });
  };
  copy(pocket, `${record.model}/resolve/main`);
  copy(join(pocket, 'pocket.wasm'), record.model_lib);
  const mirror = await serveForeignSite('127.0.0.1', join(examples, 'mirror'), () => ({
    'access-control-allow-origin': '*',
  }));
  const folder = join(examples, 'mirrored-catalogue');
  run('npm', ['run', 'build'], folder);
  putServer(folder, 'https://models.example', mirror.origin);
  const site = await serveForeignSite('localhost', folder, () => securityHeaders([mirror.origin]));
  const hosts = new Set<string>();
  page.context().on('request', (request) => hosts.add(new URL(request.url()).origin));
  try {
    await page.goto(site.origin);
    await askTheQuestion(page);
    await expectAnswer(page);
    expect([...hosts].filter((origin) => origin !== mirror.origin && origin !== site.origin)).toEqual([]);
    expect(existsSync(join(folder, 'models'))).toBe(false);
  } finally {
    site.close();
    mirror.close();
  }
});

test('offline-notes answers on the development server', async ({ page }) => {
  const server = await createServer({
    root: folderOf('offline-notes', 'build'),
    logLevel: 'error',
    server: { port: 0 },
  });
  try {
    await server.listen();
    await page.goto(server.resolvedUrls!.local[0]!);
    await summarise(page);
    await expectAnswer(page);
  } finally {
    await server.close();
  }
});

async function askTheQuestion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ask' }).click();
}

async function askThePage(page: Page): Promise<void> {
  await page.getByLabel('Ask this page').fill('How much honey does a colony eat in winter?');
  await page.getByRole('button', { name: 'Ask' }).click();
  const sources = page.getByRole('listitem').getByRole('link');
  await expect(sources).toHaveCount(2);
  await expect(page.getByRole('status')).not.toHaveText('Reading …');
  const [shown] = await sources.allInnerTexts();
  await sources.first().click();
  expect(await page.locator('main p:target').innerText()).toBe(shown);
}

async function askTheFolder(page: Page): Promise<void> {
  const documents = mkdtempSync(join(tmpdir(), 'tabserve-folder-'));
  const pages = ['Whales eat krill.', 'Sheep eat grass on the meadow.'];
  writeFileSync(join(documents, 'animals.pdf'), pdfFile(pages.map((text) => Buffer.from(pdfText(text)))));
  writeFileSync(join(documents, 'bread.md'), '# Bread\n\nBread is baked from flour.');
  try {
    await page.getByLabel('Folder').setInputFiles(documents);
    await expect(page.getByText('2 of 2 files can be asked.')).toBeVisible();
  } finally {
    rmSync(documents, { recursive: true });
  }
  await page.getByLabel('Question').fill('What do sheep eat on the meadow?');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByRole('listitem').first()).toHaveText('animals.pdf, page 2 Sheep eat grass on the meadow.');
  await expect(page.getByRole('status')).not.toHaveText('Searching …');
}

async function summarise(page: Page): Promise<void> {
  await page.getByLabel('Note').fill('A service worker is a script that answers requests of pages.');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Summarise' }).click();
}

async function summariseOffline(page: Page): Promise<void> {
  await summarise(page);
  await expectAnswer(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('');
  await page.getByRole('button', { name: 'Summarise' }).click();
}
