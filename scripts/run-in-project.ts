import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT_FOLDER } from '../src/command-line/project-folders.ts';

/**
 * How a command's output is printed. `at-end` prints all of it when the command ends, so that the outputs of parallel
 * commands do not mix. `on-failure` prints it to standard error, and only if the command fails.
 */
export type OutputMode = 'inherit' | 'at-end' | 'on-failure' | 'ignore';

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `inherit`. */
  readonly output?: OutputMode;
  /** Receives standard output and standard error, mixed, when a command with `at-end` or `on-failure` ends. */
  readonly onOutput?: (output: string) => void;
}

/**
 * Runs a command line in the project's root, with `node_modules/.bin` on its PATH.
 * @returns the exit status; 1 if a signal ended it.
 */
export async function runInProject(commandLine: string, options: RunOptions = {}): Promise<number> {
  const { environment = {}, output = 'inherit', onOutput } = options;
  if (output === 'at-end' || output === 'on-failure') return runCollected(commandLine, environment, output, onOutput);
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

/**
 * Collects the output in a file, because a pipe would stay open as long as any background process of the command runs.
 */
async function runCollected(
  commandLine: string,
  environment: Readonly<Record<string, string>>,
  output: 'at-end' | 'on-failure',
  onOutput?: (output: string) => void,
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
    const text = readFileSync(path, 'utf8');
    if (output === 'at-end') process.stdout.write(text);
    else if (status !== 0) process.stderr.write(text);
    onOutput?.(text);
    rmSync(folder, { recursive: true });
  }
}
