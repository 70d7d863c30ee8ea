import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** True where packages of Debian or Ubuntu may be installed without asking anybody. */
export function mayInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs packages of Debian or Ubuntu where that is allowed.
 * @returns true when all of them are there now.
 */
export function installPackages(...names: readonly string[]): boolean {
  return (
    mayInstallPackages() &&
    runVisibly('apt-get', 'update', '-qq') &&
    runVisibly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names)
  );
}

/**
 * Runs a program with its output on standard error, so that standard output stays the command's own.
 * @returns true when it succeeded.
 */
export function runVisibly(program: string, ...parameters: readonly string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 2, 2],
    env: {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      // Behind a firewall every mirror is tried in turn; the default of 30 s each would add up to minutes.
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: process.env['PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT'] ?? '10000',
    },
  });
  return status === 0;
}
