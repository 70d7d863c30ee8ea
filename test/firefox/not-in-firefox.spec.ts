import { test } from '@playwright/test';

// Tests that run in Chromium only, listed so that the report names them.
for (const { what, reason } of [
  { what: 'a service worker stopped before the head of its answer', reason: 'it cannot be stopped at a given moment' },
  { what: 'an engine that dies in the middle of an answer', reason: 'no command ends a worker from outside' },
  { what: 'the steps that a cancelled answer still takes', reason: 'no debugger looks into a shared worker' },
  { what: 'a lost graphics device', reason: 'no command ends the graphics process' },
  { what: 'a hard reload', reason: 'Playwright has none for it' },
  { what: 'a touch', reason: 'its driver has none; what a page shows for fingers is clicked' },
  { what: 'the colours that the system forces, or prefers', reason: 'its driver cannot choose them' },
  { what: 'a disk without room', reason: 'no command limits what a site may store' },
  { what: 'the browser’s own verdict on installing the page', reason: 'it has no such question' },
]) {
  test.skip(`${what}: not in Firefox, ${reason}`, () => {});
}
