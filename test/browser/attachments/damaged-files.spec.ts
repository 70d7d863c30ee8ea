import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { test } from '../../support/pages/shared-context.ts';
import { DOCUMENTS, damagedDocument, PDF } from '../../support/samples/damaged-document.ts';

/** Damaged versions of a document of each format. `DAMAGED_FILES=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_FILES'] ?? 5);

/** Files of one question, of which the last one is sound. */
const TOGETHER = 20;

/** What the page shows of its files. */
interface Shown {
  readonly files: readonly string[];
  /** Milliseconds of the longest task of the page's thread since the page was opened. */
  readonly longestTask: number;
}

/** Runs in the page: waits until each file is read or refused, then removes all of them. */
async function takeFiles(): Promise<Shown> {
  const all = (selector: string, root: ParentNode): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
      ...(element.matches(selector) ? [element] : []),
      ...(element.shadowRoot === null ? [] : all(selector, element.shadowRoot)),
    ]);
  const [tray] = all('attachment-tray', document);
  const items = () => [...tray!.shadowRoot!.querySelectorAll<HTMLElement>('li')];
  const isDone = (item: HTMLElement) => /\d tokens?\b/.test(item.innerText) || item.classList.contains('failed');
  while (items().length === 0 || !items().every(isDone)) await new Promise((resolve) => setTimeout(resolve, 20));
  const files = items().map((item) => item.innerText);
  while (items().length > 0) {
    items()[0]!.querySelector<HTMLElement>('button[aria-label^="Remove"], button[title^="Remove"]')!.click();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { files, longestTask: Math.max(0, ...(window.longTasks ?? [])) };
}

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

async function addFiles(
  page: Page,
  files: readonly { readonly name: string; readonly buffer: Buffer }[],
): Promise<void> {
  await page
    .locator('message-composer input[type=file]')
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })));
}

test(`${VERSIONS} damaged versions of a document of each format end with a sentence, and leave the other files alone`, async ({
  page,
}) => {
  test.setTimeout(120_000 + VERSIONS * 60_000);
  await page.addInitScript(watchLongTasks);
  await ChatPage.open(page);
  const report: Record<string, unknown>[] = [];
  let before = 0;
  for (const name of [...DOCUMENTS, PDF]) {
    let [read, refused] = [0, 0];
    for (let first = 1; first <= VERSIONS; first += TOGETHER - 1) {
      const versions = Array.from(
        { length: Math.min(TOGETHER - 1, VERSIONS - first + 1) },
        (_, index) => first + index,
      );
      const damaged = versions.map((version) => ({ name, buffer: Buffer.from(damagedDocument(name, version)) }));
      await addFiles(page, [...damaged, { name: 'sound.txt', buffer: Buffer.from('One of the ships is late.') }]);
      const { files, longestTask } = await page.evaluate(takeFiles);
      expect(files).toHaveLength(versions.length + 1);
      for (const file of files) expect(file).toMatch(/\d tokens?\b|\.$/m);
      expect(files.at(-1)).toContain('token');
      refused += files.filter((file) => !file.includes('token')).length;
      read += files.filter((file) => file.includes('token')).length - 1;
      before = Math.max(before, longestTask);
    }
    report.push({ name, read, refused, 'longest task so far (ms)': before });
  }
  if (VERSIONS > 5) console.table(report);
});
