import { BYPASSED, PAGE_NOT_THERE } from '../judge/judge.ts';

interface Entry {
  readonly start: number;
  readonly end: number;
  readonly outcome: string;
}

/** Outcomes of requests that a page sent while its server was away and no service worker answered in its place. */
const AWAY: readonly string[] = ['endpoint away', PAGE_NOT_THERE];

/** The requests of one tab that have ended. Times are of `performance.now()`. */
export class TabHistory {
  readonly #entries: Entry[] = [];

  note(start: number, end: number, outcome: string): void {
    this.#entries.push({ start, end, outcome });
  }

  /** When the last request that was answered right was sent; −∞ if none was. */
  get healthy(): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#right.map(({ start }) => start));
  }

  /** Whether the last request got no answer because the site's server was away. */
  get isAway(): boolean {
    return AWAY.includes(this.#entries.at(-1)?.outcome ?? '');
  }

  /** End of the first right answer to a request that was sent after `time`; null if there is none. */
  rightAfter(time: number): number | null {
    const ends = this.#right.filter(({ start }) => start >= time).map(({ end }) => end);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /** Whether the browser has led a request past the service worker since `time`. */
  wasBypassedSince(time: number): boolean {
    return this.#entries.some(({ end, outcome }) => end >= time && outcome === BYPASSED);
  }

  get #right(): readonly Entry[] {
    return this.#entries.filter(({ outcome }) => outcome === 'right');
  }
}
