import type { LaunchOptions } from 'playwright';
import type { Site } from '../../src/command-line/http-server/serve-built-site.ts';
import type { BrowserWithoutDebugger } from '../support/browsers/browser-without-debugger.ts';
import { summarise, type Summary } from '../../src/bench/statistics.ts';

export interface BenchContext {
  readonly launch: LaunchOptions;
  /** Browser for pages that run without a debugger. */
  readonly browser: BrowserWithoutDebugger;
  /** Address of the site; the bench's modules are in `/test-clients/`. */
  readonly url: string;
  readonly dist: string;
  /** Serves the site once more; its pages may also reach the given origins. */
  readonly serve: (reachable: readonly string[]) => Promise<Site>;
  readonly rounds: number;
}

export interface Measurement extends Summary {
  readonly name: string;
  readonly unit: string;
  /** Lower or upper bound of the median. */
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
