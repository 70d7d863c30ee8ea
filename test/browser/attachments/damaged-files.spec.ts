import { expect } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { DOCUMENTS, damagedDocument, PDF } from '../../support/samples/damaged-document.ts';

/** Versions that the usual run tries, of which some formats read one and refuse the other. Unit tests read more. */
const USUAL_VERSIONS = 2;

/** Damaged versions of a document of each format. `DAMAGED_FILES=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_FILES'] ?? USUAL_VERSIONS);

/** Files of one question, of which the last one is sound. */
const TOGETHER = 20;

declare global {
  interface Window {
    longTasks?: number[];
  }
}

/** Runs in the page before its scripts. */
function watchLongTasks(): void {
  const tasks: number[] = (window.longTasks = []);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  });
}

test(`${VERSIONS} damaged versions of a document of each format are read or refused with a sentence, beside a sound file`, async ({
  page,
}) => {
  test.setTimeout(120_000 + VERSIONS * 60_000);
  await page.addInitScript(watchLongTasks);
  await ChatPage.open(page);
  const items = page.locator('attachment-tray li');
  const report: { readonly name: string; readonly read: number; readonly refused: number; readonly longest: number }[] =
    [];
  for (const name of [...DOCUMENTS, PDF]) {
    let refused = 0;
    for (let first = 1; first <= VERSIONS; first += TOGETHER - 1) {
      const versions = Array.from(
        { length: Math.min(TOGETHER - 1, VERSIONS - first + 1) },
        (_, index) => first + index,
      );
      const damaged = versions.map((version) => ({ name, buffer: Buffer.from(damagedDocument(name, version)) }));
      const sound = { name: 'sound.txt', buffer: Buffer.from('One of the ships is late.') };
      await page
        .locator('message-composer input[type=file]')
        .setInputFiles([...damaged, sound].map((file) => ({ ...file, mimeType: 'application/octet-stream' })));
      await expect(items).toHaveCount(versions.length + 1);
      await expect(items.filter({ hasText: 'reading…' })).toHaveCount(0);
      await expect(items.last()).toContainText(/sound\.txt.*token/s);
      const problems = await items.getByRole('alert').allInnerTexts();
      expect(problems.filter((words) => !/\p{Lu}.*\.$/su.test(words.trim()))).toEqual([]);
      refused += problems.length;
      for (let left = versions.length + 1; left > 0; left -= 1) await items.first().getByRole('button').click();
      await expect(items).toHaveCount(0);
    }
    const longest = await page.evaluate(() => Math.max(0, ...window.longTasks!.splice(0)));
    report.push({ name, read: VERSIONS - refused, refused, longest });
  }
  // Otherwise no sentence was looked at.
  expect(report.some(({ refused }) => refused > 0)).toBe(true);
  if (VERSIONS > USUAL_VERSIONS) console.table(report);
});
