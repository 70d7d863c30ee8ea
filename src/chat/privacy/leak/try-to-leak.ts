import { sleep, withTimeout } from '../../../shared/timeout.ts';
import { documentHeader, enforcesAllowlist } from '../../browser/document-policy.ts';
import { absent, make, type Attempt, type AttemptPlace, type Attempts } from './attempt.ts';
import { elementAttempts } from './element-attempts.ts';
import { isAtHost, leakHost } from './leak-host.ts';
import { judgeLeak, LEAK_WAYS, type AttemptOutcome, type LeakVerdict, type LeakWay } from './leak-verdict.ts';
import { requestAttempts } from './request-attempts.ts';
import { webrtcAttempts } from './webrtc-attempts.ts';
import { workerAttempts } from './worker-attempts.ts';

/** Milliseconds for all attempts, which run side by side. */
const PATIENCE = 6000;

/** Milliseconds for the event of the policy after an attempt has failed. */
const REPORT_DELAY = 1500;

const hint =
  (rel: string): Attempt =>
  ({ host, stage }) => {
    stage.append(make('link', { rel, href: `https://${host}/` }));
    return { kind: 'hidden' };
  };

const HINTS: Attempts<'preconnect' | 'dns-hint' | 'page-navigation' | 'window-open'> = {
  preconnect: hint('preconnect'),
  'dns-hint': hint('dns-prefetch'),
  'page-navigation': () => ({ kind: 'untried' }),
  'window-open': () => ({ kind: 'untried' }),
};

/**
 * Tries every way out of this page, to hosts that cannot exist, and says what the browser stopped. It needs no network,
 * opens no window and leaves nothing on the page. Takes some seconds.
 */
export async function tryToLeak(): Promise<readonly LeakVerdict[]> {
  const run = crypto.randomUUID().slice(0, 8);
  const host = (way: LeakWay) => leakHost(way, run);
  const allowlist = enforcesAllowlist() ? await documentHeader('connection-allowlist') : null;
  const ending = new AbortController();
  const { signal } = ending;
  const violations = new Map<LeakWay, string>();
  const reported = new EventTarget();
  const timed: string[] = [];

  const noteViolation = (address: string, directive: string) => {
    const way = LEAK_WAYS.find((way) => isAtHost(address, host(way)));
    if (way === undefined || violations.has(way)) return;
    violations.set(way, directive);
    reported.dispatchEvent(new Event(way));
  };
  document.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI, effectiveDirective, disposition }) => {
      if (disposition === 'enforce') noteViolation(blockedURI, effectiveDirective);
    },
    { signal },
  );
  const attempts: Attempts<LeakWay> = {
    ...requestAttempts,
    ...elementAttempts,
    ...webrtcAttempts,
    ...HINTS,
    ...workerAttempts(
      { fetch: host('worker-fetch'), import: host('worker-import') },
      { onViolation: noteViolation, onTimed: (addresses) => timed.push(...addresses) },
      signal,
    ),
  };
  const stage = openStage();

  /** Returns what the attempt observed, as soon as it or the policy's event says something. */
  const observe = async (way: LeakWay): Promise<AttemptOutcome> => {
    const stopped = new Promise<AttemptOutcome>((resolve) => {
      reported.addEventListener(way, () => resolve({ kind: 'ended' }), { once: true });
    });
    const outcome = await withTimeout(
      PATIENCE,
      Promise.race([start(attempts[way], { host: host(way), stage, allowlist, signal }), stopped]),
      { kind: 'ended' } as const,
    );
    const mayBeReported = (outcome.kind === 'ended' || outcome.kind === 'refused') && !violations.has(way);
    if (mayBeReported) await Promise.race([stopped, sleep(REPORT_DELAY)]);
    return outcome;
  };

  try {
    const outcomes = await Promise.all(LEAK_WAYS.map(async (way) => ({ way, outcome: await observe(way) })));
    timed.push(...performance.getEntriesByType('resource').map(({ name }) => name));
    return outcomes.map(({ way, outcome }) =>
      judgeLeak(way, outcome, {
        directive: violations.get(way) ?? null,
        isTimed: timed.some((address) => isAtHost(address, host(way))),
        allowlist,
      }),
    );
  } finally {
    ending.abort();
    stage.remove();
  }
}

async function start(attempt: Attempt, place: AttemptPlace): Promise<AttemptOutcome> {
  try {
    return await attempt(place);
  } catch (thrown) {
    // This browser has no such interface, so nothing had to stop it.
    if (thrown instanceof ReferenceError) return absent(thrown.message);
    return { kind: 'refused', detail: thrown instanceof Error ? thrown.name : String(thrown) };
  }
}

/** Returns a new element that is laid out, so that its styles load, but neither seen nor read aloud nor focused. */
function openStage(): HTMLElement {
  const stage = make('div', { inert: true, ariaHidden: 'true' });
  stage.style.cssText = 'position: fixed; width: 1px; height: 1px; overflow: hidden; opacity: 0; contain: strict';
  document.body.append(stage);
  return stage;
}
