import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of a built site's engine worker, for pages that are not part of the build. */
export function engineWorkerPath(site: string): string {
  const name = readdirSync(join(site, 'assets')).find((name) => name.startsWith('engine-worker-'));
  if (name === undefined) throw new Error(`The site in ${site} has no engine worker.`);
  return `/assets/${name}`;
}
