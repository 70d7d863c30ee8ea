import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs Chromium for `npm test -- --install`. It reports no failure, because the caller searches for the browser
 * afterwards.
 */
export function installChromium(): void {
  const withLibraries = mayInstallPackages() ? ['--with-deps'] : [];
  // Playwright's build needs no root access. If it cannot be downloaded, Debian's is installed.
  const isThere = runVisibly('npx', 'playwright', 'install', ...withLibraries, '--no-shell', 'chromium');
  if (!isThere) installPackages('chromium');
}

/** Installs Firefox with a software Vulkan driver. */
export function installFirefox(): void {
  installPackages('firefox-esr', 'mesa-vulkan-drivers');
}

/** Installs WebKitGTK with its WebDriver server and a virtual display. */
export function installWebKit(): void {
  installPackages('webkit2gtk-driver', 'xvfb');
}

/** Installs Python's `pip`, by which `npm run model` fetches models. */
export function installPip(): void {
  installPackages('python3-pip');
}

export function mayInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function installPackages(...names: readonly string[]): void {
  if (!mayInstallPackages()) return;
  runVisibly('apt-get', 'update', '-qq');
  runVisibly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names);
}

function runVisibly(program: string, ...parameters: readonly string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      // If a firewall blocks the downloads, Playwright tries every mirror; with its default of 30 s for each, that
      // takes minutes.
      PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: process.env['PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT'] ?? '10000',
    },
  });
  return status === 0;
}
