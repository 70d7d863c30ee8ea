import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDeadLinks } from './find-dead-links.ts';
import { PROJECT_FOLDER } from '../project-folders.ts';
import { CommandFailure, runCommand } from '../run-command.ts';
import { runTool } from '../run-tool.ts';

/**
 * Builds the documentation's site into `docs/.vitepress/dist`: the API reference from the comments in the source, then the
 * pages. Its tools are installed first where they are not, from the lock file in `docs`.
 */
await runCommand(async () => {
  const docs = join(PROJECT_FOLDER, 'docs');
  if (!existsSync(join(docs, 'node_modules'))) await step('npm ci --prefix docs --no-audit --no-fund --loglevel=error');
  await step('npm run --silent --prefix docs build');
  const dead = findDeadLinks(join(docs, '.vitepress/dist'));
  if (dead.length > 0) throw new CommandFailure(`These links lead nowhere:\n${dead.join('\n')}`);
});

async function step(commandLine: string): Promise<void> {
  if ((await runTool(commandLine)) !== 0) throw new CommandFailure(`${commandLine} failed: see the errors above.`);
}
