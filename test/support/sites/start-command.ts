import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DIST_FOLDER, PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';

export interface RunningCommand {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** The output so far, including standard error. */
  readonly output: () => string;
  /** Standard output so far. */
  readonly standardOutput: () => string;
  /** Waits until the output matches. @returns the match. Rejects if the command ends without one. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Exit status of the command; null after a signal that it did not handle. */
  readonly ended: Promise<number | null>;
}

/** The built site that browser tests use. */
export const TESTED_SITE = process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER;

/** Starts a command of `tabserve` in its own process, so that a signal reaches only that. */
export function startCommand(name: string, ...parameters: string[]): RunningCommand {
  const child = spawn(
    process.execPath,
    [
      '--import',
      createRequire(import.meta.url).resolve('tsx'),
      join(PROJECT_FOLDER, 'scripts/tabserve-from-source.ts'),
      name,
      ...parameters,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let standardOutput = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  child.stdout.on('data', (text) => (standardOutput += text));
  const ended = once(child, 'close').then(([status]) => status as number | null);
  return {
    process: child,
    output: () => output,
    standardOutput: () => standardOutput,
    ended,
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(output);
        if (match) return match;
        const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
        if ((await Promise.race([more, ended.then(() => 'ended')])) === 'ended') {
          throw new Error(`The command ended without ${pattern}; it printed:\n${output}`);
        }
      }
    },
  };
}

/** Returns the ids of all descendants of a process. Linux only. */
export function processesBelow(id: number): number[] {
  const file = `/proc/${id}/task/${id}/children`;
  if (!existsSync(file)) return [];
  const children = readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

/** Whether a process runs. A zombie (ended, but not yet waited for) does not. Linux only. */
export function isRunning(id: number): boolean {
  const file = `/proc/${id}/stat`;
  return existsSync(file) && !/\) Z/.test(readFileSync(file, 'utf8'));
}
