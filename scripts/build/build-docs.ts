import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDeadLinks } from './find-dead-links.ts';
import { findUnsearchablePages } from './find-unsearchable-pages.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { runInProject } from '../run-in-project.ts';

/**
 * Builds the documentation site into `docs/.vitepress/dist`: the API reference from source comments, then the pages.
 * Installs missing tools from the lock file in `docs`. Fails on dead links and on pages that the site's search does not
 * find.
 */
await runCommand(async () => {
  const docs = join(PROJECT_FOLDER, 'docs');
  if (!existsSync(join(docs, 'node_modules'))) await step('npm ci --prefix docs --no-audit --no-fund --loglevel=error');
  await step('npm run --silent --prefix docs build');
  const site = join(docs, '.vitepress/dist');
  const dead = findDeadLinks(site);
  if (dead.length > 0) throw new CommandFailure(`These links are dead:\n${dead.join('\n')}`);
  const unsearchable = await findUnsearchablePages(site);
  if (unsearchable.length > 0)
    throw new CommandFailure(`The site's search does not find these pages:\n${unsearchable.join('\n')}`);
  console.log('The site is in docs/.vitepress/dist. To look at it: npm run --prefix docs preview');
});

async function step(commandLine: string): Promise<void> {
  if ((await runInProject(commandLine)) !== 0) throw new CommandFailure(`${commandLine} failed: see the errors above.`);
}
