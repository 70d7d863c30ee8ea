import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from '../../../scripts/build/build-when-stale.ts';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { parseCount, parseOptions } from '../../../src/command-line/parse-options.ts';
import { runCommand } from '../../../src/command-line/run-command.ts';
import { SeededRandom } from '../seeded-random.ts';
import { runMoment } from './run-moment.ts';

const USAGE = `Ends the chat page at random moments of its use, and looks for every word that was written before.

  npm run lost-text -- [options]

  --moments NUMBER  how many (default 10)
  --first NUMBER    the first of them (default 1)
  --seed NUMBER     the moments to repeat (default 2784)
  --at-once NUMBER  how many at the same time, each in a browser of its own (default 1)
  --dist FOLDER     the built site (default: this repository's, built if it is older than its sources)

A page is killed, alone or with its browser, closed, reloaded, or finds no room to write. Afterwards it must show every word up to
a second before. The exit status is 1 if one is missing.`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    moments: { type: 'string', default: '10' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string', default: '2784' },
    'at-once': { type: 'string', default: '1' },
    dist: { type: 'string' },
  });
  const moments = parseCount('--moments', values.moments);
  const first = parseCount('--first', values.first);
  const random = new SeededRandom(parseCount('--seed', values.seed));
  const scratch = mkdtempSync(join(tmpdir(), 'tabserve-lost-text-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 10 }));
  const folder = join(scratch, 'site');
  cpSync(values.dist ?? (await buildWhenStale()), folder, { recursive: true });
  const site = await serveBuiltSite({ folder });
  const failed: string[] = [];
  let next = first;
  const runMoments = async (profile: string): Promise<void> => {
    while (next < first + moments && !signal.aborted) {
      const moment = next++;
      const { words, action, ending, missing } = await runMoment(site.url, profile, random.fork(`moment ${moment}`));
      const line = `${moment}: ${action}, ${ending}: ${words} words`;
      console.log(missing.length === 0 ? line : `${line}, LOST ${missing.join(' ')}`);
      if (missing.length > 0) failed.push(`${action}, ${ending}`);
    }
  };
  const browsers = Array.from({ length: parseCount('--at-once', values['at-once']) }, (_, index) => `profile-${index}`);
  await Promise.all(browsers.map((profile) => runMoments(join(scratch, profile))));
  await site.close();
  console.log(`${failed.length} of ${moments} moments lost a text. ${failed.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
});
