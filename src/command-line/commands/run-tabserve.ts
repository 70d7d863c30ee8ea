import { ask } from './ask.ts';
import { bridge } from './bridge.ts';
import type { Command, Installation } from './command.ts';
import { host } from './host.ts';
import { hub } from './hub.ts';
import { init } from './init.ts';
import { packageVersion } from '../project-folders.ts';
import { CommandFailure, runCommand } from '../run-command.ts';
import { serve } from './serve.ts';

const COMMANDS = { init, serve, host, hub, ask, bridge };

const USAGE = `An OpenAI-compatible chat-completions endpoint that lives entirely in the browser.

  npx tabserve init FOLDER   copies the worker scripts and the built-in models to a site
  npx tabserve serve FOLDER  serves a built site with the headers that it needs
  npx tabserve host FOLDER   writes into a built site what hosts need: headers, samples, a workflow
  npx tabserve hub FOLDER    makes a hub, whose models and engine other sites use
  npx tabserve ask "…"       asks in a headless browser and prints the answer
  npx tabserve bridge        offers the endpoint to programs outside the browser

  --help                     behind a command, lists its options
  --version                  prints the package's version`;

/**
 * Runs the command that the process's arguments name, and exits.
 * @param further Additional commands by name. Default: none.
 */
export function runTabserve(
  installation: Installation,
  further: Readonly<Record<string, Command>> = {},
): Promise<never> {
  const commands = new Map<string, Command>(Object.entries({ ...COMMANDS, ...further }));
  return runCommand(async (signal) => {
    const [name = '--help', ...words] = process.argv.slice(2);
    if (name === '--help' || name === '-h') return console.log(USAGE);
    if (name === '--version') return console.log(packageVersion());
    const command = commands.get(name);
    if (!command) {
      const known = [...commands.keys()].join(', ');
      throw new CommandFailure(`There is no command "${name}", only ${known}; npx tabserve --help tells more.`);
    }
    await command(words, installation, signal);
  });
}
