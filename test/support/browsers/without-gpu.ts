import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { firefoxLaunchOptions } from './firefox-launch-options.ts';

/**
 * How a browser is started in which no model can run.
 * @param preferences Further ones of Firefox.
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
 * For `test.use`: a browser in which no model can run. What needs no model must work there, and is tested
 * there: quicker, and as the page promises.
 */
export const WITHOUT_GPU = {
  launchOptions: async (
    { browserName }: { browserName: string },
    use: (options: LaunchOptions) => Promise<void>,
  ): Promise<void> => use(launchOptionsWithoutGpu(browserName)),
};
