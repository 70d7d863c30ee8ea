import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { firefoxLaunchOptions } from './firefox-launch-options.ts';

/**
 * Returns the launch options of a browser in which no model can run.
 * @param preferences Additional preferences of Firefox.
 */
export function launchOptionsWithoutGpu(
  browserName: string,
  preferences: Readonly<Record<string, number>> = {},
): LaunchOptions {
  if (browserName === 'firefox') return firefoxLaunchOptions({ 'dom.webgpu.enabled': false, ...preferences });
  return {
    executablePath: findBrowser().path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  };
}

/**
 * For `test.use`: a browser in which no model can run. Features that need no model are tested in it, because the page
 * promises that they work there, and because it is faster.
 */
export const WITHOUT_GPU = {
  launchOptions: async (
    { browserName }: { browserName: string },
    use: (options: LaunchOptions) => Promise<void>,
  ): Promise<void> => use(launchOptionsWithoutGpu(browserName)),
};
