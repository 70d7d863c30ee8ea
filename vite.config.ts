import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { bundleUpstreams, VERSION_CONSTANT } from './src/command-line/build/build-library-files.ts';
import { minifyStyles } from './src/command-line/build/minify-styles.ts';
import { notePackages, writeSiteNotices } from './src/command-line/build/site-notices.ts';
import { securityHeaders } from './src/shared/security/security-headers.ts';

/** Six letters tell builds apart as eight do, and random ones do not compress: the service worker names every file. */
const HASHED_NAMES = {
  entryFileNames: 'assets/[name]-[hash:6].js',
  chunkFileNames: 'assets/[name]-[hash:6].js',
  assetFileNames: 'assets/[name]-[hash:6][extname]',
};

export default defineConfig({
  root: 'src/chat',
  publicDir: '../../public',
  // Every address counts from the page, so that the built site may lie in any folder of its origin.
  base: './',
  define: VERSION_CONSTANT,
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2023',
    // WebLLM's bundle (6.8 MB) is one chunk of the engine worker; nothing waits for it but the model.
    chunkSizeWarningLimit: 8000,
    rolldownOptions: {
      output: {
        ...HASHED_NAMES,
        // What the first load needs is one file: cut where lazy parts share something with it, it would compress worse, and
        // each further file has a line in the service worker.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: (id, graph) => (isLoadedFirst(id, graph) ? 'page' : null) },
            // The tools of chats are small, and one leads to the other.
            { name: 'tools', test: /src.chat.(tools|conversation.messages.tool-rounds)/ },
            // Loaded one by one, these would be more lines in the service worker than they are worth.
            {
              name: 'small-parts',
              test: /src.chat.*(shortcuts-dialog|show-found|conversation-actions|title-writer)\.ts/,
            },
            // What lazy parts share is one file, too: most of it are a few lines each.
            { name: 'shared-parts', test: /src.(chat|shared|page)(?!.*web-awesome)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  worker: { format: 'es', plugins: () => [notePackages()], rolldownOptions: { output: HASHED_NAMES } },
  preview: { port: 4173, strictPort: true, headers: securityHeaders() },
  plugins: [
    minifyStyles(),
    notePackages(),
    {
      name: 'tabserve:upstreams-script',
      apply: 'build',
      writeBundle: ({ dir }) => bundleUpstreams(dir!),
    },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../service-worker',
      filename: 'site-service-worker.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        rollupFormat: 'iife',
        buildPlugins: { vite: [notePackages()] },
        // The former belongs to the service worker, which keeps what it imports itself. The large icons are asked for while the
        // page is installed as an app, which needs its server anyway.
        globIgnores: ['tabserve-upstreams.js', 'icons/*-512.png'],
        // The model's own files are cached by WebLLM when it loads them.
        globPatterns: ['**/*.{html,js,css,svg,png,webmanifest,woff2}', 'assets/*.wasm'],
        manifestTransforms: [
          (files) => ({
            manifest: files
              // The service worker fetches a few at a time: beside the largest the others come without taking longer.
              .toSorted((one, other) => other.size - one.size)
              // Ten digits tell contents apart as well, and random ones do not compress.
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

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** Whether the chat page's entry imports a module without waiting for anything, directly or through others. */
function isLoadedFirst(id: string, graph: ModuleGraph, seen: Set<string> = new Set()): boolean {
  if (id.endsWith('/src/chat/main.ts')) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return graph.getModuleInfo(id)?.importers.some((importer) => isLoadedFirst(importer, graph, seen)) ?? false;
}
