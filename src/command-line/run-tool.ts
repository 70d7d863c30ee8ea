import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT_FOLDER } from './project-folders.ts';

/** `held` is this process's own too, all at once when the tool has ended: for what runs beside something else. */
export type ToolOutput = 'inherit' | 'held' | 'standard-error' | 'ignore';

export interface ToolOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its output goes. Default: this process's own. */
  readonly output?: ToolOutput;
}

/**
 * Runs a command line of this project in its root folder, with the tools that `npm ci` installed on its PATH,
 * so that it works the same on every system and however this process was started.
 *
 * @returns its exit status; 1 when a signal ended it.
 */
export async function runTool(commandLine: string, options: ToolOptions = {}): Promise<number> {
  const { environment = {}, output = 'inherit' } = options;
  if (output === 'held') return runHeld(commandLine, environment);
  const standardOutput = output === 'standard-error' ? 2 : output;
  return run(commandLine, environment, [standardOutput, output === 'ignore' ? 'ignore' : 2]);
}

async function run(
  commandLine: string,
  environment: Readonly<Record<string, string>>,
  outputs: readonly [standardOutput: number | 'inherit' | 'ignore', standardError: number | 'ignore'],
): Promise<number> {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const child = spawn(commandLine, {
    shell: true,
    cwd: PROJECT_FOLDER,
    stdio: ['ignore', ...outputs],
    env: {
      ...process.env,
      [pathName]: join(PROJECT_FOLDER, 'node_modules/.bin') + delimiter + (process.env[pathName] ?? ''),
      ...environment,
    },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}

/** A file holds the output: a pipe would be open for as long as anything that the tool has left behind. */
async function runHeld(commandLine: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-output-'));
  const path = join(folder, 'output');
  const file = openSync(path, 'a');
  try {
    return await run(commandLine, environment, [file, file]);
  } finally {
    closeSync(file);
    process.stdout.write(readFileSync(path));
    rmSync(folder, { recursive: true });
  }
}
