import type { LaunchOptions } from '@playwright/test';
import { findFirefox } from '../../../src/command-line/browser/find-firefox.ts';
import { firefoxDownloads } from './saved-file.ts';

/** Firefox preferences for the pointer: 1 is coarse, 2 is fine, 4 can hover. */
const pointer = (capabilities: number): Readonly<Record<string, number>> => ({
  'ui.primaryPointerCapabilities': capabilities,
  'ui.allPointerCapabilities': capabilities,
});

/** Firefox preferences for a touch screen only. */
export const FINGERS = pointer(1);

/** Firefox preferences of all tests. */
export const FIREFOX_PREFERENCES = {
  'dom.webgpu.enabled': true,
  'gfx.webgpu.ignore-blocklist': true,
  // Needed to read the clipboard, because Firefox has no permission for it that a test could grant.
  'dom.events.testing.asyncClipboard': true,
  ...pointer(2 + 4),
};

/**
 * Returns the launch options of Firefox: with WebGPU (simulated by the CPU on Linux) and with a mouse, which Firefox
 * does not detect without a screen. Firefox is searched when a test starts it, so that a machine without it can read the
 * configurations.
 * @param preferences Additional preferences.
 */
export function firefoxLaunchOptions(
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): LaunchOptions {
  return {
    get executablePath() {
      return findFirefox().path;
    },
    downloadsPath: firefoxDownloads(),
    get env() {
      return { ...process.env, ...findFirefox().environment };
    },
    firefoxUserPrefs: { ...FIREFOX_PREFERENCES, ...preferences },
  };
}
