import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { packPackage, run } from '../support/sites/packed-package.ts';

const isSource = (path: string) => !/node_modules|package-lock/.test(path);

/** Environment variables: the folder of the installed examples, and the path of the packed package. */
export const EXAMPLES_FOLDER = 'TABSERVE_EXAMPLES_FOLDER';
export const TARBALL = 'TABSERVE_TARBALL';

/** Options that skip npm's checks and messages. */
export const QUICKLY = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Playwright's `globalSetup`: copies the examples to a temporary folder and installs their dependencies, with the
 * packed tarball as `tabserve`. They are workspaces, so that a shared package is installed once.
 * @returns a function that removes the folder.
 */
export default async function installExamples(): Promise<() => void> {
  // The developer has already installed the examples.
  if (process.env[EXAMPLES_FOLDER] !== undefined) return () => {};
  // Keeps the builds from sending telemetry.
  process.env['NEXT_TELEMETRY_DISABLED'] = '1';
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-examples-'));
  const tarball = packPackage();
  const examples = join(PROJECT_FOLDER, 'examples');
  const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  for (const name of names) {
    cpSync(join(examples, name), join(folder, name), { recursive: true, filter: isSource });
    const file = join(folder, name, 'package.json');
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, content.replace(/("tabserve": )"[^"]*"/, `$1${JSON.stringify(`file:${tarball}`)}`));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, workspaces: ['*'] }));
  run('npm', ['install', ...QUICKLY], folder);
  process.env[EXAMPLES_FOLDER] = folder;
  process.env[TARBALL] = tarball;
  return () => rmSync(folder, { recursive: true, force: true });
}
