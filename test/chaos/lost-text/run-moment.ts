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

/**
 * How a page ends; the weight of each. `crash`: its process is killed. `full` and `no quota`: its writes fail at once, or
 * when they are committed; then there is room again, and the browser is killed.
 */
const ENDINGS = { kill: 4, crash: 2, close: 2, reload: 1, full: 2, 'no quota': 2 } as const;

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
 * @throws Error if the page could not be used as intended.
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
    const using = tab.use(() => act(tab, random));
    using.catch(() => {});
    if (ending === 'full' || ending === 'no quota') {
      const fullAfter = random.integer(0, time);
      await tab.beats(fullAfter);
      const makeRoom = await (ending === 'full' ? tab.failWrites() : tab.takeQuota());
      await tab.beats(time - fullAfter);
      tab.endUse();
      // Without room, the page may refuse what the person wants.
      await Promise.allSettled([using]);
      const { words } = tab;
      const missing = await missingWords(tab.page, words);
      if (missing.length > 0) return { action, ending: `${ending}, still`, words: words.length, missing };
      await makeRoom();
      await tab.beats(UNTIL_STORED);
    } else {
      // The page lives on after its last use, until its time has come.
      const end = tab.beats(time);
      await Promise.race([using, end]);
      await end;
      tab.endUse();
    }
    const words = tab.old;
    let next = tab;
    if (ending === 'reload') await tab.page.reload();
    else {
      if (ending === 'close') await tab.page.close();
      else if (ending === 'crash') await browser.killPages();
      else {
        await browser.kill();
        browser = await startBrowser(profile);
      }
      next = await TrackedPage.open(browser.context, url);
    }
    return { action, ending, words: words.length, missing: await missingWords(next.page, words) };
  } finally {
    await browser.kill();
    deleteProfile();
  }
}
