import type { WorkerDeath } from '../chaos-browser.ts';
import type { Tab } from '../tabs/tab.ts';
import type { Cause } from './explain-error.ts';
import type { HarmLog, Span } from './harm-log.ts';
import { PAGE_NOT_THERE, type Harm } from './judge.ts';

/** Milliseconds after a fault within which it ends the service worker. */
const FAULT_EFFECT = 3000;

/** Milliseconds by which a busy browser may report a worker's death later than the page notices it. */
export const NEWS_TIME = 2000;

/** Milliseconds after a fault in which it still strikes requests that are sent. */
const STRIKE_TIME = 500;

/** Milliseconds after which a fault no longer explains an error, even if the tab has had no right answer since. */
const LONGEST_CAUSE = 60_000;

/** Milliseconds for which Chromium may give no graphics adapter after its GPU process has crashed. */
const GPU_AWAY = 300_000;

/** Milliseconds for which the endpoint may still be busy with a crowd of requests, also if it has answered the tab since. */
const CROWD_TIME = 5000;

/** Milliseconds for a newer build to be found, to load, and to take over from one that answers meanwhile. */
const TAKE_OVER_TIME = 10_000;

/** Milliseconds after which a context tries again to open a database that it could not open while there was no room. */
const REOPENED_AFTER = 10_000;

/** A request, with times of `performance.now()`. */
export interface Times {
  readonly start: number;
  readonly end: number;
  /** When the tab sent the last request that was answered right; −∞ if none was. */
  readonly healthy: number;
  /** Whether the page has loaded itself anew. */
  readonly reload: boolean;
}

/** Finds the faults during a request that explain its failure. */
export function findHarm(
  harms: HarmLog,
  deaths: readonly WorkerDeath[],
  tab: Tab,
  { start, end, healthy, reload }: Times,
): Harm {
  const [earliest, latest] = [start - NEWS_TIME, end + NEWS_TIME];
  const isFaultOf = (time: number) =>
    harms.serviceWorkerFaults.some((fault) => fault <= time && fault > time - FAULT_EFFECT);
  const isServiceWorkerEnded = (from: number) =>
    deaths.some(({ worker, time }) => worker === 'service worker' && time >= from && time <= latest && isFaultOf(time));
  const loaded = tab.loadedBefore(start);
  const since = Math.max(healthy, start - LONGEST_CAUSE) - NEWS_TIME;
  const happened = (times: readonly number[], from = since) => times.some((time) => time >= from && time <= latest);
  const lasted = (spans: readonly Span[]) => spans.some((span) => overlaps(span, since, latest));
  const engineEnds = deaths.filter(({ worker }) => worker === 'engine').map(({ time }) => time);
  const causes: readonly (readonly [Cause, boolean])[] = [
    ['engine ended', happened(engineEnds)],
    ['service worker ended', isServiceWorkerEnded(since)],
    ['tab stopped', lasted(harms.stops) || lasted(harms.pauses)],
    ['outage', lasted(harms.outages)],
    ['upstream away', lasted(harms.upstreamOutages)],
    ['data cleared', happened(harms.clearings)],
    ['GPU crashed', happened(harms.gpuCrashes, start - GPU_AWAY)],
    ['new build', happened(harms.builds, since - TAKE_OVER_TIME)],
    ['model removed', happened(harms.removals)],
    ['permission revoked', happened(harms.revocations)],
    ['no room', lasted(harms.fullStores.map(({ start, end }) => ({ start, end: end + REOPENED_AFTER })))],
    ['crowd', happened(harms.crowds, Math.min(since, start - CROWD_TIME))],
  ];
  return {
    tab: tab.endedBetween(earliest, latest),
    reload,
    frozen: tab.wasFrozenBetween(earliest, latest),
    serviceWorker: isServiceWorkerEnded(earliest),
    causes: new Set(causes.filter(([, is]) => is).map(([cause]) => cause)),
    endpoint:
      harms.clearings.some((time) => time > loaded - FAULT_EFFECT && time <= end) ||
      harms.outages.some((outage) => overlaps(outage, start, end)),
  };
}

/**
 * Whether a request was sent into a fault itself: one was applied while the request ran or was about to be sent, a crowd
 * of requests filled the queue, or the browser stored nothing after a model was removed, which thus could not be loaded.
 */
export function isStruck(harms: HarmLog, start: number, end: number): boolean {
  const { strikes, pauses, crowds, fullStores, removals } = harms;
  const from = start - STRIKE_TIME;
  const isFault = [...strikes, ...pauses].some((span) => overlaps(span, from, end));
  const isRemoved = removals.some((time) => time >= start - LONGEST_CAUSE && time <= end);
  const isWithoutModel = isRemoved && fullStores.some((span) => overlaps(span, from, end));
  return isFault || isWithoutModel || crowds.some((time) => time >= from && time <= end);
}

/**
 * Whether the browser shows a page of its own because the site's was loaded while the server was away, and no service worker
 * was there to answer in its place.
 */
export function isWithoutPage(outcome: string, { causes }: Pick<Harm, 'causes'>): boolean {
  const isUnserved = causes.has('service worker ended') || causes.has('data cleared');
  return outcome === PAGE_NOT_THERE && causes.has('outage') && isUnserved;
}

function overlaps(span: Span, start: number, end: number): boolean {
  return span.start <= end && span.end >= start;
}
