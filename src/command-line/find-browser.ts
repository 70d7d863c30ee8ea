import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

export interface Browser {
  /** Path of the executable. */
  readonly path: string;
}

const SYSTEM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The first Chromium or Chrome found: `CHROME_PATH`, Playwright's own, a system one. */
export function findBrowser(): Browser {
  const candidates = [process.env['CHROME_PATH'], chromium.executablePath(), ...SYSTEM_PATHS];
  const path = candidates.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error('No Chromium or Chrome found. Install one, or set CHROME_PATH to its executable.');
  return { path };
}
