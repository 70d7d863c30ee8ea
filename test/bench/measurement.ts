import type { LaunchOptions } from 'playwright';
import type { Site } from '../../src/command-line/commands/serve-site.ts';
import type { UnwatchedBrowser } from '../support/browsers/unwatched-browser.ts';
import { summarise, type Summary } from './statistics.ts';

/** What a part of the bench is given. */
export interface BenchContext {
  readonly launch: LaunchOptions;
  /** The browser for pages that measure by themselves. */
  readonly browser: UnwatchedBrowser;
  /** Address of the site, with the bench's own modules in `/test-clients/`. */
  readonly url: string;
  /** Folder of the built site. */
  readonly dist: string;
  /** Serves the same once more, with pages that may also reach the given origins. */
  readonly serve: (reachable: readonly string[]) => Promise<Site>;
  readonly rounds: number;
}

export interface Measurement extends Summary {
  readonly name: string;
  readonly unit: string;
  /** What the median must reach, or keep below. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly values: readonly number[];
}

export function measurement(
  name: string,
  unit: string,
  values: readonly number[],
  target?: Measurement['target'],
): Measurement {
  return { name, unit, ...(target ? { target } : {}), ...summarise(values), values };
}
