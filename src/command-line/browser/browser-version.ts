import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

const VERSION = /\b(\d+)\.\d+\.\d+(?:\.\d+)?\b/;

/**
 * The major version of a Chromium, or null when the program does not start (a missing shared library, a
 * stub that only points to a package). Asking a program for its version is the cheapest proof that it runs.
 */
export function browserMajorVersion(path: string, platform: NodeJS.Platform = process.platform): number | null {
  const text = platform === 'win32' ? versionBesideProgram(path) : versionSaidByProgram(path);
  const major = VERSION.exec(text)?.[1];
  return major === undefined ? null : Number(major);
}

function versionSaidByProgram(path: string): string {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout : '';
}

/** On Windows `--version` opens a window; the installation names its version in a folder or manifest instead. */
function versionBesideProgram(path: string): string {
  return readdirSync(dirname(path)).find((name) => VERSION.test(name)) ?? '';
}
