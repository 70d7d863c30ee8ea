import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { readUpstreams } from '../../src/shared/upstreams/upstream.ts';
import { findShellProblem } from './find-shell-problem.ts';
import { packageEntries } from './package-entries.ts';
import { documentationPages, readPage, readSnippets, type Snippet } from './read-snippets.ts';

const SNIPPETS = readSnippets();
const ofLanguage = (...languages: readonly string[]): readonly Snippet[] =>
  SNIPPETS.filter(({ language, notRun }) => languages.includes(language) && notRun === null);

test.each(SNIPPETS)('$name is in a language that a test checks, or says why it is not run', ({ language, notRun }) => {
  const known = ['js', 'json', 'sh', 'ts', 'tsx', 'text'];
  expect(known.includes(language) || (notRun ?? '').length > 10).toBe(true);
});

test.each(ofLanguage('sh'))('$name has commands and options that exist', ({ code }) => {
  expect(findShellProblem(code)).toBeNull();
});

const INLINE_COMMANDS = documentationPages().flatMap((page) =>
  [...readPage(page).matchAll(/`((?:npm|npx tabserve) [^`\n]+)`/g)].map(([, command]) => ({ page, command: command! })),
);

test.each(INLINE_COMMANDS)('$page names a command that exists: $command', ({ command }) => {
  expect(findShellProblem(command.replaceAll(/[<>]/g, ''))).toBeNull();
});

test.each(workflowCommands())('the workflow $workflow runs a command that exists: $command', ({ command }) => {
  expect(findShellProblem(command)).toBeNull();
});

test.each([
  'npm run nothing',
  'npm run bridge -- --nothing',
  'npx tabserve nothing',
  'npx nothing',
  'nothing',
  'curl http://127.0.0.1:8787/v1/nothing',
])('the check of shell commands rejects %s', (command) => {
  expect(findShellProblem(command)).toMatch(/\w/);
});

const JSON_SNIPPETS = ofLanguage('json');

test.each(JSON_SNIPPETS)('$name is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

test.each(JSON_SNIPPETS.filter(({ code }) => code.startsWith('[')))('$name lists upstreams', ({ code }) => {
  expect(readUpstreams(JSON.parse(code)).length).toBeGreaterThan(0);
});

const TYPED = ofLanguage('ts', 'tsx');

test.skipIf(TYPED.length === 0)('every TypeScript snippet compiles against the declarations of the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-snippets-'));
  try {
    symlinkSync(join(PROJECT_FOLDER, 'node_modules'), join(folder, 'node_modules'), 'junction');
    mkdirSync(join(folder, 'src'));
    for (const { name, language, code } of TYPED) {
      writeFileSync(join(folder, 'src', `${name.replaceAll(/\W+/g, '-')}.${language}`), `${code}\nexport {};\n`);
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }),
    );
    const compiler = join(PROJECT_FOLDER, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The npm commands of the continuous integration, with each expression replaced by a number. */
function workflowCommands(): readonly { readonly workflow: string; readonly command: string }[] {
  const folder = join(PROJECT_FOLDER, '.github/workflows');
  return readdirSync(folder).flatMap((workflow) =>
    [...readFileSync(join(folder, workflow), 'utf8').matchAll(/run: (npm .*)$/gm)].map(([, command]) => ({
      workflow,
      command: command!.replaceAll(/\$\{\{.*?\}\}/g, '1'),
    })),
  );
}

/** Compiler options as in a site. Entries of the package are resolved to their sources. */
const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'preserve',
  moduleResolution: 'bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: ['vite/client'],
  jsx: 'react-jsx',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  paths: Object.fromEntries([...packageEntries()].map(([name, source]) => [name, [source]])),
};
