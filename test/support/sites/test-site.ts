import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { CommandFailure } from '../../../src/command-line/run-command.ts';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import { serveBuiltSite, type Site, type SiteOptions } from '../../../src/command-line/http-server/serve-built-site.ts';
import { buildGallery } from './gallery.ts';

export interface TestSiteOptions {
  /** Folder of the built site. Default: `TABSERVE_TEST_DIST`, else the repository's `dist`. */
  readonly dist?: string;
  /** Folder of the modules to bundle. Default: `test/browser/in-page`. */
  readonly clients?: string;
}

/** Serves the built site without any additions: that of `TABSERVE_TEST_DIST`, else the repository's `dist`. */
export function serveDist(options: Omit<SiteOptions, 'folder'> = {}): Promise<Site> {
  return serveBuiltSite({ folder: process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER, ...options });
}

/** Serves the result of {@link buildTestSite} on a free port, with the real site's security headers. */
export async function startTestSite(): Promise<Site> {
  return serveBuiltSite({ folder: await buildTestSite() });
}

/**
 * Copies the built site and adds: a bundle `/test-clients/<name>.js` for each `<name>.ts` of a folder, which tests call
 * by `inPage`; the folder's own pages; `/test-clients/blank.html`, a page without scripts; and the gallery. If a test
 * server has already built it, its folder is copied.
 * @returns the copy's folder, which exists until this process ends.
 */
export async function buildTestSite(options: TestSiteOptions = {}): Promise<string> {
  const {
    dist = process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER,
    clients = fileURLToPath(new URL('../../browser/in-page', import.meta.url)),
  } = options;
  if (!existsSync(join(dist, 'index.html'))) {
    throw new CommandFailure(`There is no built site in ${dist}: run \`npm run build\` before the browser tests.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-site-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = process.env['TEST_SITE_FOLDER'];
  if (built !== undefined && Object.keys(options).length === 0) {
    cpSync(built, folder, { recursive: true });
    return folder;
  }
  cpSync(dist, folder, { recursive: true });
  await Promise.all([bundle(clients, join(folder, 'test-clients')), buildGallery(folder)]);
  for (const page of readdirSync(clients).filter((name) => name.endsWith('.html'))) {
    cpSync(join(clients, page), join(folder, 'test-clients', page));
  }
  writeFileSync(join(folder, 'test-clients/blank.html'), '<!doctype html><html lang="en"><title>Blank</title></html>');
  return folder;
}

async function bundle(folder: string, outDir: string): Promise<void> {
  const entries = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      minify: false,
      chunkSizeWarningLimit: 10_000,
      lib: {
        entry: Object.fromEntries(entries.map((name) => [basename(name, '.ts'), join(folder, name)])),
        formats: ['es'],
      },
    },
  });
}
