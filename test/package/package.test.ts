import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { packPackage, run } from '../support/sites/packed-package.ts';

let tarball: string;
/** Folder of a user's project in which only the package is installed. */
let project: string;

beforeAll(() => {
  tarball = packPackage();
  project = mkdtempSync(join(tmpdir(), 'tabserve-consumer-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  // The package is built first, which takes minutes on a busy machine.
}, 400_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

const packageFolder = () => join(project, 'node_modules/tabserve');
const tabserve = (...words: string[]) =>
  spawnSync(join(project, 'node_modules/.bin/tabserve'), words, { cwd: project, encoding: 'utf8' });

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

test('the package has no dependencies', () => {
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['tabserve']);
});

test('the package contains only what is built for it, whatever was built before', () => {
  const files = filesBelow(packageFolder());
  const unexpected = files.filter(
    (path) => !/^(library\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(path),
  );
  expect(unexpected).toEqual([]);
  expect(files).not.toContain('library/left-over.js');
  expect(files.filter((path) => /\.notices\.json$|^library\/(?!types\/).*\.ts$/.test(path))).toEqual([]);
});

test('publint finds no problem', async () => {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('every entry has correct types for each kind of module resolution', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!analysis.types) throw new Error('The package has no types.');
  // The package is for browsers and bundlers. Resolution by `require()` is not supported.
  const problems = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  expect(problems).toEqual([]);
});

test('every script has a source map, and every map its sources', () => {
  const scripts = filesBelow(join(packageFolder(), 'library')).filter(
    // llama.cpp's scripts come from its package, which has no source maps.
    (path) => path.endsWith('.js') && !path.startsWith('command-line/') && !path.startsWith('tabserve-llama-cpp/'),
  );
  expect(scripts).toContain('tabserve.js');
  for (const path of scripts) {
    const text = readFileSync(join(packageFolder(), 'library', path), 'utf8');
    const name = /^\/\/# sourceMappingURL=(.*)$/m.exec(text.slice(-200))?.[1];
    expect([path, name]).toEqual([path, `${basename(path)}.map`]);
    const map = JSON.parse(readFileSync(join(packageFolder(), 'library', dirname(path), name!), 'utf8')) as {
      sources: string[];
    };
    expect(map.sources.length).toBeGreaterThan(0);
  }
});

test('the notices name every package that a script contains', () => {
  const notices = readFileSync(join(packageFolder(), 'library/THIRD-PARTY-NOTICES.md'), 'utf8');
  const maps = filesBelow(join(packageFolder(), 'library')).filter((path) => path.endsWith('.map'));
  const bundled = new Set(
    maps.flatMap((path) => {
      const { sources } = JSON.parse(readFileSync(join(packageFolder(), 'library', path), 'utf8')) as {
        sources: string[];
      };
      return sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
    }),
  );
  expect([...bundled]).toContain('@mlc-ai/web-llm');
  for (const name of [...bundled, 'send', 'assemblyscript'])
    expect(notices).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
});

const CONSUMER = `
import { register, securityHeaders, ModelManager, type PageStatus, type Tabserve } from 'tabserve';
import { install, type InstallOptions } from 'tabserve/service-worker';
import { createLanguageModel } from 'tabserve/prompt-api';
import 'tabserve/tabserve-service-worker.js';
import 'tabserve/tabserve-upstreams.js';
import 'tabserve/tabserve-engine-worker.js';

const tabserve: Tabserve = register({ preload: 'pocket' });
const status: PageStatus = tabserve.status;
const options: InstallOptions = { keys: [{ key: 'a', name: 'b', models: null }] };
install(options);
export const used: unknown[] = [status, securityHeaders(), ModelManager, createLanguageModel(tabserve)];
// @ts-expect-error -- it has types, so this is a mistake
register({ preload: 1 });
`;

test.for([
  ['bundler', 'esnext'],
  ['node16', 'node16'],
] as const)(
  'its declarations compile in strict mode without skipLibCheck, with module resolution %s',
  ([resolution, module]) => {
    const folder = join(project, resolution);
    mkdirSync(folder);
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      module,
      moduleResolution: resolution,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    expect(run(join(PROJECT_FOLDER, 'node_modules/.bin/tsc'), ['-p', folder], project)).toBe('');
  },
);

test('init copies worker scripts and models to a folder; saved with --save, it is the default of a later init', () => {
  const first = tabserve('init', 'public/', '--save');
  expect(first.stdout).toMatch(
    /^Copied to public, from Tabserve \d+\.\d+\.\d+: tabserve-service-worker\.js, .*models\.\n$/,
  );
  expect(readdirSync(join(project, 'public')).toSorted()).toEqual([
    'models',
    'tabserve-document-reader',
    'tabserve-service-worker.js',
    'tabserve-upstreams.js',
  ]);
  const models = filesBelow(join(project, 'public/models'));
  expect(models).toContain('pocket/pocket.wasm');
  expect(models).not.toContain('pocket/pocket.gguf');
  expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).toMatchObject({
    name: 'consumer',
    tabserve: { folder: 'public' },
  });
  rmSync(join(project, 'public'), { recursive: true });
  expect(tabserve('init').status).toBe(0);
  expect(existsSync(join(project, 'public/models/pocket/pocket.wasm'))).toBe(true);
});

test('init --gguf copies llama.cpp and the GGUF file of the built-in model', () => {
  expect(tabserve('init', 'with-gguf', '--gguf').status).toBe(0);
  expect(filesBelow(join(project, 'with-gguf'))).toEqual(
    expect.arrayContaining([
      'models/pocket/pocket.gguf',
      'tabserve-llama-cpp/wllama.wasm',
      'tabserve-llama-cpp/compat/wllama.wasm',
    ]),
  );
});

test('init can leave the models out, or add what pages without a bundler import', () => {
  expect(tabserve('init', 'site/static', '--no-model', '--modules', '--save').status).toBe(0);
  const copied = [
    'service-worker.js',
    'tabserve-document-reader',
    'tabserve-engine-worker.js',
    'tabserve-service-worker.js',
    'tabserve-upstreams.js',
    'tabserve.js',
  ];
  expect(readdirSync(join(project, 'site/static')).toSorted()).toEqual(copied);
  rmSync(join(project, 'site'), { recursive: true });
  expect(tabserve('init').status).toBe(0);
  expect(readdirSync(join(project, 'site/static')).toSorted()).toEqual(copied);
});

test('init tells the service worker the base path, also when it copies again', () => {
  const worker = join(project, 'elsewhere/tabserve-service-worker.js');
  const told = /^self\.tabserve = \{ basePath: "\/api\/v1", builtInModels: \[\], \.\.\.self\.tabserve \};\n\(function/;
  expect(tabserve('init', 'elsewhere', '--no-model', '--base-path', '/api/v1/', '--save').status).toBe(0);
  expect(readFileSync(worker, 'utf8')).toMatch(told);
  rmSync(worker);
  expect(tabserve('init').status).toBe(0);
  expect(readFileSync(worker, 'utf8')).toMatch(told);
  expect(tabserve('init', '--base-path', '/llm').status).toBe(0);
  expect(readFileSync(worker, 'utf8')).toContain('{ basePath: "/llm", builtInModels: [], ');
});

test('init tells the service worker of a strict site, also when it copies again', () => {
  const worker = join(project, 'strict/tabserve-service-worker.js');
  const told = /^self\.tabserve = \{ builtInModels: \[\], modelHosts: false, \.\.\.self\.tabserve \};\n/;
  expect(tabserve('init', 'strict', '--no-model', '--no-model-hosts', '--save').status).toBe(0);
  expect(readFileSync(worker, 'utf8')).toMatch(told);
  rmSync(worker);
  expect(tabserve('init').status).toBe(0);
  expect(readFileSync(worker, 'utf8')).toMatch(told);
});

test.for([
  [['init', 'one', 'two'], /^init takes one folder: npx tabserve init public\/\n$/],
  [['init', 'site', '--base-path', 'v1'], /^`basePath` must be a path such as "\/v1" .*, but it is "v1"\.\n$/],
  [['inti'], /^There is no command "inti", only init, serve, host, hub, ask, bridge; .*\n$/],
  [
    ['serve', '--no-model-hosts', '--model-host', 'https://a.example'],
    /^--no-model-hosts allows no host, so --model-host cannot stand beside it\.\n$/,
  ],
  [['host', 'nowhere'], /^There is no built site in nowhere.*\n$/],
  [['host', '.', '--path', '/a b/'], /^--path takes a path such as \/tabserve\/, not "\/a b\/"\.\n$/],
  [['serve', 'nowhere'], /^There is no built site in .*nowhere.*\n$/],
  [['ask'], /^There is no question: npx tabserve ask .*\n$/],
  [['bridge', '--prot', '1'], /^Unknown option '--prot'; --help lists the options\.\n$/],
] as const)('tabserve %j reports in one line what is wrong', ([words, sentence]) => {
  const { status, stderr } = tabserve(...words);
  expect(stderr).toMatch(sentence);
  expect(status).toBe(1);
});

test.for([
  ['--help'],
  ['init', '--help'],
  ['serve', '-h'],
  ['host', '--help'],
  ['ask', '--help'],
  ['bridge', '--help'],
])('tabserve %j prints its usage', (words) => {
  const { status, stdout } = tabserve(...words);
  expect(stdout).toContain(`npx tabserve ${words.length > 1 ? words[0] : 'init'}`);
  expect(status).toBe(0);
});

test('its version is that of package.json, also in pages and service workers', () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as { version: string };
  expect(tabserve('--version').stdout).toBe(`${version}\n`);
  const knowing = ['tabserve.js', 'service-worker.js', 'tabserve-service-worker.js'].filter((name) =>
    readFileSync(join(packageFolder(), 'library', name), 'utf8').includes(version),
  );
  expect(knowing).toHaveLength(3);
});
