import type { HarmLog, Span } from '../judge/harm-log.ts';
import type { Tab } from '../tabs/tab.ts';

/** A text that a person has written into the chat page, known by a mark that occurs nowhere else. */
export interface WrittenText {
  readonly mark: string;
  /** What the person did with it. */
  readonly action: string;
  readonly tab: Pick<Tab, 'endsBetween' | 'number'>;
  /** Time, by `performance.now()`, before the person did it. */
  readonly begun: number;
  /** Time, by `performance.now()`, after the page had shown it. That is later, by seconds if the page was stopped meanwhile. */
  readonly time: number;
}

/** Milliseconds that a page has for keeping what was written. */
const KEEPING_TIME = 1000;

/** Milliseconds after which a page has stored what it could not store before, once there is room again. */
export const STORING_TIME = 5000;

/** Everything that persons have written, and what of it must still be there. */
export class TextLedger {
  readonly #texts: WrittenText[] = [];
  #marks = 0;
  readonly #lost = new Set<WrittenText>();

  /** Returns a mark that no earlier text has. */
  newMark(): string {
    return `[${++this.#marks}]`;
  }

  /** @param begun Time, by `performance.now()`, before the text was given to the page. */
  add(mark: string, action: string, tab: WrittenText['tab'], begun: number): void {
    this.#texts.push({ mark, action, tab, begun, time: performance.now() });
  }

  get size(): number {
    return this.#texts.length;
  }

  /**
   * All texts that must be found, without those that were reported as lost before. A text may be gone if
   * its page ended within a second, if the site's data were cleared since, or if its page ended while the browser stored
   * nothing for the site.
   */
  owed({ clearings, fullStores }: HarmLog): readonly WrittenText[] {
    return this.#texts.filter((text) => {
      const { tab, begun, time } = text;
      return (
        !this.#lost.has(text) &&
        !clearings.some((clearing) => clearing >= begun - KEEPING_TIME) &&
        !tab.endsBetween(begun, time + KEEPING_TIME) &&
        !fullStores.some((span) => wasEndedWhileFull(tab, begun, span))
      );
    });
  }

  /** Records that a text is gone. */
  noteLost(text: WrittenText): void {
    this.#lost.add(text);
  }
}

function wasEndedWhileFull(tab: WrittenText['tab'], time: number, { start, end }: Span): boolean {
  return end >= time - KEEPING_TIME && tab.endsBetween(Math.max(start, time), end + STORING_TIME);
}
