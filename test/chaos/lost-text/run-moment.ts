import { rmSync } from 'node:fs';
import type { SeededRandom } from '../seeded-random.ts';
import { ACTIONS, importChat } from './actions.ts';
import { missingWords } from './find-words.ts';
import { startBrowser } from './killable-browser.ts';
import { TrackedPage } from './tracked-page.ts';

/** Beats of use after which the page ends. Only texts of more than ten beats before are looked for. */
const USE = { shortest: 12, longest: 60 };
/** Beats that are longer than the page waits between two tries to store something. */
const UNTIL_STORED = 60;

/** How a page ends; the weight of each. `full`: it finds no room, then has room, then is killed. */
const ENDINGS = { kill: 4, close: 2, reload: 1, full: 3 } as const;

export interface Moment {
  readonly action: string;
  readonly ending: string;
  /** Number of words that had to be shown. */
  readonly words: number;
  readonly missing: readonly string[];
}

/**
 * Uses the page for a random time, ends it, and looks for the words.
 * @param profile Folder of the browser's profile, which is deleted first and last.
 */
export async function runMoment(url: string, profile: string, random: SeededRandom): Promise<Moment> {
  const deleteProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  deleteProfile();
  const [action, act] = random.pick(Object.entries(ACTIONS));
  const [ending] = random.pick(Object.entries(ENDINGS), ([, weight]) => weight);
  const time = random.integer(USE.shortest, USE.longest);
  let browser = await startBrowser(profile);
  try {
    const tab = await TrackedPage.open(browser.context, url);
    await importChat(tab);
    // Fails when the page ends.
    void act(tab, random).catch(() => undefined);
    if (ending === 'full') {
      const fullAfter = random.integer(0, time);
      await tab.beats(fullAfter);
      await tab.setFull(true);
      await tab.beats(time - fullAfter);
      const words = tab.words;
      const missing = await missingWords(tab.page, words);
      if (missing.length > 0) return { action, ending: 'while full', words: words.length, missing };
      await tab.setFull(false);
      await tab.beats(UNTIL_STORED);
    } else await tab.beats(time);
    const words = tab.old;
    if (ending === 'kill' || ending === 'full') {
      await browser.kill();
      browser = await startBrowser(profile);
    } else if (ending === 'close') await tab.page.close();
    if (ending === 'reload') {
      await tab.page.reload();
      return { action, ending, words: words.length, missing: await missingWords(tab.page, words) };
    }
    const next = await TrackedPage.open(browser.context, url);
    return { action, ending, words: words.length, missing: await missingWords(next.page, words) };
  } finally {
    await browser.kill();
    deleteProfile();
  }
}
