import { expect, test, vi } from 'vitest';
import chromium from '../../playwright.config.ts';
import examples from '../../examples.config.ts';
import firefox from '../../firefox.config.ts';
import webkit from '../../webkit.config.ts';

vi.hoisted(() => {
  process.env['CHROME_PATH'] = '/nowhere/chromium';
  process.env['FIREFOX_PATH'] = '/nowhere/firefox';
});

test.each(Object.entries({ chromium, examples, firefox, webkit }))(
  'the configuration %s is read on a machine without a browser, which only a test needs',
  (_name, { use }) => {
    expect(() => use?.launchOptions?.executablePath).toThrow(/\/nowhere\/(chromium|firefox)/);
  },
);
