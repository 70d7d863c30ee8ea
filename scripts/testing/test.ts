import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { parseShard } from './shard.ts';
import { runSteps } from './run-steps.ts';
import { allStages, fastStages, restStages } from './stages.ts';
import { formatCounts } from './test-report.ts';
import { formatTimes } from './time-table.ts';

const USAGE = `Runs the tests.

  npm test                     answers in minutes: types, format, lint, unused code, build, all unit tests, one walk through
                               every subsystem in Chromium, one answer in Firefox, and the packed package
  npm run test:all             everything
  npm run test:all -- --rest   what \`npm test\` has not run; needs the built site

  --shard NUMBER/COUNT         of all tests, one of as many parts; for test:all
  --install                    installs browsers that are missing, on Debian as root also their system packages
                               and pip, and fetches the GGUF model of some tests (98 MB)
  --slowest COUNT              lines of the table of times (default: 20, for test:all every file)`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    all: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    shard: { type: 'string' },
    install: { type: 'boolean', default: false },
    slowest: { type: 'string' },
  });
  const { all, rest, install } = values;
  if (!all && (rest || values.shard !== undefined))
    throw new CommandFailure('--rest and --shard belong to the full run: npm run test:all -- --help.');
  const shard = values.shard === undefined ? null : parseShard(values.shard);
  const stagesOf = !all ? fastStages : rest ? restStages : allStages;

  const { lines, files, remarks, total } = await runSteps(stagesOf({ install, shard }), signal);
  if (signal.aborted) return 1;
  const slowest = values.slowest === undefined ? (all ? Infinity : 20) : parseCount('--slowest', values.slowest);
  // The counts come last, because readers look at the end of a log first.
  const parts = [formatTimes(files, slowest), lines, remarks, [formatCounts(total)]].filter((part) => part.length > 0);
  console.log(`\n${parts.map((part) => part.join('\n')).join('\n\n')}`);
  return total.failed ? 1 : 0;
});
