import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import { browserMajorVersion } from './browser-version.ts';
import { CommandFailure } from './run-command.ts';
import { findBrowser, type Browser } from './find-browser.ts';

/** The browser of this machine; installs one where there is none, saying so on standard error. */
export function findOrInstallBrowser(): Browser {
  try {
    return findBrowser();
  } catch (error) {
    // A path that the user named is theirs to correct; installing another would hide the mistake.
    if (!(error instanceof CommandFailure) || process.env['CHROME_PATH']) throw error;
    console.error(`${error.message}\nInstalling Chromium, which can take some minutes…`);
  }
  installBrowser();
  try {
    return findBrowser();
  } catch {
    throw new CommandFailure(
      'No Chromium or Chrome is here and none could be installed: install one by hand, or set CHROME_PATH to its executable.',
    );
  }
}

/** Playwright's build first (any user, any system), then Debian's and Ubuntu's package where we may install it. */
function installBrowser(): void {
  if (playwright('install', '--no-shell', 'chromium')) {
    if (browserMajorVersion(chromium.executablePath()) !== null) return;
    // Downloaded, but the system lacks a shared library it needs.
    if (mayUseApt() && playwright('install-deps', 'chromium')) return;
  }
  if (mayUseApt() && run('apt-get', 'update', '-qq')) {
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium');
  }
}

function mayUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function playwright(...commandAndOptions: string[]): boolean {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  return run(process.execPath, cli, ...commandAndOptions);
}

/** Runs a program with its output on standard error, so that standard output stays the command's own. */
function run(program: string, ...parameters: string[]): boolean {
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
