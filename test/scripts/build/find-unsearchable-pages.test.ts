import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUnsearchablePages } from '../../../scripts/build/find-unsearchable-pages.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-search-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'index.html'), '<h1 id="tabserve">Tabserve</h1>');
  writeFileSync(
    join(folder, 'docs/models.html'),
    '<h1 id="models">Models &amp; more <a class="header-anchor" href="#models">&ZeroWidthSpace;</a></h1>',
  );
  writeFileSync(join(folder, '404.html'), '');
});

afterEach(() => rmSync(folder, { recursive: true }));

interface Section {
  readonly id: string;
  readonly title: string;
}

function writeIndex(sections: readonly Section[]): void {
  const index = new MiniSearch<Section>({ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] });
  index.addAll(sections);
  const code = `const e=${JSON.stringify(JSON.stringify(index))};export{e as default};`;
  writeFileSync(join(folder, 'assets/@localSearchIndexroot.a1b2.js'), code);
}

const HOME: Section = { id: '/#tabserve', title: 'Tabserve' };
const MODELS: Section = { id: '/docs/models.html#models', title: 'Models & more' };

test.each([
  ['an index with every page finds all of them', [HOME, MODELS], []],
  ['an empty index finds no page', [], ['docs/models.html', 'index.html']],
  ['a page that the index lacks is reported', [HOME], ['docs/models.html']],
  ['a page with another name does not count', [HOME, { ...MODELS, id: '/docs/clients.html' }], ['docs/models.html']],
])('%s', async (_name, sections, missing) => {
  writeIndex(sections);
  expect((await findUnsearchablePages(folder)).toSorted()).toEqual(missing);
});

test('a site without a search index is a failure', async () => {
  await expect(findUnsearchablePages(folder)).rejects.toThrow('no search index');
});
