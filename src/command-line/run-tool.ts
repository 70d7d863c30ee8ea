import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { PROJECT_FOLDER } from './project-folders.ts';

export interface ToolOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its output goes. Default: this process's own. */
  readonly output?: 'inherit' | 'standard-error' | 'ignore';
}

/**
 * Runs a command line of this project in its root folder, with the tools that `npm ci` installed on its PATH,
 * so that it works the same on every system and however this process was started.
 *
 * @returns its exit status; 1 when a signal ended it.
 */
export async function runTool(commandLine: string, options: ToolOptions = {}): Promise<number> {
  const { environment = {}, output = 'inherit' } = options;
  const standardOutput = output === 'standard-error' ? 2 : output;
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const child = spawn(commandLine, {
    shell: true,
    cwd: PROJECT_FOLDER,
    stdio: ['ignore', standardOutput, output === 'ignore' ? 'ignore' : 2],
    env: {
      ...process.env,
      [pathName]: join(PROJECT_FOLDER, 'node_modules/.bin') + delimiter + (process.env[pathName] ?? ''),
      ...environment,
    },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}
