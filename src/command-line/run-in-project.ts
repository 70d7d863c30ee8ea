import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT_FOLDER } from './project-folders.ts';

/**
 * `held` prints all output when the tool ends, so that parallel tools do not mix; `on-failure` prints it to standard
 * error only if the tool fails.
 */
export type OutputMode = 'inherit' | 'held' | 'on-failure' | 'ignore';

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `inherit`. */
  readonly output?: OutputMode;
}

/**
 * Runs a command line in the project's root, with `node_modules/.bin` on its PATH.
 * @returns the exit status; 1 if a signal ended it.
 */
export async function runInProject(commandLine: string, options: RunOptions = {}): Promise<number> {
  const { environment = {}, output = 'inherit' } = options;
  if (output === 'held' || output === 'on-failure') return runHeld(commandLine, environment, output);
  return run(commandLine, environment, [output, output === 'ignore' ? 'ignore' : 2]);
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

/** Collects the output in a file: a pipe would stay open while any background process of the tool lives. */
async function runHeld(
  commandLine: string,
  environment: Readonly<Record<string, string>>,
  output: 'held' | 'on-failure',
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-output-'));
  const path = join(folder, 'output');
  const file = openSync(path, 'a');
  let status = 1;
  try {
    status = await run(commandLine, environment, [file, file]);
    return status;
  } finally {
    closeSync(file);
    if (output === 'held') process.stdout.write(readFileSync(path));
    else if (status !== 0) process.stderr.write(readFileSync(path));
    rmSync(folder, { recursive: true });
  }
}
