import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import { browserMajorVersion } from './browser-version.ts';
import { CommandFailure } from '../run-command.ts';
import { findBrowser, type Browser } from './find-browser.ts';
import { installPackages, mayInstallPackages, runVisibly } from './install-packages.ts';

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
    if (mayInstallPackages() && playwright('install-deps', 'chromium')) return;
  }
  installPackages('chromium');
}

function playwright(...commandAndOptions: string[]): boolean {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  return runVisibly(process.execPath, cli, ...commandAndOptions);
}
