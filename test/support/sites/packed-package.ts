import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FOLDER, PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';

/** A folder that git ignores. */
const FOLDER = join(PROJECT_FOLDER, 'test-results-package');
const TARBALL = join(FOLDER, 'tabserve.tgz');

/** The files from which the package is built. */
const SOURCES = ['src', 'public/models', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'README.md'];

/**
 * Returns the package as `npm pack` creates it. It is packed again only if a source has changed. Writes a file into the
 * build folder first, because the package must not contain files of earlier builds.
 * @returns path of the tarball.
 */
export function packPackage(): string {
  const packed = statSync(TARBALL, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!SOURCES.some((name) => isNewer(join(PROJECT_FOLDER, name), packed))) return TARBALL;
  mkdirSync(LIBRARY_FOLDER, { recursive: true });
  writeFileSync(join(LIBRARY_FOLDER, 'left-over.js'), 'export {};\n');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  run('npm', ['pack', '--pack-destination', FOLDER], PROJECT_FOLDER);
  const [name] = readdirSync(FOLDER);
  renameSync(join(FOLDER, name!), TARBALL);
  return TARBALL;
}

/**
 * Runs a program to its end.
 * @returns its output.
 * @throws Error with its output if it fails.
 */
export function run(program: string, parameters: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${parameters.join(' ')}: ${error?.message ?? `${stdout}\n${stderr}`}`);
}

function isNewer(path: string, time: number): boolean {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  // The build itself writes these `.wasm` files there, so they are not sources.
  return readdirSync(path).some((name) => !name.endsWith('.wasm') && isNewer(join(path, name), time));
}
