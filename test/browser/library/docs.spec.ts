import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { build } from 'vite';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { packageEntries } from '../../docs/package-entries.ts';
import { readSnippets, type Snippet } from '../../docs/read-snippets.ts';

const SNIPPETS = readSnippets().filter(({ notRun }) => notRun === null);
const ofLanguage = (...languages: readonly string[]) => SNIPPETS.filter(({ language }) => languages.includes(language));

const isForServiceWorker = ({ code }: Snippet) => /\/service-worker(\.js)?'|^self\.tabserve =/m.test(code);
const WORKERS = ofLanguage('js').filter(isForServiceWorker);
/** Bundler configurations do not run in a page; snippets.test.ts compiles them. */
const isForNode = ({ code }: Snippet) => code.includes(" from 'vite'");
const MODULES = ofLanguage('js', 'ts').filter((snippet) => !isForServiceWorker(snippet) && !isForNode(snippet));

/**
 * The page in which all modules run, with the elements and globals that they use. Its headers forbid inline scripts.
 */
const SHARED_PAGE = `<!doctype html><html lang="en"><title>Snippets</title><button id="button"></button><input id="input" />
<script type="module" src="register.js"></script>`;
const REGISTER = `import { register } from './tabserve.js';
globalThis.tabserve = register();`;

/** Unless a snippet has its own options, the site names the upstream of the documentation's examples. */
const SITE_OPTIONS = `self.tabserve ??= { upstreams: [{ name: 'desk', baseUrl: 'https://desk.example.org/v1', models: ['big'], when: 'upstream' }] };`;

let folder: string;
let site: Site;
let page: Page;

test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-snippets-'));
  await buildLibraryFiles(folder);
  writeFileSync(join(folder, 'index.html'), SHARED_PAGE);
  writeFileSync(join(folder, 'register.js'), REGISTER);
  const worker = join(folder, 'tabserve-service-worker.js');
  writeFileSync(worker, `${SITE_OPTIONS}\n${readFileSync(worker, 'utf8')}`);
  await bundle(MODULES, 'module');
  await bundle(WORKERS, 'worker');
  site = await serveBuiltSite({ folder });
  page = await browser.newPage();
  await page.goto(site.url);
  await page.evaluate('tabserve.ready');
});

test.afterAll(async () => {
  await page.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

MODULES.forEach((snippet, index) => {
  test(`a page runs ${snippet.name}, and prints something if the snippet prints`, async () => {
    const printed: string[] = [];
    const listener = (message: { type(): string; text(): string }) =>
      printed.push(`${message.type()} ${message.text()}`);
    page.on('console', listener);
    await page.evaluate((address) => import(address), `/module-${index}.js`);
    page.off('console', listener);
    const prints = snippet.code.includes('console.log');
    expect(printed.some((text) => /^log ./.test(text))).toBe(prints);
    expect(printed.filter((text) => text.startsWith('error'))).toEqual([]);
  });
});

WORKERS.forEach((snippet, index) => {
  test(`a browser accepts ${snippet.name} as a service worker`, async () => {
    const type = snippet.code.includes('import ') ? 'module' : 'classic';
    const state = await page.evaluate(
      async ([script, scope, type]) => {
        const registration = await navigator.serviceWorker.register(script, { scope, type: type as WorkerType });
        const worker = (registration.installing ?? registration.waiting ?? registration.active)!;
        while (worker.state !== 'activated' && worker.state !== 'redundant') {
          await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
        }
        await registration.unregister();
        return worker.state;
      },
      [`/worker-${index}.js`, `/worker-${index}/`, type] as const,
    );
    expect(state).toBe('activated');
  });
});

/** The package's own scripts, which are not bundled. */
const SHARED = /^tabserve(\/service-worker)?$/;

const toAlias = ([name, replacement]: readonly [string, string]) => ({ find: new RegExp(`^${name}$`), replacement });

/**
 * Bundles each snippet into `<name>-<index>.js`, as a site's bundler would, but without the package's own scripts: all
 * snippets share the page's one endpoint.
 */
async function bundle(snippets: readonly Snippet[], name: string): Promise<void> {
  // In `node_modules`, so that the snippets' imports are found and no other tool looks at the files.
  const sources = mkdtempSync(join(PROJECT_FOLDER, 'node_modules/.tabserve-snippets-'));
  try {
    const entries = snippets.map(({ code, language }, index) => {
      const path = join(sources, `${name}-${index}.${language}`);
      // Replaces the imports of pages without a bundler by those of the package.
      const imports = { './tabserve.js': 'tabserve', './service-worker.js': 'tabserve/service-worker' };
      writeFileSync(
        path,
        Object.entries(imports).reduce((text, [from, to]) => text.replaceAll(`'${from}'`, `'${to}'`), code),
      );
      return [`${name}-${index}`, path] as const;
    });
    await build({
      configFile: false,
      logLevel: 'error',
      root: sources,
      publicDir: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { alias: [...packageEntries()].filter(([name]) => !SHARED.test(name)).map(toAlias) },
      build: {
        outDir: join(sources, 'out'),
        target: 'es2023',
        minify: false,
        chunkSizeWarningLimit: 10_000,
        lib: { entry: Object.fromEntries(entries), formats: ['es'] },
        rolldownOptions: {
          external: SHARED,
          output: {
            paths: (id: string) => (id.includes('service-worker') ? '/service-worker.js' : '/tabserve.js'),
          },
        },
      },
    });
    cpSync(join(sources, 'out'), folder, { recursive: true });
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}
