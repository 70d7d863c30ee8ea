import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../run-command.ts';

/** A WebKit for tests, with a virtual display. */
export interface WebKit {
  /** Path of the WebDriver server. */
  readonly driver: string;
  /** Path of the browser that the server starts. */
  readonly path: string;
  /** Path of Xvfb, the virtual X server. */
  readonly display: string;
}

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';

/**
 * Finds WebKitGTK as packaged by Debian and Ubuntu. No other system has a freely available WebKit with a WebDriver
 * server.
 * @throws {CommandFailure} if a part is missing.
 */
export function findWebKit(): WebKit {
  const path = existsSync('/usr/lib')
    ? readdirSync('/usr/lib')
        .flatMap((folder) => ['4.1', '6.0'].map((api) => join('/usr/lib', folder, `webkit2gtk-${api}/MiniBrowser`)))
        .find((candidate) => existsSync(candidate))
    : undefined;
  if (path === undefined || !existsSync(DRIVER) || !existsSync(DISPLAY_SERVER))
    throw new CommandFailure(
      'No WebKitGTK with its driver was found: install it (Debian: `apt-get install webkit2gtk-driver xvfb`).',
    );
  return { driver: DRIVER, path, display: DISPLAY_SERVER };
}
