import { build, defineConfig, type InlineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { bundleUpstreams, VERSION_CONSTANT } from './scripts/build/build-library-files.ts';
import { addDocumentReader } from './scripts/build/add-document-reader.ts';
import { addLlamaCpp } from './scripts/build/add-llama-cpp.ts';
import { compressScript } from './scripts/build/compress-script.ts';
import { addPagePolicy } from './scripts/build/add-page-policy.ts';
import { serveBenchPage } from './scripts/build/serve-bench-page.ts';
import { notePackages, writeSiteNotices } from './scripts/build/site-notices.ts';
import { securityHeaders } from './src/shared/security/security-headers.ts';

/** Short hashes: the service worker lists every file name, and random letters do not compress. Six letters suffice for 64 chunks. */
const HASHED_NAMES = {
  entryFileNames: 'assets/[name]-[hash:6].js',
  chunkFileNames: 'assets/[name]-[hash:6].js',
  assetFileNames: 'assets/[name]-[hash:6][extname]',
};

/** The chunk that the chat page loads before it shows anything. */
const FIRST_SCRIPT = 'page';

/** Settings of both pages. Their workers are equal, so that both builds write the same files for them. */
const PAGES = {
  root: 'src/chat',
  // Addresses are relative to the page, so that the site can be served from any folder of its origin.
  base: './',
  define: { ...VERSION_CONSTANT, TABSERVE_WITHOUT_HUB: 'true' },
  // Vite would take the package's file for browsers of 2015, which is almost twice as large.
  resolve: { alias: { 'workbox-window': 'workbox-window/build/workbox-window.prod.mjs' } },
  worker: {
    format: 'es',
    plugins: () => [notePackages()],
    rolldownOptions: { output: HASHED_NAMES },
  },
} as const satisfies InlineConfig;

const BUILD = {
  target: 'es2023',
  // Every browser with service workers that stream preloads modules itself.
  modulePreload: { polyfill: false },
  // WebLLM's bundle (6.8 MB) is one chunk of the engine worker. Only the model waits for it.
  chunkSizeWarningLimit: 8000,
} as const;

const documentReader = addDocumentReader({ plugins: () => [notePackages()] });

const pagePlugins = () => [notePackages(), addLlamaCpp(), documentReader, addPagePolicy()];

export default defineConfig({
  ...PAGES,
  publicDir: '../../public',
  build: {
    ...BUILD,
    outDir: '../../dist',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        ...HASHED_NAMES,
        // The first load needs one file. Split where lazy parts share modules with it, it would compress worse, and the
        // service worker lists each additional file.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: (id, graph) => (isLoadedFirst(id, graph) ? FIRST_SCRIPT : null) },
            // The chat's tools are small, and using one loads most of the others.
            { name: 'tools', test: /src.chat.(tools|conversation.messages.tool-)/ },
            // One file, because the service worker lists each file and these are small. Every chat loads them soon after its
            // first paint, so none of them may import Web Awesome.
            {
              name: 'early-parts',
              test: /src.(page.fetch|shared.http.retry-after|chat.*(title-writer|draft-keeper|drafts.deletions|watch-long-texts|add-pieces|answer-meter|listen-and-compare|read-aloud))/,
            },
            // Likewise: dialogs and menus, which need Web Awesome, and what they do.
            {
              name: 'small-dialogs',
              test: /src.chat.*(shortcuts-dialog|app-menu-items|all-chats-dialog|conversation-actions|list-actions|timed-notice|delete-conversation|gguf-dialog|image-dialog|confirmation-dialog|continue-dialog|continue-in-new-chat)\.ts/,
            },
            // Likewise: what a page rarely needs.
            {
              name: 'rare-parts',
              test: /src.(page.*(adopt-newer-worker|check-site-models|control-failures|find-wider-worker|explain-script-failure|refuse-foreign-worker|run-worker-for-engine|serve-browser-model|(site-fault|script-failure|control-failure)-strings)|shared.storage.device-models|chat.*(show-found|memory-database|move-when-open|temporary-(chat|proof)))\.ts/,
            },
            // One file for the modules that lazy parts share: most have a few lines.
            {
              name: 'shared-parts',
              test: /src.(chat|shared|page)(?!.*web-awesome)|valibot|lit(-html)?.directives/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  preview: { port: 4173, strictPort: true, headers: securityHeaders() },
  plugins: [
    ...pagePlugins(),
    compressScript((chunk) => chunk.name === FIRST_SCRIPT),
    serveBenchPage(),
    {
      name: 'tabserve:upstreams-script',
      apply: 'build',
      writeBundle: ({ dir }) => bundleUpstreams(dir!),
    },
    {
      name: 'tabserve:bench-page',
      apply: 'build',
      writeBundle: ({ dir }) => buildBenchPage(dir!),
    },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../service-worker',
      filename: 'site-service-worker.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        rollupFormat: 'iife',
        buildPlugins: { vite: [notePackages(), compressScript()] },
        // The browser stores the service worker's imported script itself. Large icons are fetched only while the page is
        // installed as an app, which needs the server anyway. The engine caches llama.cpp when a model needs it.
        globIgnores: ['tabserve-upstreams.js', 'icons/*-512.png', 'assets/llama-cpp-*/**'],
        // WebLLM caches the models' files when it loads them.
        globPatterns: ['**/*.{html,js,css,svg,png,webmanifest,woff2}', 'assets/*.wasm'],
        manifestTransforms: [
          (files) => ({
            manifest: files
              // Largest first: the service worker fetches four at a time, and the small files then cost no extra time.
              .toSorted((one, other) => other.size - one.size)
              // Ten digits suffice to tell contents apart, and random digits do not compress.
              .map((file) => ({ ...file, revision: file.revision?.slice(0, 10) ?? null })),
          }),
        ],
        maximumFileSizeToCacheInBytes: 12 * 1024 * 1024,
      },
      devOptions: { enabled: true, type: 'module' },
    }),
    writeSiteNotices(),
  ],
});

/**
 * Builds the page that measures, which the chat page does not load. In one build with that page it would share its chunks: a
 * chunk runs whole, and so would start the chat.
 */
async function buildBenchPage(outDir: string): Promise<void> {
  await build({
    ...PAGES,
    // The page's address in the site is its path below this folder.
    root: 'src',
    configFile: false,
    logLevel: 'warn',
    publicDir: '../public',
    plugins: pagePlugins(),
    build: {
      ...BUILD,
      copyPublicDir: false,
      outDir,
      emptyOutDir: false,
      // One file, because the service worker lists each file, and nobody waits for this page.
      rolldownOptions: { input: 'src/bench/index.html', output: { ...HASHED_NAMES, codeSplitting: false } },
    },
  });
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** Whether the chat page's entry imports a module statically, directly or through other modules. */
function isLoadedFirst(id: string, graph: ModuleGraph, seen: Set<string> = new Set()): boolean {
  if (id.endsWith('/src/chat/main.ts')) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return graph.getModuleInfo(id)?.importers.some((importer) => isLoadedFirst(importer, graph, seen)) ?? false;
}
