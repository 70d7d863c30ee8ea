/** The ways out of a page that are tried, or that cannot be tried without bothering the person. */
export const LEAK_WAYS = [
  'fetch',
  'beacon',
  'web-socket',
  'event-source',
  'web-transport',
  'worker-fetch',
  'worker-import',
  'script-import',
  'image',
  'css-image',
  'style-sheet',
  'font',
  'plugin',
  'prefetch',
  'frame',
  'frame-navigation',
  'form',
  'stun',
  'peer',
  'frame-webrtc',
  'preconnect',
  'dns-hint',
  'page-navigation',
  'window-open',
] as const;
export type LeakWay = (typeof LEAK_WAYS)[number];

/** What an attempt itself observed. `detail` is a fact in the browser's own words, such as an exception's name. */
export interface AttemptOutcome {
  /**
   * - `absent`: this page has no such function.
   * - `refused`: the call threw an exception at once.
   * - `sent`: the attempt saw the browser sending or looking up something.
   * - `ended`: it failed or ended, which says nothing, since the host does not exist.
   * - `hidden`: no page can see what the browser did.
   * - `untried`: trying it would lead the person away.
   */
  readonly kind: 'absent' | 'refused' | 'sent' | 'ended' | 'hidden' | 'untried';
  readonly detail?: string;
}

/** What the browser reported about an attempt. */
export interface AttemptEvidence {
  /** The directive of the Content-Security-Policy that stopped the attempt; null if no event named its address. */
  readonly directive: string | null;
  /** Whether the browser's resource timings contain the attempt's address. */
  readonly isTimed: boolean;
  /**
   * The page's `Connection-Allowlist` header; null if there is none, or if the browser does not enforce it. A browser that
   * does, does not tell the page what it stops.
   */
  readonly allowlist: string | null;
}

export interface LeakVerdict {
  readonly way: LeakWay;
  /** `unseen`: a page cannot know. */
  readonly result: 'stopped' | 'absent' | 'open' | 'unseen';
  /** How that is known. */
  readonly basis:
    | 'policy'
    | 'exception'
    | 'absent'
    | 'observed'
    | 'timed'
    | 'no-report'
    | 'allowlist'
    | 'hidden'
    | 'untried';
  /** The directive, exception, observation or allowlist; empty if there is none. */
  readonly detail: string;
}

/**
 * Judges one attempt. Only the policy's own event and an exception at the call count as stopped. A failed request does not,
 * because it fails for a missing host just as well.
 */
export function judgeLeak(way: LeakWay, outcome: AttemptOutcome, evidence: AttemptEvidence): LeakVerdict {
  const { kind, detail = '' } = outcome;
  const { directive, isTimed, allowlist } = evidence;
  if (kind === 'sent') return { way, result: 'open', basis: 'observed', detail };
  if (directive !== null) return { way, result: 'stopped', basis: 'policy', detail: directive };
  if (kind === 'absent') return { way, result: 'absent', basis: 'absent', detail };
  if (kind === 'refused') return { way, result: 'stopped', basis: 'exception', detail };
  // A browser that obeys the allowlist still writes a resource timing, so that proves nothing beside it.
  if (allowlist !== null && kind !== 'hidden') return { way, result: 'unseen', basis: 'allowlist', detail: allowlist };
  if (kind === 'hidden' || kind === 'untried') return { way, result: 'unseen', basis: kind, detail };
  return { way, result: 'open', basis: isTimed ? 'timed' : 'no-report', detail };
}
