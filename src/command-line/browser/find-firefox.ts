import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CommandFailure } from '../run-command.ts';

export interface Firefox {
  /** Path of the executable. */
  readonly path: string;
  /** Version, such as `153.7.0esr`. */
  readonly version: string;
  /** Additional environment variables; on Linux they select a software Vulkan driver. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The first Firefox version with WebGPU in shared workers. */
const OLDEST_USABLE_VERSION = 141;

const LINUX_NAMES = ['firefox-esr', 'firefox'];
const LINUX_FOLDERS = ['/usr/local/bin', '/usr/bin', '/snap/bin'];
const MAC_PATH = '/Applications/Firefox.app/Contents/MacOS/firefox';
const VULKAN_DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];

/**
 * Finds a Firefox that runs WebGPU without a graphics card: `FIREFOX_PATH` or, if it is not set, a system-wide one. On
 * Linux also finds lavapipe, Mesa's software Vulkan driver.
 * @throws {CommandFailure} if either is missing.
 */
export function findFirefox(): Firefox {
  const chosen = process.env['FIREFOX_PATH'];
  const path = chosen ?? candidates().find((candidate) => existsSync(candidate));
  if (path === undefined)
    throw new CommandFailure(
      'No Firefox was found: install one (Debian: `apt-get install firefox-esr`), or set FIREFOX_PATH to its executable.',
    );
  const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  const version = status === 0 ? /\bFirefox (\d+\.\S+)/.exec(stdout)?.[1] : undefined;
  if (version === undefined) throw new CommandFailure(`The browser ${path} does not start, or is not a Firefox.`);
  if (Number.parseInt(version, 10) < OLDEST_USABLE_VERSION)
    throw new CommandFailure(`Firefox ${version} is too old for WebGPU: ${OLDEST_USABLE_VERSION} or newer is needed.`);
  return { path, version, environment: process.platform === 'linux' ? softwareVulkan() : {} };
}

function candidates(): string[] {
  if (process.platform === 'darwin') return [MAC_PATH];
  if (process.platform !== 'linux') return [];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...new Set([...onPath, ...LINUX_FOLDERS])].flatMap((folder) => LINUX_NAMES.map((name) => join(folder, name)));
}

function softwareVulkan(): Record<string, string> {
  for (const folder of VULKAN_DRIVER_FOLDERS.filter((folder) => existsSync(folder))) {
    const driver = readdirSync(folder).find((name) => /^lvp_icd\..*json$/.test(name));
    if (driver !== undefined) return { VK_ICD_FILENAMES: join(folder, driver) };
  }
  throw new CommandFailure(
    'Mesa’s software Vulkan driver (lavapipe) was not found: install it (Debian: `apt-get install mesa-vulkan-drivers`).',
  );
}
