import { withTimeout } from '../../src/shared/timeout.ts';
import type { ChaosBrowser } from './chaos-browser.ts';

/** Milliseconds for a worker to answer. */
const ANSWER_TIME = 12_000;

/** Tells, from within a worker, which of the browser's services answer it. Each of them hangs at times after the site's data were cleared. */
const EXPRESSION = `(async () => {
  const within = (work) => Promise.race([
    work().then((value) => String(value), String),
    new Promise((resolve) => setTimeout(resolve, 3000, 'silent')),
  ]);
  const entries = async (name) => (await (await caches.open(name)).keys()).length;
  const [names, gguf, partial, locks, script, database] = await Promise.all([
    within(() => caches.keys()),
    within(() => entries('tabserve/gguf')),
    within(() => entries('tabserve/partial')),
    within(async () => (await navigator.locks.query()).held.length),
    within(async () => (await fetch(location.href, { cache: 'no-store' })).status),
    within(async () => (await indexedDB.databases()).length),
  ]);
  return { name: self.name, age: Math.round(performance.now()), names, gguf, partial, locks, script, database };
})()`;

/** Describes the state of each worker for the report of a failure. Attaches the debugger to them for a moment. */
export function describeEngines(browser: Pick<ChaosBrowser, 'withEngine' | 'workers'>): Promise<readonly unknown[]> {
  const command = { expression: EXPRESSION, awaitPromise: true, returnByValue: true };
  return Promise.all(
    browser.workers.map((worker) => {
      const asked = browser.withEngine(worker, (session) => session.send('Runtime.evaluate', command));
      const told = asked.then(({ result }) => result.value as unknown, String);
      return withTimeout(ANSWER_TIME, told, 'no answer');
    }),
  );
}
