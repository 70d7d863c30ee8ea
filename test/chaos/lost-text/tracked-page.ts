import type { BrowserContext, Page } from '@playwright/test';
import { sleep } from '../../../src/shared/timeout.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';

/** Milliseconds between two beats of a page. */
const BEAT = 100;
/** Beats after which a text must have been stored: one second. */
const STORED_AFTER = 1000 / BEAT;

/** Words of every answer. */
const ANSWER = Array.from({ length: 300 }, (_, index) => `r${index}r`).join(' ');

/**
 * A page of the site that counts its own time: a beat passes when its thread and its database have been free for a
 * moment. So a busy machine does not make a text look older than it is for the page.
 */
export class TrackedPage {
  readonly page: Page;
  #beats = 0;
  readonly #words = new Map<string, number>();

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, address: string): Promise<TrackedPage> {
    const page = await context.newPage();
    // The compiler adds calls of this function to the functions that run in the page.
    await page.addInitScript('globalThis.__name = (value) => value');
    // Wide enough for the list of chats.
    await page.setViewportSize({ width: 1280, height: 800 });
    const tracked = new TrackedPage(page);
    await page.exposeFunction('beat', () => (tracked.#beats += 1));
    await page.addInitScript((interval) => {
      // Loads no model: answers are scripted.
      if (localStorage.length === 0) localStorage.setItem('tabserve-last-model', 'none');
      const beat = async (): Promise<void> => {
        await indexedDB.databases();
        await (globalThis as unknown as { beat: () => Promise<void> }).beat();
        setTimeout(() => void beat(), interval);
      };
      void beat();
    }, BEAT);
    await page.addInitScript(failWhenFull);
    await scriptAnswers(page, { text: ANSWER, pieceLength: 6, interval: 30 });
    await page.goto(address);
    return tracked;
  }

  /** Notes a word that the page has got or shown by now. */
  note(word: string): void {
    if (!this.#words.has(word)) this.#words.set(word, this.#beats);
  }

  /** All words that were noted. */
  get words(): readonly string[] {
    return [...this.#words.keys()];
  }

  /** The words that were noted at least a second ago. */
  get old(): readonly string[] {
    return [...this.#words].flatMap(([word, beat]) => (this.#beats - beat >= STORED_AFTER ? [word] : []));
  }

  /** Resolves after a time of the page, in beats. */
  async beats(number: number): Promise<void> {
    const end = this.#beats + number;
    while (this.#beats < end) await sleep(BEAT);
  }

  setFull(isFull: boolean): Promise<void> {
    return this.page.evaluate((full) => void Object.assign(globalThis, { isFull: full }), isFull);
  }
}

/** Runs in the page: makes all writes fail while `isFull` is set. */
function failWhenFull(): void {
  for (const [storage, name] of [
    [IDBObjectStore.prototype, 'put'],
    [IDBObjectStore.prototype, 'add'],
    [Storage.prototype, 'setItem'],
  ] as const) {
    const write = (storage as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!;
    Object.assign(storage, {
      [name](...values: unknown[]) {
        if ((globalThis as { isFull?: boolean }).isFull) throw new DOMException('No room left.', 'QuotaExceededError');
        return write.apply(this, values);
      },
    });
  }
}
