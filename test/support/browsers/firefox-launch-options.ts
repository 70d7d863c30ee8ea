import type { LaunchOptions } from '@playwright/test';
import { findFirefox } from '../../../src/command-line/browser/find-firefox.ts';
import { firefoxDownloads } from './saved-file.ts';

/** Of `about:config`: what points at the page. Coarse is 1, fine 2, and 4 is what can stand above something. */
const pointer = (capabilities: number): Readonly<Record<string, number>> => ({
  'ui.primaryPointerCapabilities': capabilities,
  'ui.allPointerCapabilities': capabilities,
});

/** Of `about:config`: nothing but fingers. */
export const FINGERS = pointer(1);

/** Of `about:config`: what all tests want. */
export const FIREFOX_PREFERENCES = {
  'dom.webgpu.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  // The only way to read the clipboard: Firefox has no permission for it that could be granted.
  'dom.events.testing.asyncClipboard': true,
  ...pointer(2 + 4),
};

/**
 * How Firefox is started for tests: with WebGPU, by software on Linux, and with a mouse, which without a screen it does
 * not believe in.
 * @param preferences Further ones of its `about:config`.
 */
export function firefoxLaunchOptions(
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): LaunchOptions {
  const { path, environment } = findFirefox();
  return {
    executablePath: path,
    downloadsPath: firefoxDownloads(),
    env: { ...process.env, ...environment },
    firefoxUserPrefs: { ...FIREFOX_PREFERENCES, ...preferences },
  };
}
