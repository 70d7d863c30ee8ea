import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure } from '../../src/command-line/run-command.ts';
import { runInProject } from '../run-in-project.ts';

const STEPS = [
  { name: 'Built-in models', commandLine: 'npm run --silent build:pocket' },
  { name: 'Site', commandLine: 'vite build' },
  { name: 'Sizes', commandLine: 'tsx scripts/build/check-site-sizes.ts' },
];

/**
 * Builds the site and prints each step with its time to standard error. A failed step prints its whole log.
 * @param output `inherit` prints every log. Default: `on-failure`.
 * @returns the folder of the built site.
 * @throws {CommandFailure} if a step fails.
 */
export async function buildSite(output: 'inherit' | 'on-failure' = 'on-failure'): Promise<string> {
  for (const { name, commandLine } of STEPS) {
    const start = performance.now();
    const status = await runInProject(commandLine, { output });
    if (status !== 0) throw new CommandFailure(`Build: ${name} failed (${commandLine}), see above.`);
    console.error(`Build: ${name}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  return DIST_FOLDER;
}
