import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { scriptAnswers } from '../support/scripted-stream.ts';
import { test } from '../support/shared-context.ts';

const ANSWER = [
  '## A heading',
  'A paragraph with **bold** words, `code` and a [link](https://example.org), long enough to wrap over a few lines.',
  '| n | square |\n|---|---|\n| 2 | 4 |',
  String.raw`\[ \frac{a}{b} \]`,
  '```js\nconst answer = 42;\n```',
].join('\n\n');

interface Shift {
  readonly value: number;
  /** What moved, and how: tag, class and the rectangle before and after. */
  readonly moved: readonly string[];
}

for (const [device, width, height] of [
  ['a desktop', 1440, 900],
  ['a phone', 390, 844],
] as const) {
  test(`on ${device} nothing jumps while the page loads and an answer grows`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(watchShifts);
    await scriptAnswers(page, { text: Array(2).fill(ANSWER).join('\n\n'), pieceLength: 12, interval: 10 });
    const chat = await ChatPage.open(page);
    await expectStill(page, 'the first load');
    await chat.ask('Tell me everything');
    await expect(chat.answers.last().getByRole('button', { name: 'Copy the answer' })).toBeVisible();
    await expectStill(page, 'a stream');
  });
}

/** Runs in the page before it: keeps every shift that no key or click has caused. */
function watchShifts(): void {
  const shifts: Shift[] = [];
  Object.defineProperty(globalThis, 'shifts', { value: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.localName}.${element?.className} ${[from, to].map(({ x, y, width, height }) => [x, y, width, height].join(' ')).join(' → ')}`;
      });
      shifts.push({ value: entry.value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** See https://wicg.github.io/layout-instability/; TypeScript's library has it not yet. */
interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Judges what has shifted since the last time. */
async function expectStill(page: Page, when: string): Promise<void> {
  const shifts = await page.evaluate(async () => {
    // What is drawn when it is idle may move something, too.
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return (globalThis as unknown as { shifts: Shift[] }).shifts.splice(0);
  });
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `${when}: ${JSON.stringify(shifts, null, 1)}`).toBeLessThan(0.01);
}
