import { findBrowser } from '../../src/command-line/find-browser.ts';

/**
 * For `test.use`: a browser in which no model can run. What needs no model must work there, and is tested
 * there: quicker, and as the page promises.
 */
export const WITHOUT_GPU = {
  launchOptions: {
    executablePath: findBrowser().path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  },
};
