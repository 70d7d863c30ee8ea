import { expect, test } from '@playwright/test';
import type * as requestsModule from '../browser/in-page/requests.ts';
import { firefoxLaunchOptions } from '../support/firefox-launch-options.ts';
import { livingEngines, livingServiceWorkers } from '../support/held-locks.ts';
import { inPage } from '../support/in-page.ts';
import { openSite } from '../support/site-page.ts';

type Requests = typeof requestsModule;

// Firefox stops a service worker 30 s after the last event, streams or not; here after 2 s, sooner than any page sends one.
test.use({
  launchOptions: firefoxLaunchOptions({
    'dom.serviceWorkers.idle_timeout': 2000,
    'dom.serviceWorkers.idle_extended_timeout': 1000,
  }),
});

const SHORT = { text: 'How many days has a week?', maxTokens: 8 };

test('a service worker that was stopped for want of events answers the next request, with the engine it had', async ({
  page,
}) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  const expected = await requests.ask(SHORT);
  const engines = await livingEngines(page);
  expect(engines).toHaveLength(1);
  await expect.poll(() => livingServiceWorkers(page)).toEqual([]);
  expect(await requests.ask(SHORT)).toBe(expected);
  expect(await livingEngines(page)).toEqual(engines);
});
