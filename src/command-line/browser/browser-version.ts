import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

const VERSION = /\b(\d+)\.\d+\.\d+(?:\.\d+)?\b/;

/**
 * Returns the major version of a Chromium. Null if the program does not start, for example because a shared library is
 * missing, or because it is only a stub that installs a package.
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

/**
 * On Windows `--version` opens a window. The version is read from the name of a neighbouring folder or manifest
 * instead.
 */
function versionBesideProgram(path: string): string {
  return readdirSync(dirname(path)).find((name) => VERSION.test(name)) ?? '';
}
