import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, createBuilder, createLogger, createServer, mergeConfig, type InlineConfig } from 'vite';
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPlugin, type TabserveOptions } from '../../src/vite-plugin/tabserve.ts';

/** Too large for a bundler to inline it into a script. */
const ENGINE = `/* engine */${' '.repeat(5000)}`;

const SITE = {
  'library/tabserve.js': `
    export const engine = () => new URL('./tabserve-engine-worker.js', import.meta.url);
    export const defaults = typeof TABSERVE_DEFAULTS === 'undefined' ? null : TABSERVE_DEFAULTS;`,
  'library/tabserve-engine-worker.js': ENGINE,
  'library/tabserve-service-worker.js': '/* tabserve service worker */',
  'library/tabserve-upstreams.js': '/* tabserve upstreams */',
  'library/tabserve-document-reader/document-worker.js': '/* reader */',
  'library/tabserve-document-reader/document-worker.js.map': '{}',
  'library/models/pocket/weights.bin': 'weights',
  'library/models/pocket/library.wasm': 'wasm',
  'library/models/pocket/README.md': 'card',
  'library/models/pocket/pocket.gguf': 'gguf',
  'library/tabserve-llama-cpp/llama.wasm': 'llama',
  'site/index.html':
    '<!doctype html><html lang="en"><head><title>Site</title></head><body><script type="module" src="./main.js"></script></body></html>',
  'site/main.js': "import { defaults, engine } from 'tabserve';\nglobalThis.site = { defaults, engine };",
};

const SITE_FILES = [
  'models/pocket/library.wasm',
  'models/pocket/weights.bin',
  'tabserve-document-reader/document-worker.js',
  'tabserve-service-worker.js',
  'tabserve-upstreams.js',
];

