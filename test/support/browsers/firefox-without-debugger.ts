import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Firefox } from '../../../src/command-line/browser/find-firefox.ts';
import { FIREFOX_PREFERENCES } from './firefox-launch-options.ts';
import type { BrowserWithoutDebugger } from './browser-without-debugger.ts';

/** Firefox preferences that suppress the actions of a first start. */
const NOTHING_ELSE = {
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** A Firefox with the tests' preferences, but without remote control. */
export function firefoxWithoutDebugger({ path, environment }: Firefox): BrowserWithoutDebugger {
  const preferences = { ...FIREFOX_PREFERENCES, ...NOTHING_ELSE };
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
