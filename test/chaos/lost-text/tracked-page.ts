import type { BrowserContext, Page } from '@playwright/test';
import { sleep } from '../../../src/shared/timeout.ts';
import { scriptAnswers } from '../../support/samples/scripted-stream.ts';

/** Milliseconds between two beats of a page. */
const BEAT = 100;
/** Beats after which a text must have been stored: one second. */
const STORED_AFTER = 1000 / BEAT;

/** Words of every answer. */
const ANSWER = Array.from({ length: 300 }, (_, index) => `r${index}r`).join(' ');
export const FIRST_OF_ANSWER = /r0r/;
export const WORD_OF_ANSWER = /r\d+r/g;

/**
 * A page of the site that counts its own time: a beat passes when its thread and its database have been free for a
 * moment. So a busy machine does not make a text look older than it is for the page.
 */
export class TrackedPage {
  readonly page: Page;
  #beats = 0;
  #hasEnded = false;
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

  /** Runs what a person does with the page. Resolves at its end or after {@link endUse}, rejects if it fails before. */
  async use(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => {
      if (!this.#hasEnded) throw error;
    });
  }

  /** Ends the use of the page at the next word. */
  endUse(): void {
    this.#hasEnded = true;
  }

  /** Notes a word that the page has got or shown by now. @throws Error after {@link endUse}. */
  note(word: string): void {
    if (this.#hasEnded) throw new Error('The use of the page has ended.');
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

  /** Makes all writes throw. Returns what ends that. */
  async failWrites(): Promise<() => Promise<void>> {
    const setFull = (isFull: boolean): Promise<void> =>
      this.page.evaluate((full) => void Object.assign(globalThis, { isFull: full }), isFull);
    await setFull(true);
    return () => setFull(false);
  }

  /** Takes the site's storage quota away, so that the browser aborts what it cannot store. Returns what ends that. */
  async takeQuota(): Promise<() => Promise<void>> {
    const { origin } = new URL(this.page.url());
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    return async () => void (await session.send('Storage.overrideQuotaForOrigin', { origin }));
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
