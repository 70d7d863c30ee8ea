import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announceBuild, rememberBuildTime } from '../../../scripts/build/build-time.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'build-time-')), 'folder', 'seconds');

test('the announcement of a build says what comes first, and how long it took the last time', () => {
  const file = newFile();
  expect(announceBuild(file)).toMatch(/^Building the site first: .* The first time, this takes a minute or more\.$/);
  rememberBuildTime(41.2, file);
  expect(announceBuild(file)).toMatch(/^Building the site first: .* The last time, this took 42 s\.$/);
  rememberBuildTime(8, file);
  expect(announceBuild(file)).toMatch(/took 8 s\.$/);
});

test.each(['', 'x', '-3', '0', 'Infinity'])('a stored time that makes no sense is not told: %j', (stored) => {
  const file = newFile();
  rememberBuildTime(1, file);
  writeFileSync(file, stored);
  expect(announceBuild(file)).toMatch(/The first time/);
});

test('a time that cannot be stored is ignored', () => {
  const file = newFile();
  rememberBuildTime(1, file);
  rememberBuildTime(2, join(file, 'below-a-file'));
  expect(readFileSync(file, 'utf8')).toBe('1');
});
