import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Files that tests fetch once. They lie outside the repository, because none of them may be part of it. */
export const CACHE = join(homedir(), '.cache', 'tabserve-tests');

/**
 * Returns the folder of installed Python packages, for `PYTHONPATH`. They are fetched by pip when they are needed first.
 * @param packages With their versions, such as `jinja2==3.1.6`, and options of pip; the first one names the folder.
 * @throws Error without Python and pip, or if the package index cannot be reached.
 */
export function pythonPackages(...packages: readonly [string, ...string[]]): string {
  const folder = join(CACHE, packages[0].replace('==', '-'));
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  python(['-m', 'pip', 'install', '--quiet', '--target', part, ...packages]);
  renameSync(part, folder);
  return folder;
}

/**
 * Runs Python and returns what it prints.
 * @param words Its arguments.
 * @throws Error if it ends with another status than 0.
 */
export function python(words: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  return execFileSync('python3', words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
}
