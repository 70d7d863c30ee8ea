import type { LaunchOptions } from '@playwright/test';
import { findFirefox } from '../../src/command-line/find-firefox.ts';

/**
 * How Firefox is started for tests: with WebGPU, by software on Linux.
 * @param preferences Further ones of its `about:config`.
 */
export function firefoxLaunchOptions(
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): LaunchOptions {
  const { path, environment } = findFirefox();
  return {
    executablePath: path,
    env: { ...process.env, ...environment },
    firefoxUserPrefs: { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true, ...preferences },
  };
}
