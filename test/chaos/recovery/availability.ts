import { BYPASSED, LEFT_BY_CLEARING, RIGHT_ELSEWHERE } from '../judge/judge.ts';
import type { RequestRecord } from '../tabs/traffic.ts';
import type { Recovery } from './await-recovery.ts';
import type { DeadBrowser } from './dead-browser.ts';

/** How well the endpoint was available between faults. Times in milliseconds, by the clock of available processor time. */
export interface Availability {
  /** Requests that no fault struck, and how many of them were answered right. */
  readonly requests: number;
  readonly right: number;
  /** Number of measured recoveries of a tab. */
  readonly recoveries: number;
  /** Share of the recoveries within ten seconds; 1 if there is none. */
  readonly soon: number;
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
  /** The longest recovery that a defect of the browser prolonged; 0 if none did. */
  readonly worstWithDefect: number;
}

/** What the endpoint must reach. The share of right answers of fewer requests than `fewest` depends on chance. */
const BARS = { right: 0.95, fewest: 200, worst: { sharedWorker: 30_000, dedicatedWorker: 45_000 } };

/** Milliseconds of a recovery that a person hardly notices as an outage. */
const SOON = 10_000;

/** Outcomes of requests that got what they asked for. */
const RIGHT: readonly string[] = ['right', RIGHT_ELSEWHERE, 'refused'];
/** Outcomes that say nothing about the endpoint: the page left, or the browser led its requests past the service worker. */
const NOT_COUNTED: readonly string[] = [
  'left',
  'lost with its tab',
  'its page loaded itself anew',
  LEFT_BY_CLEARING,
  BYPASSED,
];

/** @param dead Times in which the browser was broken. What was asked then says nothing about the endpoint. */
export function availabilityOf(
  requests: readonly RequestRecord[],
  recoveries: readonly Recovery[],
  dead: readonly Pick<DeadBrowser, 'since' | 'time'>[] = [],
): Availability {
  const counted = requests.filter(
    ({ end, struck, outcome }) =>
      !struck && !NOT_COUNTED.includes(outcome) && !dead.some(({ since, time }) => end >= since && end <= time),
  );
  const times = recoveries.filter(({ defect }) => defect === null).map(({ available }) => available);
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return {
    requests: counted.length,
    right: counted.filter(({ outcome }) => RIGHT.includes(outcome)).length,
    recoveries: sorted.length,
    soon: sorted.length === 0 ? 1 : sorted.filter((time) => time <= SOON).length / sorted.length,
    median: at(0.5),
    p95: at(0.95),
    worst: at(1),
    worstWithDefect: Math.max(
      0,
      ...recoveries.filter(({ defect }) => defect !== null).map(({ available }) => available),
    ),
  };
}

/** Returns a sentence for each bar that was missed. */
export function missedBars({ requests, right, worst }: Availability, sharedWorker: boolean): string[] {
  const bar = sharedWorker ? BARS.worst.sharedWorker : BARS.worst.dedicatedWorker;
  return [
    ...(requests >= BARS.fewest && right < requests * BARS.right
      ? [`Only ${right} of ${requests} requests that no fault struck were answered right.`]
      : []),
    ...(worst > bar ? [`A tab needed ${(worst / 1000).toFixed(1)} s to recover, more than ${bar / 1000} s.`] : []),
  ];
}
