import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { packageVersion, PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { addDocumentReader } from './add-document-reader.ts';
import { addLlamaCpp, LIBRARY_LLAMA_CPP_FOLDER } from './add-llama-cpp.ts';
import { noticesOf } from './library-notices.ts';

/** Script of the engine worker. The page's script refers to it by a relative address. */
const ENGINE_WORKER = 'tabserve-engine-worker.js';

/**
 * For Vite's `define`: the package's version. A page compares it with the service worker's, and joins only engines of
 * the same version.
 */
export const VERSION_CONSTANT = { TABSERVE_VERSION: JSON.stringify(packageVersion()) };

/** Entry and script of each framework integration. The site itself installs the framework. */
const INTEGRATIONS = [
  ['src/react/use-tabserve.ts', 'react.js'],
  ['src/ai/index.ts', 'ai.js'],
  ['src/prompt-api/index.ts', 'prompt-api.js'],
  ['src/vite-plugin/tabserve.ts', 'vite.js'],
] as const;

/** Entry and page of each part of a hub. */
const HUB_PAGES = [
  ['frame', 'tabserve-hub'],
  ['hub-page', 'tabserve-hub-page'],
] as const;

/**
 * Builds what other sites use: modules for the page and for installing the service worker, scripts of both workers, and
 * the built-in models. Every script but the integrations contains its dependencies, so a site can serve a copy. Bundled
 * packages are recorded for `writeNotices`.
 * @param outDir Folder for the files; its contents are deleted.
 */
export async function buildLibraryFiles(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  await bundleEngineWorker(outDir);
  await bundleSiteScripts(outDir);
  await bundleHub(outDir);
  await bundle(outDir, 'src/service-worker/index.ts', 'service-worker.js');
  await bundleUpstreams(outDir, { published: true });
  for (const [entry, name] of INTEGRATIONS) await bundle(outDir, entry, name, { plugins: [importPage()] });
  cpSync(join(PROJECT_FOLDER, 'public/models'), join(outDir, 'models'), { recursive: true });
}

/** @param plugins Further plugins. Default: none. */
export async function bundleEngineWorker(outDir: string, plugins: Plugin[] = []): Promise<void> {
  await bundle(outDir, 'src/engine-worker/engine-worker.ts', ENGINE_WORKER, {
    plugins: [...plugins, addLlamaCpp(LIBRARY_LLAMA_CPP_FOLDER), addDocumentReader({ published: true })],
  });
}

/** Builds the scripts that a site without a bundler loads, besides the engine worker. */
export async function bundleSiteScripts(outDir: string): Promise<void> {
  await bundle(outDir, 'src/page/index.ts', 'tabserve.js', { plugins: [nameEngineWorker()] });
  await bundle(outDir, 'src/service-worker/service-worker.ts', 'tabserve-service-worker.js', { format: 'iife' });
}

/** Builds the frame of a hub and the page on which a person manages it. */
export async function bundleHub(outDir: string): Promise<void> {
  for (const [entry, name] of HUB_PAGES) {
    await bundle(outDir, `src/page/hub/${entry}.ts`, `${name}.js`, { plugins: [nameEngineWorker()] });
    cpSync(join(PROJECT_FOLDER, `src/page/hub/${name}.html`), join(outDir, `${name}.html`));
  }
}

/**
 * Builds `tabserve-upstreams.js`. The ready-made service worker imports it if the site forwards requests to other
 * servers.
 */
export async function bundleUpstreams(outDir: string, { published = false } = {}): Promise<void> {
  const entry = 'src/service-worker/upstreams/upstreams-script.ts';
  await bundle(outDir, entry, 'tabserve-upstreams.js', { format: 'iife', published });
}

interface BundleOptions {
  readonly plugins?: Plugin[];
  /** A module (`es`) or a classic script (`iife`). Default: `es`. */
  readonly format?: 'es' | 'iife';
  /** Whether the script is published, with a source map and third-party notices. Default: true. */
  readonly published?: boolean;
}

async function bundle(outDir: string, entry: string, name: string, options: BundleOptions = {}) {
  const { plugins = [], format = 'es', published = true } = options;
  const config: InlineConfig = {
    configFile: false,
    root: PROJECT_FOLDER,
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"', ...VERSION_CONSTANT },
    plugins,
    build: {
      outDir,
      emptyOutDir: false,
      sourcemap: published,
      license: published && noticesOf(name),
      target: 'es2023',
      chunkSizeWarningLimit: 8000,
      lib: { entry: join(PROJECT_FOLDER, entry), formats: [format], fileName: () => name, name: 'tabserve' },
      rolldownOptions: {
        external: [/^node:/, 'react', 'ai', '@ai-sdk/openai-compatible'],
        output: { codeSplitting: false },
      },
    },
  };
  await build(config);
}

/**
 * Keeps Vite from bundling the engine worker into the page's module, and defines its address in one place. `new
 * Worker(…)` gets the address as a string, so that bundlers of other sites only copy the file; for each `new Worker(new
 * URL(…))` they would bundle it again.
 */
function nameEngineWorker(): Plugin {
  const inSource = /new URL\('(?:\.\.\/)+engine-worker\/engine-worker\.ts', import\.meta\.url\)/g;
  const address = 'tabserveEngineWorkerAddress';
  let isNamed = false;
  return {
    name: 'tabserve:engine-worker-address',
    enforce: 'pre',
    transform(code) {
      const named = code.replace(inSource, `${address}()`);
      if (named === code) return null;
      isNamed = true;
      return { code: named, map: null };
    },
    buildEnd() {
      if (!isNamed) throw new Error(`No file of src/page has a text like ${inSource.source}.`);
    },
    banner: `const ${address} = () => new URL('./${ENGINE_WORKER}', import.meta.url).href;`,
  };
}

/** Makes integrations import the page's module instead of containing it, because a page must load it only once. */
function importPage(): Plugin {
  return {
    name: 'tabserve:page-module',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/page/index.ts') ? { id: './tabserve.js', external: true } : null),
  };
}
