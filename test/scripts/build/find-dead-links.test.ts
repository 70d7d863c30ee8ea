import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDeadLinks } from '../../../scripts/build/find-dead-links.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-links-'));
  write('index.html', '');
  write('guide/start.html', '<h2 id="first-answer">First answer</h2>');
  write('guide/picture.png', '');
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, body: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `<!doctype html><html><body>${body}</body></html>`);
}

test.each([
  ['a page', '<a href="./guide/start.html">', true],
  ['a page without its file extension', '<a class="link" href="/guide/start">', true],
  ['a folder', '<a href="/">', true],
  ['an anchor in a page', '<a href="guide/start.html#first-answer">', true],
  ['a picture', '<img src="guide/picture.png">', true],
  ['another site', '<a href="https://example.org/nothing">', true],
  ['a mail address', '<a href="mailto:somebody@example.org">', true],
  ['a missing page', '<a href="guide/end.html">', false],
  ['an anchor that a page does not have', '<a href="guide/start.html#second">', false],
  ['an anchor that this page does not have', '<a href="#nowhere">', false],
  ['a missing picture', '<img alt="" src="nothing.png">', false],
])('a link to %s is reported only if its target is missing', (_, link, isAlive) => {
  write('page.html', link);
  expect(findDeadLinks(folder)).toHaveLength(isAlive ? 0 : 1);
});