let folder: string;
let warnings: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-vite-'));
  warnings = [];
  for (const [path, content] of Object.entries(SITE)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface SiteOptions extends TabserveOptions {
  readonly base?: string;
  readonly pwa?: Partial<VitePWAOptions>;
}

function configuration({ base = '/', pwa, ...options }: SiteOptions): InlineConfig {
  const customLogger = createLogger('silent');
  customLogger.warn = (message) => void warnings.push(message);
  return {
    configFile: false,
    root: join(folder, 'site'),
    base,
    customLogger,
    mode: 'production',
    resolve: { alias: { tabserve: join(folder, 'library/tabserve.js') } },
    server: { port: 0, fs: { allow: [folder] } },
    build: { minify: false },
    // Tabserve's plugin comes first: in this order it would fail if it depended on the other plugin.
    plugins: [createPlugin(join(folder, 'library'), options), pwa ? VitePWA(pwa) : null],
  };
}

interface BuiltSite {
  readonly files: readonly string[];
  read(file: string): string;
}

async function buildSite(options: SiteOptions = {}): Promise<BuiltSite> {
  await build(configuration(options));
  return readSite();
}

function readSite(): BuiltSite {
  const dist = join(folder, 'site/dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return { files, read: (file) => readFileSync(join(dist, file), 'utf8') };
}

/** Returns the defaults of `register()` in a built or served script. */
function defaultsIn(code: string): unknown {
  return JSON.parse(/TABSERVE_DEFAULTS = (\{.*?\});/s.exec(code)![1]!.replaceAll(/(\w+):/g, '"$1":'));
}

function readScripts({ files, read }: BuiltSite): string {
  return files
    .filter((file) => /^assets\/index.*\.js$/.test(file))
    .map(read)
    .join('\n');
}

test.each([
  { base: '/', serviceWorker: '/tabserve-service-worker.js' },
  { base: '/some/folder/', serviceWorker: '/some/folder/tabserve-service-worker.js' },
  { base: './', serviceWorker: './tabserve-service-worker.js' },
  { base: 'https://assets.test/', serviceWorker: '/tabserve-service-worker.js' },
])('a site with base $base is built with scripts and models where the page looks for them', async (site) => {
  const built = await buildSite({ base: site.base });
  expect(built.files).toEqual(expect.arrayContaining(SITE_FILES));
  expect(built.files.filter((file) => /\.(?:md|map)$/.test(file))).toEqual([]);
  expect(readScripts(built)).toContain(site.serviceWorker);
});

test('the engine worker is emitted once, unchanged', async () => {
  const built = await buildSite();
  const engines = built.files.filter((file) => file.includes('engine-worker'));
  expect(engines).toEqual([expect.stringMatching(/^assets\/tabserve-engine-worker-.*\.js$/)]);
  expect(built.read(engines[0]!)).toBe(ENGINE);
});

test.each([undefined, { workbox: { importScripts: ['tabserve-service-worker.js'] } }])(
  'a site whose merged configurations have the plugin twice is built as with one (%j)',
  async (pwa) => {
    const plugin = createPlugin(join(folder, 'library'), {});
    await build(mergeConfig(configuration({ base: '/some/', ...(pwa && { pwa }) }), { plugins: [plugin] }));
    const built = readSite();
    expect(built.files).toEqual(expect.arrayContaining(SITE_FILES));
    expect(built.files.filter((file) => file.includes('engine-worker'))).toHaveLength(1);
    expect(readScripts(built)).toContain(pwa ? '/some/sw.js' : '/some/tabserve-service-worker.js');
  },
);

test.each([false, true])('the GGUF file is part of a site with llama.cpp only (%s)', async (gguf) => {
  const { files } = await buildSite({ gguf });
  expect(files.includes('tabserve-llama-cpp/llama.wasm')).toBe(gguf);
  expect(files.includes('models/pocket/pocket.gguf')).toBe(gguf);
});

test('a site can omit the models', async () => {
  const { files } = await buildSite({ models: false });
  expect(files.filter((file) => file.startsWith('models'))).toEqual([]);
});

/** Returns the options that a service worker uses if it gets options before the ready-made script runs. */
function optionsIn(script: string, ownOptions?: object): { readonly basePath?: string; readonly modelHosts?: boolean } {
  const self: { tabserve?: object } = ownOptions === undefined ? {} : { tabserve: ownOptions };
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is the one that was just built
  new Function('self', script)(self);
  return self.tabserve ?? {};
}

test('a strict site tells its service worker, and others do not', async () => {
  const worker = 'tabserve-service-worker.js';
  expect(optionsIn((await buildSite({ modelHosts: false })).read(worker))).toMatchObject({ modelHosts: false });
  expect(optionsIn((await buildSite({})).read(worker))).toEqual({});
});

test('the base path is configured once: the service worker gets it, built and in development', async () => {
  const worker = 'tabserve-service-worker.js';
  const scripts = [(await buildSite({ basePath: '/api/v1' })).read(worker)];
  const server = await createServer(configuration({ basePath: '/api/v1' }));
  try {
    await server.listen();
    scripts.push(await (await fetch(new URL(worker, server.resolvedUrls!.local[0]!))).text());
  } finally {
    await server.close();
  }
  for (const script of scripts) {
    expect(optionsIn(script).basePath).toBe('/api/v1');
    expect(optionsIn(script, { aliases: {} }).basePath).toBe('/api/v1');
    expect(optionsIn(script, { basePath: '/llm' }).basePath).toBe('/llm');
  }
});

test('a service worker of the site is registered as configured', async () => {
  const built = await buildSite({ serviceWorker: '/own.js', serviceWorkerType: 'module' });
  expect(readScripts(built)).toMatch(/"serviceWorker":\s*"\/own\.js"|serviceWorker:\s*"\/own\.js"/);
  expect(readScripts(built)).toMatch(/serviceWorkerType"?:\s*"module"/);
});

const MOUNTED = { workbox: { importScripts: ['tabserve-service-worker.js'] } };

test.each([
  { globs: 'the usual files', workbox: {} },
  { globs: 'all files', workbox: { globPatterns: ['**/*'] } },
])('a progressive web app that precaches $globs precaches neither engine nor models', async ({ workbox }) => {
  const built = await buildSite({ pwa: { workbox: { ...MOUNTED.workbox, ...workbox } } });
  expect(built.files).toEqual(expect.arrayContaining(SITE_FILES));
  expect(built.files.filter((file) => file.includes('engine-worker'))).toHaveLength(1);
  expect(built.read('sw.js')).toMatch(/index\.html/);
  expect(built.read('sw.js')).not.toMatch(/engine-worker|models\/|upstreams/);
  expect(readScripts(built)).toContain('/sw.js');
  expect(warnings).toEqual([]);
});

test('a progressive web app whose service worker does not mount the endpoint causes a warning', async () => {
  await buildSite({ pwa: {} });
  expect(warnings).toEqual([expect.stringContaining("importScripts: ['tabserve-service-worker.js']")]);
});

test.each([
  { site: 'a site', pwa: undefined, defaults: ['/some/tabserve-service-worker.js', 'classic'] },
  {
    site: 'a progressive web app without a service worker in development',
    pwa: MOUNTED,
    defaults: ['/some/tabserve-service-worker.js', 'classic'],
  },
  {
    site: 'a progressive web app with one',
    pwa: { ...MOUNTED, devOptions: { enabled: true } },
    defaults: ['/some/dev-sw.js?dev-sw', 'classic', false],
  },
  {
    site: 'a progressive web app with a module of its own',
    pwa: { strategies: 'injectManifest', devOptions: { enabled: true, type: 'module' } } as const,
    defaults: ['/some/dev-sw.js?dev-sw', 'module', false],
  },
])('in development $site has scripts and models below its base', async ({ pwa, defaults }) => {
  const server = await createServer(configuration({ base: '/some/', ...(pwa && { pwa }) }));
  try {
    await server.listen();
    const base = server.resolvedUrls!.local[0]!;
    for (const file of SITE_FILES) {
      const response = await fetch(new URL(file, base));
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(SITE[`library/${file}` as keyof typeof SITE]);
    }
    const types = ['tabserve-service-worker.js', 'models/pocket/library.wasm'].map(async (file) =>
      (await fetch(new URL(file, base), { method: 'HEAD' })).headers.get('content-type'),
    );
    expect(await Promise.all(types)).toEqual(['text/javascript', 'application/wasm']);
    const script = await server.transformRequest(join(folder, 'library/tabserve.js'));
    expect(defaultsIn(script!.code)).toEqual({
      serviceWorker: defaults[0],
      serviceWorkerType: defaults[1],
      autoUpdate: defaults[2],
    });
  } finally {
    await server.close();
  }
});

test.each([false, true])(
  'a linked package gets the defaults of its site (symbolic links are kept: %s)',
  async (preserveSymlinks) => {
    const linked = join(folder, 'linked');
    symlinkSync(join(folder, 'library'), linked);
    const alias = { tabserve: join(linked, 'tabserve.js') };
    await build({ ...configuration({ base: '/some/' }), resolve: { alias, preserveSymlinks } });
    expect(readScripts(readSite())).toContain('/some/tabserve-service-worker.js');
  },
);

test.each([false, true])(
  'engine and models of a progressive web app lie beside its pages where a server is built, too (one configuration: %s)',
  async (isShared) => {
    writeFileSync(join(folder, 'site/server.js'), 'export default 1;');
    const input = join(folder, 'site/server.js');
    const builder = await createBuilder(
      mergeConfig(configuration({ pwa: { ...MOUNTED, outDir: join(folder, 'site/dist/client') } }), {
        builder: { sharedConfigBuild: isShared, sharedPlugins: isShared },
        environments: {
          client: { build: { outDir: 'dist/client' } },
          ssr: { build: { outDir: 'dist/server', rollupOptions: { input } } },
        },
      }),
    );
    await builder.buildApp();
    const { files } = readSite();
    expect(files).toEqual(expect.arrayContaining(SITE_FILES.map((file) => `client/${file}`)));
    expect(files.filter((file) => /engine-worker.*js$/.test(file))).toEqual([
      expect.stringMatching(/^client\/assets\//),
    ]);
  },
);

test('requests for files outside the library are left to the site', async () => {
  const server = await createServer(configuration({}));
  try {
    await server.listen();
    const response = await fetch(new URL('models/pocket/nothing.bin', server.resolvedUrls!.local[0]!));
    expect(await response.text()).not.toContain('weights');
    expect(existsSync(join(folder, 'site/dist'))).toBe(false);
  } finally {
    await server.close();
  }
});
