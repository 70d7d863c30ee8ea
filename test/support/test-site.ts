import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { CommandFailure } from '../../src/command-line/command-failure.ts';
import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { serveSite, type Site } from '../../src/command-line/serve-site.ts';

const IN_PAGE_FOLDER = fileURLToPath(new URL('../browser/in-page', import.meta.url));

/**
 * Serves a copy of the built site, with the security headers of the real one, on a free port. Beside the
 * site's files it has `/test-clients/<name>.js`, one module for each `test/browser/in-page/<name>.ts`,
 * bundled for the browser; tests call those through `inPage`.
 *
 * @param dist Folder of the built site. Default: `TABSERVE_TEST_DIST`, else the repository's `dist`.
 */
export async function startTestSite(dist = process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER): Promise<Site> {
  if (!existsSync(join(dist, 'index.html'))) {
    throw new CommandFailure(`There is no built site in ${dist}: run \`npm run build\` before the browser tests.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-site-'));
  // Not in `close`: Vite ends the process by itself on SIGTERM, which is how Playwright stops its server.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(dist, folder, { recursive: true });
  await bundleTestClients(join(folder, 'test-clients'));
  return serveSite({ folder });
}

async function bundleTestClients(outDir: string): Promise<void> {
  const entries = readdirSync(IN_PAGE_FOLDER).filter((name) => name.endsWith('.ts'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: IN_PAGE_FOLDER,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      chunkSizeWarningLimit: 10_000,
      lib: {
        entry: Object.fromEntries(entries.map((name) => [basename(name, '.ts'), join(IN_PAGE_FOLDER, name)])),
        formats: ['es'],
      },
    },
  });
}
