import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { build } from 'vite';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { pdfFile, pdfText } from '../../support/samples/pdf-file.ts';
import type * as documents from '../in-page/documents.ts';

const PAGE = '<!doctype html><html lang="en"><title>Site</title><script type="module" src="page.js"></script>';
const SCRIPT = "import { register } from './tabserve.js';\nglobalThis.tabserve = register();";

let folder: string;
let site: Site;

/** A site that has only the files of the package, and a page that registers it. */
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-documents-'));
  await buildLibraryFiles(folder);
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'page.js'), SCRIPT);
  await build({
    configFile: false,
    logLevel: 'error',
    root: PROJECT_FOLDER,
    publicDir: false,
    build: {
      outDir: join(folder, 'test-clients'),
      minify: false,
      lib: { entry: join(PROJECT_FOLDER, 'test/browser/in-page/documents.ts'), formats: ['es'], fileName: 'documents' },
    },
  });
  site = await serveBuiltSite({ folder });
});

test.afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const pdf = (...pages: readonly string[]) =>
  pdfFile(pages.map((text) => Buffer.from(pdfText(text)))).toString('base64');

const fileOf = (name: string) =>
  readFileSync(join(PROJECT_FOLDER, 'test/document-reader/files', name)).toString('base64');

async function open(page: Page): Promise<void> {
  await page.goto(site.url);
  await page.evaluate('tabserve.ready');
}

test('a site of the package reads documents by the official client, and knows their pages @firefox', async ({
  page,
}) => {
  await open(page);
  const client = inPage<typeof documents>(page, 'documents');
  const store = await client.beginStoreOfFiles({
    'animals.pdf': pdf('Whales eat krill.', '', 'Sheep eat grass on the meadow.'),
    'harbour.docx': fileOf('report-libreoffice.docx'),
    'letter.eml': fileOf('html-python.eml'),
    'broken.docx': fileOf('report-libreoffice.docx').slice(0, 2000),
  });
  await client.awaitStore(store);
  expect(await client.outcomes(store)).toEqual({
    'animals.pdf': 'completed',
    'harbour.docx': 'completed',
    'letter.eml': 'completed',
    'broken.docx': expect.stringMatching(/^invalid_file: The file is damaged/),
  });
  const [best] = await client.search('openai 7', store, 'grass on the meadow');
  expect(best).toMatchObject({
    filename: 'animals.pdf',
    text: 'Sheep eat grass on the meadow.',
    attributes: { page: 3 },
  });
  const [other] = await client.search('openai 6', store, 'harbour report');
  expect(other).toMatchObject({ filename: 'harbour.docx', attributes: {} });
});

test('a document that is being read when the only page is reloaded is read after that @firefox', async ({ page }) => {
  await open(page);
  const lines = Array.from({ length: 400 }, (_, index) => `Page ${index} is about the animal number ${index}.`);
  const store = await inPage<typeof documents>(page, 'documents').beginStoreOfFiles({ 'long.pdf': pdf(...lines) });
  await page.reload();
  await page.evaluate('tabserve.ready');
  const client = inPage<typeof documents>(page, 'documents');
  expect(await client.awaitStore(store)).toEqual({ completed: 1 });
  const [best] = await client.search('openai 7', store, 'animal number 390');
  expect(best).toMatchObject({ attributes: { page: 391 } });
});
