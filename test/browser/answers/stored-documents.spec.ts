import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { PageTasks } from '../../support/browsers/page-tasks.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite } from '../../support/pages/site-page.ts';
import { buildTestSite } from '../../support/sites/test-site.ts';
import type * as documentsModule from '../in-page/documents.ts';

/** Passages of the file that is indexed while the page's thread is watched. `INDEXED_PASSAGES=10000` is a large file. */
const PASSAGES = Number(process.env['INDEXED_PASSAGES'] ?? 200);

/** Scripts that the engine worker runs first, and the number of blobs that are in the database then; null: any. */
const FILE_SYSTEMS: readonly (readonly [what: string, script: string, inDatabase: number | null])[] = [
  ['is missing', 'delete globalThis.FileSystemFileHandle;', 4],
  [
    'is refused',
    `navigator.storage.getDirectory = () => Promise.reject(new DOMException('Not here.', 'SecurityError'));`,
    4,
  ],
  [
    'fails at first',
    `const open = navigator.storage.getDirectory.bind(navigator.storage);
     let count = 0;
     navigator.storage.getDirectory = () =>
       (count += 1) > 5 ? open() : Promise.reject(new DOMException('Not now.', 'UnknownError'));`,
    null,
  ],
];

for (const [what, script, inDatabase] of FILE_SYSTEMS) {
  test(`files are uploaded, indexed, found and deleted where the file system ${what}`, async ({ page }) => {
    const site = await serveBuiltSite({ folder: await siteWithEngineScript(script) });
    try {
      await openSite(page, site.url);
      const documents = inPage<typeof documentsModule>(page, 'documents');
      const texts = { 'whales.md': 'The blue whale eats krill.', 'rules.txt': 'Guests may park until ten.' };
      const { store, ...filled } = await documents.fillStore('openai 7', texts);
      expect(filled).toMatchObject({ status: 'completed', completed: 2 });
      const found = await documents.search('openai 7', store, 'What does the blue whale eat?');
      expect(found[0]).toMatchObject({ filename: 'whales.md' });
      const { database, folder } = await documents.storedBlobs();
      if (inDatabase === null) expect(database.length + folder.length).toBe(4);
      else expect([database.length, folder.length]).toEqual([inDatabase, 0]);
      expect(await documents.deleteAll('openai 7', store)).toEqual({ listed: [], stored: [] });
    } finally {
      await site.close();
    }
  });
}

test('while a file is indexed, the endpoint answers other requests', async ({ page }) => {
  test.setTimeout(120_000 + PASSAGES * 150);
  await openSite(page);
  const documents = inPage<typeof documentsModule>(page, 'documents');
  const parts = Array.from(
    { length: PASSAGES },
    (_, part) => `# Part ${part} of the notes about all that happened here\n\nCode ${part * 7919} is the right one.`,
  );
  const { store } = await documents.beginStore(parts.join('\n\n'), 100);
  const tasks = await PageTasks.of(page);
  let [longest, busiest, answers, longestTask] = [0, 0, 0, ''];
  do {
    const { duration, processorTime, what } = await tasks.during(async () => {
      answers += (await documents.answerBriefly()) === 'length' ? 1 : 0;
      await page.waitForTimeout(3000);
    });
    if (duration > longest) longestTask = what;
    [longest, busiest] = [Math.max(longest, duration), Math.max(busiest, processorTime)];
  } while ((await documents.stateOf(store)) === 'in_progress');
  console.log(`${PASSAGES} passages: ${answers} answers; most processor time of a task ${busiest} ms`);
  console.log(`longest task ${longest} ms: ${longestTask}`);
  expect(answers).toBeGreaterThan(0);
  const [found] = await documents.search('openai 7', store, `${(PASSAGES - 1) * 7919}`);
  expect(found?.text).toContain(`Code ${(PASSAGES - 1) * 7919} `);
});

/** Builds a test site whose engine worker runs a script before its own. @returns its folder. */
async function siteWithEngineScript(script: string): Promise<string> {
  const folder = await buildTestSite();
  const assets = join(folder, 'assets');
  for (const name of readdirSync(assets).filter((file) => /^engine-worker-.*\.js$/.test(file))) {
    const path = join(assets, name);
    writeFileSync(path, `${script}\n${readFileSync(path, 'utf8')}`);
  }
  return folder;
}
