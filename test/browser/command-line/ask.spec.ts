import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { packPackage, run } from '../../support/sites/packed-package.ts';
import { processesBelow, startCommand, TESTED_SITE } from '../../support/sites/start-command.ts';

const ask = (...parameters: string[]) => startCommand('ask', '--site', TESTED_SITE, ...parameters);

test('prints the JSON response of the endpoint with --json', async () => {
  const command = ask('--json', '--max-tokens', '3', '--system', 'Be brief.', 'Hello');
  expect(await command.ended).toBe(0);
  expect(JSON.parse(command.standardOutput())).toMatchObject({
    object: 'chat.completion',
    model: 'pocket',
    usage: { completion_tokens: 3 },
  });
});

test('reports on standard error what it waits for, and in one line why there is no answer', async () => {
  const command = ask('--model', 'nobody', 'Hello');
  expect(await command.ended).toBe(1);
  // The messages are repeated every ten seconds.
  expect(command.output()).toMatch(/^(Starting \S+…\n)(Starting .*…\n)*(Loading nobody .*…\n)+404 .*"nobody".*\n$/);
  expect(command.standardOutput()).toBe('');
});

test('prints the answer as it arrives, and stops at once on an interrupt', async () => {
  const command = ask('--max-tokens', '1500', 'Tell me a very long story.');
  for (let pieces = 0; pieces < 4; pieces++) await once(command.process.stdout, 'data');
  command.process.kill('SIGINT');
  expect(await command.ended).toBe(130);
});

test('says in one line that the browser ended before the answer was complete', async () => {
  test.skip(!existsSync('/proc/self/task'), 'finding the browser needs /proc');
  const command = ask('--max-tokens', '1500', 'Tell me a very long story.');
  await once(command.process.stdout, 'data');
  const [browser] = processesBelow(command.process.pid!);
  process.kill(browser!, 'SIGKILL');
  expect(await command.ended).toBe(1);
  expect(command.output()).toMatch(/…\n.+The browser ended before the answer was complete\.\n$/);
});

test('ends without a word when nobody reads its answer any more', async () => {
  const command = ask('--max-tokens', '1500', 'Tell me a very long story.');
  await once(command.process.stdout, 'data');
  const before = command.output();
  command.process.stdout.destroy();
  expect(await command.ended).toBe(141);
  expect(command.output()).toBe(before);
});

test('in a project that only depends on the package, one command asks a question @core', () => {
  test.setTimeout(400_000);
  const project = mkdtempSync(join(tmpdir(), 'tabserve-asking-'));
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', packPackage()], project);
    const { stdout, stderr, status } = spawnSync('npx', ['tabserve', 'ask', 'What is a service worker?'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: expect.any(String), status: 0 });
    expect(stdout).toMatch(/^\S.*\n$/s);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
