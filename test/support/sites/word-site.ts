import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';
import { build } from 'vite';
import { VERSION_CONSTANT } from '../../../scripts/build/build-library-files.ts';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { buildTestSite } from './test-site.ts';

const WORD_ENGINE = fileURLToPath(new URL('../fakes/word-engine.ts', import.meta.url));

/**
 * For tests of what tabs, service worker and engine worker do, whatever the engine computes. `baseURL` is a site whose
 * engine worker has the word engine in place of WebLLM; its queue, its ports, its locks and everything outside it are
 * real. Loading a model then costs nothing, where the built-in one costs five seconds of processor time.
 */
export const test = base.extend<{ baseURL: string }, { wordSite: string }>({
  wordSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
    async ({}, use) => {
      const folder = await buildTestSite();
      await replaceEngine(join(folder, 'assets'));
      const site = await serveBuiltSite({ folder });
      await use(site.url);
      await site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ wordSite }, use) => use(wordSite),
});

/** Writes the engine worker's script anew. */
async function replaceEngine(assets: string): Promise<void> {
  const [script, ...others] = readdirSync(assets).filter((name) => /^engine-worker-.*\.js$/.test(name));
  if (script === undefined || others.length > 0) throw new Error(`${assets} has not one engine worker.`);
  const reader = readdirSync(assets).find((name) => name.startsWith('document-reader-')) ?? '';
  await build({
    configFile: false,
    logLevel: 'error',
    root: PROJECT_FOLDER,
    publicDir: false,
    define: {
      ...VERSION_CONSTANT,
      LLAMA_CPP_FOLDER: '"no-llama-cpp/"',
      DOCUMENT_READER_FOLDER: JSON.stringify(`assets/${reader}/`),
    },
    plugins: [
      {
        name: 'word-engine',
        enforce: 'pre',
        resolveId: (id) => (basename(id) === 'create-webllm-engine.ts' ? WORD_ENGINE : null),
      },
    ],
    build: {
      outDir: assets,
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      lib: {
        entry: join(PROJECT_FOLDER, 'src/engine-worker/engine-worker.ts'),
        formats: ['es'],
        fileName: () => script,
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
