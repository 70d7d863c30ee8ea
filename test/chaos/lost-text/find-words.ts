import type { Page } from '@playwright/test';

/** Rounds in which words are looked for on all screens: parts of a page appear late on a busy machine. */
const ROUNDS = 6;

/** Looks for words on the screens of the new chat and of all chats, in all versions of their messages. Returns those that are nowhere. */
export async function missingWords(page: Page, words: readonly string[]): Promise<readonly string[]> {
  let missing = [...words];
  const look = async (): Promise<void> => {
    const shown = await shownText(page);
    missing = missing.filter((word) => !shown.includes(word));
  };
  for (let round = 0; round < ROUNDS && missing.length > 0; round += 1) {
    const links = await page.getByRole('navigation', { name: 'Chats' }).getByRole('link').all();
    await look();
    for (const link of [page.getByRole('link', { name: 'New chat' }), ...links]) {
      if (missing.length === 0) break;
      await link.click();
      await page.waitForTimeout(500 * (round + 1));
      await look();
      // The texts before an edit, and the answers before another one.
      const others = page.getByRole('button', { name: round % 2 === 0 ? 'Previous version' : 'Next version' });
      for (const other of await others.all()) {
        if (missing.length === 0 || (await other.isDisabled())) continue;
        await other.click();
        await page.waitForTimeout(100 * (round + 1));
        await look();
      }
    }
  }
  return missing;
}

/** Returns all text of a page, also in shadow roots and text fields. */
export function shownText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const read = (node: Node): string => {
      if (node instanceof HTMLTextAreaElement) return ` ${node.value} `;
      if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return '';
      if (node instanceof Text) return node.data;
      const root = node instanceof Element ? node.shadowRoot : null;
      return ` ${root ? read(root) : ''}${[...node.childNodes].map(read).join('')}`;
    };
    return read(document.body);
  });
}
