import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Playwright from 'playwright';
import { systemBrowserCandidates } from './browser-candidates.ts';
import { browserMajorVersion } from './browser-version.ts';
import { CommandFailure } from '../run-command.ts';

export interface Browser {
  /** Path of the executable. */
  readonly path: string;
  /** Major version, such as 124. */
  readonly version: number;
}

/** The first Chromium version with WebGPU in shared workers. */
const OLDEST_USABLE_VERSION = 124;

/**
 * Finds the first usable Chromium, Chrome or Edge: `CHROME_PATH`, Playwright's, then a system one.
 * @throws {CommandFailure} if there is none, or if `CHROME_PATH` is unusable.
 */
export function findBrowser(): Browser {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) return useBrowser(chosen);

  const ofPlaywright = playwrightChromium();
  const candidates = [
    ...(ofPlaywright === null ? [] : [ofPlaywright]),
    ...systemBrowserCandidates({ platform: process.platform, environment: process.env }),
  ];
  const complaints: string[] = [];
  for (const path of candidates.filter((candidate) => existsSync(candidate))) {
    try {
      return useBrowser(path);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      complaints.push(error.message);
    }
  }
  const remedy = ofPlaywright === null ? 'install one' : '`npx playwright install --with-deps chromium` installs one';
  throw new CommandFailure(
    complaints[0] ?? `No Chromium or Chrome was found: ${remedy}, or set CHROME_PATH to its executable.`,
  );
}

/**
 * Returns the path of Playwright's Chromium; null if Playwright is not installed: it is not a dependency of the
 * package.
 */
function playwrightChromium(): string | null {
  try {
    const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof Playwright;
    return chromium.executablePath();
  } catch {
    return null;
  }
}

function useBrowser(path: string): Browser {
  if (!existsSync(path))
    throw new CommandFailure(`CHROME_PATH names ${path}, where there is no file: correct or unset it.`);
  const majorVersion = browserMajorVersion(path);
  if (majorVersion === null) {
    throw new CommandFailure(
      `The browser ${path} does not start: run it with --version to see why, or set CHROME_PATH to another.`,
    );
  }
  if (majorVersion < OLDEST_USABLE_VERSION) {
    throw new CommandFailure(
      `The browser ${path} is version ${majorVersion}, but WebGPU in shared workers needs ${OLDEST_USABLE_VERSION} or newer: update it, or set CHROME_PATH to a newer one.`,
    );
  }
  return { path, version: majorVersion };
}
