import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const TSX = createRequire(import.meta.url).resolve('tsx');
const MODULE = fileURLToPath(new URL('../../scripts/run-in-project.ts', import.meta.url));

/** Runs a tool with the output `on-failure` in another process. @returns that process's output. */
function runQuietly(commandLine: string) {
  const script = `import { runInProject } from ${JSON.stringify(MODULE)};
    process.exitCode = await runInProject(${JSON.stringify(commandLine)}, { output: 'on-failure' });`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', TSX, '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

test('a tool that succeeds prints nothing', () => {
  expect(runQuietly('echo one && echo two >&2')).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('a tool that fails prints its whole log on standard error', () => {
  expect(runQuietly('echo one && echo two >&2 && exit 3')).toEqual({ status: 3, stdout: '', stderr: 'one\ntwo\n' });
});
