import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * `npm test -- --install`: installs what the tests need and this machine lacks. Whether it worked, the finder of the
 * browser says afterwards.
 */
export function installChromium(): void {
  const withLibraries = mayInstallPackages() ? ['--with-deps'] : [];
  // Playwright's build serves any user of any system. Where it cannot be downloaded, Debian's may be had.
  const isThere = runVisibly('npx', 'playwright', 'install', ...withLibraries, '--no-shell', 'chromium');
  if (!isThere) installPackages('chromium');
}

/** Firefox with a Vulkan driver that needs no graphics card. */
export function installFirefox(): void {
  installPackages('firefox-esr', 'mesa-vulkan-drivers');
}

/** WebKitGTK with its WebDriver server, and a screen for it. */
export function installWebKit(): void {
  installPackages('webkit2gtk-driver', 'xvfb');
}

/** Whether this process may install packages of Debian or Ubuntu. */
export function mayInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function installPackages(...names: readonly string[]): void {
  if (!mayInstallPackages()) return;
  runVisibly('apt-get', 'update', '-qq');
  runVisibly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names);
}

/** @returns true when the program succeeded. */
function runVisibly(program: string, ...parameters: readonly string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      // Behind a firewall Playwright tries every mirror in turn; the default of 30 s each would add up to minutes.
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: process.env['PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT'] ?? '10000',
    },
  });
  return status === 0;
}
