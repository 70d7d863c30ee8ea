import { test } from '@playwright/test';

// Tests that run in Chromium only, listed so that the report names them.
for (const { what, reason } of [
  { what: 'a service worker stopped before it sends headers', reason: 'it cannot be stopped at a given moment' },
  { what: 'an engine that dies during an answer', reason: 'no command ends a worker from outside' },
  { what: 'the decode steps after a cancellation', reason: 'no debugger looks into a shared worker' },
  { what: 'a lost GPU', reason: 'no command ends the graphics process' },
  { what: 'a hard reload', reason: 'Playwright has none for it' },
  { what: 'a touch', reason: 'its driver has none; what a page shows for fingers is clicked' },
  { what: 'forced and preferred colours', reason: 'its driver cannot choose them' },
  { what: 'a full disk', reason: 'no command limits what a site may store' },
  { what: 'the browser’s own verdict on installability', reason: 'it has no such question' },
]) {
  test.skip(`${what}: not in Firefox, ${reason}`, () => {});
}
