import { runCommand } from '../../src/command-line/run-command.ts';
import { buildSite } from './build-site.ts';

/** Run by `npm run build`. */
await runCommand(async () => void (await buildSite('inherit')));
