import { expect, test } from '@playwright/test';
import { ThreadTimes } from '../../support/browsers/thread-times.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite } from '../../support/pages/site-page.ts';
import type * as manyFiles from '../in-page/many-files.ts';

/** Files of the vector store. `SEARCHED_FILES=2000` measures a large one. */
const FILES = Number(process.env['SEARCHED_FILES'] ?? 8);

/** So many of them are packed into one bundle; fewer than 64 into none. */
const BUNDLE = 256;

/** Searches after the first one, which reads the index. */
const SEARCHES = FILES < 100 ? 2 : 20;

const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'so', 'ti', 'va', 'ze', 'bo', 'du', 'fe', 'gi', 'ha', 'ju'];

/** One of 4,096 words. */
const word = (number: number) =>
  [number, number >> 4, number >> 8].map((part) => SYLLABLES[part & 15]).join('') + (number & 1 ? 'n' : 'r');

/** A text of 100 words, which is one passage; each file has others. */
const textOf = (file: number) =>
  Array.from({ length: 100 }, (_, place) => word((file * 7919 + place * place * 104_729) & 4095)).join(' ');

test('a vector store is searched off the thread of the page', async ({ page, browser }) => {
  test.setTimeout(120_000 + FILES * 600);
  await openSite(page);
  const files = inPage<typeof manyFiles>(page, 'many-files');
  const began = Date.now();
  const store = await files.fill(Array.from({ length: FILES }, (_, file) => textOf(file)));
  console.log(`${FILES} files are indexed after ${Date.now() - began} ms`);
  const bundles = Math.floor(FILES / BUNDLE) + (FILES % BUNDLE < 64 ? 0 : 1);
  await expect.poll(() => files.countBundles(), { timeout: 60_000 }).toBe(bundles);
  console.log(`… and packed into ${bundles} bundles after ${Date.now() - began} ms`);
  // The next engine has read nothing.
  await page.reload();
  const times = await ThreadTimes.of(browser);
  const measure = async (what: string, searches: number) => {
    let duration = 0;
    const before = times.read();
    for (let count = 0; count < searches; count += 1)
      duration += await files.search(
        store,
        `What is ${textOf(count * 3)
          .split(' ')
          .slice(7, 12)
          .join(' ')}?`,
      );
    const used = ThreadTimes.between(before, times.read(), searches);
    console.log(`${what}: ${(duration / searches).toFixed(0)} ms each, of which processor time by thread:`, used);
  };
  await measure('first search', 1);
  await measure(`${SEARCHES} further searches`, SEARCHES);
});
