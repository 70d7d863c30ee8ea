import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { build } from 'vite';
import { buildLibraryFiles } from '../../../src/command-line/build/build-library-files.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { packageEntries } from '../../docs/package-entries.ts';
import { readSnippets, type Snippet } from '../../docs/read-snippets.ts';

const SNIPPETS = readSnippets().filter(({ notRun }) => notRun === null);
const ofLanguage = (...languages: readonly string[]) => SNIPPETS.filter(({ language }) => languages.includes(language));

const isForServiceWorker = ({ code }: Snippet) => /\/service-worker(\.js)?'|^self\.tabserve =/m.test(code);
const WORKERS = ofLanguage('js').filter(isForServiceWorker);
/** What configures a bundler is compiled, by snippets.test.ts, and runs in no page. */
const isForNode = ({ code }: Snippet) => code.includes(" from 'vite'");
const MODULES = ofLanguage('js', 'ts').filter((snippet) => !isForServiceWorker(snippet) && !isForNode(snippet));

/** The page that all modules are run in, with what they take for granted. The headers allow no script in its text. */
const SHARED_PAGE = `<!doctype html><html lang="en"><title>Snippets</title><button id="button"></button><input id="input" />
<script type="module" src="register.js"></script>`;
const REGISTER = `import { register } from './tabserve.js';
globalThis.tabserve = register();`;

/** The site names the upstream that the pages about upstreams speak of, unless a snippet has options of its own. */
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

/** The package's own scripts, which stay as they are. */
const SHARED = /^tabserve(\/service-worker)?$/;

const toAlias = ([name, replacement]: readonly [string, string]) => ({ find: new RegExp(`^${name}$`), replacement });

/**
 * Bundles snippets as a site's bundler would, each into `<name>-<index>.js`, beside the package's own scripts: a page has one
 * endpoint however many snippets register it.
 */
async function bundle(snippets: readonly Snippet[], name: string): Promise<void> {
  // Where their imports are found: below the repository, and not in a folder that anything else looks at.
  const sources = mkdtempSync(join(PROJECT_FOLDER, 'node_modules/.tabserve-snippets-'));
  try {
    const entries = snippets.map(({ code, language }, index) => {
      const path = join(sources, `${name}-${index}.${language}`);
      // A page without a bundler has the same scripts beside it.
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
