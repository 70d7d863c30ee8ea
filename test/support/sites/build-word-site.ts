import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { VERSION_CONSTANT } from '../../../scripts/build/build-library-files.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { buildTestSite, type TestSiteOptions } from './test-site.ts';

const WORD_ENGINE = fileURLToPath(new URL('../fakes/word-engine.ts', import.meta.url));

/** Builds a test site whose engine worker has the word engine in place of WebLLM. @returns its folder. */
export async function buildWordSite(options: TestSiteOptions = {}): Promise<string> {
  const folder = await buildTestSite(options);
  await replaceEngine(join(folder, 'assets'));
  return folder;
}

/** Puts the word engine in place of WebLLM into a build of the engine worker. */
export function wordEngine(): Plugin {
  return {
    name: 'word-engine',
    enforce: 'pre',
    resolveId: (id) => (basename(id) === 'create-webllm-engine.ts' ? WORD_ENGINE : null),
  };
}

/** Writes the engine worker's script anew. */
async function replaceEngine(assets: string): Promise<void> {
  const [script, ...others] = readdirSync(assets).filter((name) => /^engine-worker-.*\.js$/.test(name));
  if (script === undefined || others.length > 0) throw new Error(`${assets} has not one engine worker.`);
  await build({
    configFile: false,
    logLevel: 'error',
    root: PROJECT_FOLDER,
    publicDir: false,
    define: {
      ...VERSION_CONSTANT,
      LLAMA_CPP_FOLDER: '"no-llama-cpp/"',
    },
    plugins: [wordEngine()],
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
