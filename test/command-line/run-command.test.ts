import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

const TSX = createRequire(import.meta.url).resolve('tsx');
const SCRIPT = join(PROJECT_FOLDER, 'src/command-line/run-command.ts');

/** Prints by the stream until the signal aborts, and again afterwards, as a command does that cleans up. */
const PRINT = `for (let line = 0; line < 200 && !signal.aborted; line++) {
    print('line\\n');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  print(signal.aborted ? 'stopped\\n' : 'ended\\n');`;

/** Starts a process that runs a command. @param body Statements of the command, with `signal`. */
function start(body: string) {
  const program = `import { runCommand } from ${JSON.stringify(SCRIPT)};
    await runCommand(async (signal) => { ${body} });`;
  return spawn(process.execPath, ['--import', TSX, '--input-type=module', '--eval', program], {
    cwd: PROJECT_FOLDER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test.each([
  ['by the stream', 'const print = (text) => process.stdout.write(text);'],
  ['by the console', 'const print = (text) => console.log(text);'],
])('a command that prints %s is stopped without a word when nobody reads its output', async (_, print) => {
  const command = start(`${print}\n${PRINT}\nconsole.error(signal.aborted ? 'cleaned up' : 'went on');`);
  const errors = text(command.stderr);
  await once(command.stdout, 'data');
  command.stdout.destroy();
  expect(await once(command, 'exit')).toEqual([141, null]);
  expect(await errors).toBe('cleaned up\n');
});

test.each([
  ['the stream', 'const print = (text) => process.stderr.write(text);'],
  ['the console', 'const print = (text) => console.error(text);'],
])('a command goes on when nobody reads its log, written by %s', async (_, print) => {
  const command = start(`${print}\nprint('begun\\n');\n${PRINT.replace('200', '20')}\nconsole.log('done');`);
  const output = text(command.stdout);
  await once(command.stderr, 'data');
  command.stderr.destroy();
  expect(await once(command, 'exit')).toEqual([0, null]);
  expect(await output).toBe('done\n');
});

test('a command whose output cannot be written says why, and is stopped', async () => {
  const command = start(`process.stdout.destroy(new Error('no space left'));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));`);
  const errors = text(command.stderr);
  expect(await once(command, 'exit')).toEqual([1, null]);
  expect(await errors).toBe('The output cannot be written: no space left\n');
});

test.each([
  [
    'lies below a file',
    "fs.mkdirSync(file + '/below', { recursive: true })",
    '/below',
    'a file lies where a folder is needed',
  ],
  ['is a file', 'fs.mkdirSync(file, { recursive: true })', '', 'a file lies where a folder is needed'],
  ['is copied over a file', 'fs.cpSync(folder, file, { recursive: true })', '', 'a file lies where a folder is needed'],
  [
    'may not be written',
    "throw Object.assign(new Error(), { code: 'EACCES', path: file })",
    '',
    'this user is not allowed to',
  ],
])('a command whose folder %s says so in one sentence', async (_, use, below, reason) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const command = start(`const [folder, file] = ${JSON.stringify([folder, file])};
    const fs = await import('node:fs');
    ${use};`);
  const errors = text(command.stderr);
  expect(await once(command, 'exit')).toEqual([1, null]);
  expect(await errors).toBe(`${file}${below} cannot be read or written: ${reason}.\n`);
});

test('a fault of a command prints its stack', async () => {
  const command = start("throw Object.assign(new Error('No such file'), { code: 'ENOENT', path: '/x' });");
  const errors = text(command.stderr);
  expect(await once(command, 'exit')).toEqual([1, null]);
  expect(await errors).toContain('    at ');
});
