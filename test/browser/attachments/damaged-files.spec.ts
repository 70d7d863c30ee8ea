import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { PageTasks } from '../../support/browsers/page-tasks.ts';
import { test } from '../../support/pages/shared-context.ts';
import { DOCUMENTS, damagedDocument, PDF } from '../../support/samples/damaged-document.ts';

/** Versions that the usual run tries, of which some formats read one and refuse the other. Unit tests read more. */
const USUAL_VERSIONS = 2;

/** Damaged versions of a document of each format. `DAMAGED_FILES=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_FILES'] ?? USUAL_VERSIONS);

/** The documents whose names end in one of `DAMAGED_FORMATS`, such as `html,pdf`. Default: all. */
const NAMES = [...DOCUMENTS, PDF].filter((name) =>
  (process.env['DAMAGED_FORMATS'] ?? '').split(',').some((ending) => name.endsWith(ending)),
);

/** Shard `2/4` is the second of four equal parts of the versions. Default: all of them. */
const [SHARD = 1, SHARDS = 1] = (process.env['DAMAGED_SHARD'] ?? '1/1').split('/').map(Number);
const FIRST = Math.floor((VERSIONS * (SHARD - 1)) / SHARDS) + 1;
const LAST = Math.floor((VERSIONS * SHARD) / SHARDS);

/** Files of one question, of which the last one is sound. */
const TOGETHER = 20;

declare global {
  interface Window {
    startedWorkers?: number;
  }
}

/** Runs in the page before its scripts: counts the workers that read documents. */
function countWorkers(): void {
  window.startedWorkers = 0;
  window.Worker = class extends Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      if (options?.name === 'document') window.startedWorkers! += 1;
    }
  };
}

/** Writes damaged files and a sound one into a folder, so that the browser opens them itself, as it does for a person. */
async function writeFiles(folder: string, name: string, versions: readonly number[]): Promise<string[]> {
  const damaged = versions.map((version) => [join(String(version), name), damagedDocument(name, version)] as const);
  return Promise.all(
    [...damaged, ['sound.txt', 'One of the ships is late.'] as const].map(async ([path, content]) => {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), content);
      return join(folder, path);
    }),
  );
}

/** Attaches files, of which none may be lost, the last one sound, and returns how many were refused. */
async function attach(page: Page, paths: readonly string[]): Promise<number> {
  const items = page.locator('attachment-tray li');
  await page.locator('message-composer input[type=file]').setInputFiles([...paths]);
  await expect(items).toHaveCount(paths.length);
  await expect(items.filter({ hasText: 'reading…' })).toHaveCount(0);
  await expect(items.last()).toContainText(/sound\.txt.*token/s);
  const problems = await items.getByRole('alert').allInnerTexts();
  expect(problems.filter((words) => !/\p{Lu}.*\.$/su.test(words.trim()))).toEqual([]);
  await items.getByRole('button').evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click();
  });
  await expect(items).toHaveCount(0);
  return problems.length;
}

test(`${VERSIONS} damaged versions of a document of each format are read or refused with a sentence, beside a sound file`, async ({
  page,
}, testInfo) => {
  test.setTimeout(120_000 + VERSIONS * 60_000);
  await page.addInitScript(countWorkers);
  await ChatPage.open(page);
  const tasks = await PageTasks.of(page);
  for (const name of NAMES) {
    let refused = 0;
    let [longest, busiest] = [0, 0];
    for (let first = FIRST; first <= LAST; first += TOGETHER - 1) {
      const count = Math.min(TOGETHER - 1, LAST - first + 1);
      const versions = Array.from({ length: count }, (_, index) => first + index);
      const paths = await writeFiles(testInfo.outputPath(name), name, versions);
      const { duration, processorTime } = await tasks.during(async () => void (refused += await attach(page, paths)));
      [longest, busiest] = [Math.max(longest, duration), Math.max(busiest, processorTime)];
    }
    const files = LAST - FIRST + 1;
    const workers = await page.evaluate(() => window.startedWorkers!);
    if (VERSIONS > USUAL_VERSIONS)
      console.log({ name, files, read: files - refused, refused, longest, busiest, workers });
  }
});
