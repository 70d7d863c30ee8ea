import { sleep } from '../../../src/shared/timeout.ts';
import type { ChaosBrowser } from '../chaos-browser.ts';
import { withinIdleTime } from './idle-clock.ts';
import type { Startable } from '../in-page/start-control.ts';

/** Milliseconds of idle CPU time for starts that normally take far less than a second. */
const PATIENCE = 60_000;

const STARTABLE = [
  'page',
  'dedicated worker',
  'shared worker',
  'service worker',
  'graphics adapter',
] as const satisfies readonly Startable[];

/** The members of a browser that are used here. */
type TabOpener = Pick<ChaosBrowser, 'openTab' | 'ended'>;

/**
 * Finds out whether the browser or the site is broken: tries to open an empty page of another origin, to start workers
 * in it, and to get a GPU adapter.
 * @param url Address of the {@link ControlSite}.
 * @param patience Milliseconds of idle CPU time.
 * @returns what did not start; empty if the browser works.
 */
export async function findUnstartable(
  browser: TabOpener,
  url: string,
  patience: number = PATIENCE,
): Promise<readonly Startable[]> {
  const stop = new AbortController();
  const opening = untilDone(() => browser.openTab(url), browser, stop.signal);
  const start = async (what: Startable) => {
    const tab = await opening;
    return untilDone(() => tab.call('startControl', new URL(url).origin, what), browser, stop.signal);
  };
  const ends = STARTABLE.map((what) =>
    withinIdleTime(
      patience,
      start(what).then(
        () => 'started' as const,
        () => 'late' as const,
      ),
    ),
  );
  const outcomes = await Promise.all(ends);
  stop.abort();
  void opening.then((tab) => tab.close()).catch(() => {});
  return STARTABLE.filter((_, index) => outcomes[index] === 'late');
}

/** Repeats a failing attempt, because a navigation may be in progress. */
async function untilDone<Value>(
  attempt: () => Promise<Value>,
  browser: TabOpener,
  signal: AbortSignal,
): Promise<Value> {
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      if (browser.ended) throw thrown;
      await sleep(500, signal);
    }
  }
}
