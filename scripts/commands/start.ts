import { announceBuild, rememberBuildTime } from '../build/build-time.ts';
import { buildSite } from '../build/build-site.ts';
import type { Command } from '../../src/command-line/commands/command.ts';
import { serve } from '../../src/command-line/commands/serve.ts';

/** `npm start`, in this repository only: builds the site and runs `serve` on it. */
export const start: Command = async (words, installation, signal) => {
  const isHelp = words.some((word) => word === '--help' || word === '-h');
  await serve(isHelp ? words : [await build(), ...words], installation, signal);
};

async function build(): Promise<string> {
  console.error(announceBuild());
  const begun = performance.now();
  const folder = await buildSite();
  rememberBuildTime((performance.now() - begun) / 1000);
  return folder;
}
