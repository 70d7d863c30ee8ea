import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstallFirefox } from '../../src/command-line/find-firefox.ts';
import { firefoxLaunchOptions } from './firefox-launch-options.ts';
import type { UnwatchedBrowser } from './unwatched-browser.ts';

/** Of `about:config`: what a first start would do beside opening a page. */
const NOTHING_ELSE = {
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** The Firefox of this machine as the tests have it, but without the remote agent. */
export function unwatchedFirefox(): UnwatchedBrowser {
  const { path, environment } = findOrInstallFirefox();
  const preferences = { ...firefoxLaunchOptions().firefoxUserPrefs, ...NOTHING_ELSE };
  return {
    path,
    environment,
    arguments(profile) {
      const lines = Object.entries(preferences).map(
        (entry) => `user_pref(${entry.map((one) => JSON.stringify(one)).join()});`,
      );
      writeFileSync(join(profile, 'user.js'), lines.join('\n'));
      return ['--headless', '--no-remote', '--profile', profile];
    },
  };
}
