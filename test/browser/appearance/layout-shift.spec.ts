import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';
import { loadingTest as test } from '../../support/pages/shared-context.ts';
import { openSite, siteReady } from '../../support/pages/site-page.ts';
import { longChatFile } from '../../bench/long-chat.ts';

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

const DEVICES = [
  ['a desktop', 1440, 900],
  ['a phone', 390, 844],
] as const;

/** Number of questions and answers in each chat. */
const CHATS = { short: 1, usual: 5, long: 100 };

for (const [device, width, height] of DEVICES) {
  test(`on ${device} nothing shifts while the page loads and an answer grows`, async ({ context, page }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(watchShifts);
    await scriptAnswers(page, { text: Array(2).fill(ANSWER).join('\n\n'), pieceLength: 12, interval: 10 });
    const chat = await ChatPage.open(page);
    await expectStill(page, 'the first load');
    // On a slow device, the text is still being drawn when the answer has ended.
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    await chat.ask('Tell me everything');
    await expect(chat.answers.last().getByRole('button', { name: 'Copy the answer' })).toBeVisible();
    await expectStill(page, 'a stream');
  });
}

for (const [device, width, height] of DEVICES) {
  test(`on ${device} nothing shifts while chats and screens are opened, changed and reloaded`, async ({
    context,
    page,
  }) => {
    // Imports the chats in a wide page, because a narrow one hides the list of chats.
    await openSite(page);
    for (const [id, exchanges] of Object.entries(CHATS)) {
      const file = longChatFile(id, `Chat ${id}`, exchanges);
      await page.locator('conversation-list input[type=file]').setInputFiles(file);
      await expect(new ChatPage(page).chatInList(`Chat ${id}`)).toBeVisible();
    }
    const shown = await context.newPage();
    await shown.setViewportSize({ width, height });
    await shown.addInitScript(watchShifts);
    const chat = await ChatPage.open(shown);
    await expectStill(shown, 'the first load');
    const opened = async (id: keyof typeof CHATS, when: string): Promise<void> => {
      await expect(chat.questions).toHaveCount(CHATS[id], { timeout: 60_000 });
      await expect(chat.answers.first().getByText('const answer')).toBeAttached();
      await expectStill(shown, when);
      await expect(shown.getByRole('button', { name: 'Go to the end' })).toHaveCount(0);
    };
    const open = async (id: keyof typeof CHATS): Promise<void> => {
      await go(shown, `#/chat/${id}`);
      await opened(id, `opening ${id}`);
    };
    // A slow device draws the first chat in slices.
    const session = await context.newCDPSession(shown);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    await open('short');
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    for (const id of ['usual', 'long', 'short', 'long', 'usual'] as const) await open(id);
    await shown.getByRole('button', { name: 'Settings of this chat' }).click();
    await expect(shown.getByRole('dialog')).toBeVisible();
    await expectStill(shown, 'opening the settings');
    await shown.keyboard.press('Escape');
    await expect(shown.getByRole('dialog')).toBeHidden();
    for (const [screen, last] of [
      ['models', 'Add a model'],
      ['developers', 'Requests'],
      ['privacy', 'Delete everything'],
    ] as const) {
      await go(shown, `#/${screen}`);
      await expect(shown.getByRole('heading', { name: last }).first()).toBeVisible();
      await expectStill(shown, `opening ${screen}`);
      await open('usual');
    }
    await go(shown, '#/');
    await expect(shown.getByRole('heading', { level: 1 })).toBeVisible();
    await expectStill(shown, 'a new chat');
    for (const id of ['short', 'long'] as const) {
      await open(id);
      await shown.reload();
      await siteReady(shown);
      await opened(id, `a reload into ${id}`);
    }
  });
}

/** Follows a link without a click, because shifts within half a second after a click do not count. */
function go(page: Page, hash: string): Promise<void> {
  return page.evaluate((hash) => void (location.hash = hash), hash);
}

/** Runs in the page before its scripts. Records every shift that no key press or click caused. */
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

/** See https://wicg.github.io/layout-instability/; missing in TypeScript's library. */
interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Expects no shift since the last call. */
async function expectStill(page: Page, when: string): Promise<void> {
  const shifts = await page.evaluate(async () => {
    // Elements drawn in idle time may shift others, too.
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return (globalThis as unknown as { shifts: Shift[] }).shifts.splice(0);
  });
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `${when}: ${JSON.stringify(shifts, null, 1)}`).toBeLessThan(0.01);
}
