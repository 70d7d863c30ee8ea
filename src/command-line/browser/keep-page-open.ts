import { CommandFailure } from '../run-command.ts';
import type { OpenPage } from './open-page.ts';
import type { PageFetch } from './page-fetch.ts';

export interface KeptPage {
  /** Sends a request through the present page, waiting for one that is being opened. */
  readonly fetch: PageFetch;
  /** Rejects when no browser can be kept open; otherwise pending until `close`. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

export interface KeepPageOpenOptions {
  /** Opens a page of the site in a browser of its own. */
  readonly open: () => Promise<OpenPage>;
  /** Told what happens, one sentence each. */
  readonly report: (sentence: string) => void;
}

/** A page that closes this soon after it opened would most likely do so again and again. */
const SHORTEST_LIFE = 10_000;
const MOST_SHORT_LIVES = 5;

/** Opens a page of the site and keeps one open: when its browser crashes, another takes its place. */
export async function keepPageOpen({ open, report }: KeepPageOpenOptions): Promise<KeptPage> {
  let closing = false;
  let current = Promise.resolve(await open());

  const finished = (async () => {
    let shortLives = 0;
    for (;;) {
      const page = await current;
      const opened = performance.now();
      await page.gone;
      if (closing) return;
      shortLives = performance.now() - opened < SHORTEST_LIFE ? shortLives + 1 : 0;
      if (shortLives === MOST_SHORT_LIVES)
        throw new CommandFailure('The browser crashed again and again: `npx tabserve ask Hello` may say more.');
      report('The browser has gone; starting another.');
      current = page.close().then(open);
    }
  })();
  // Whoever waits for it hears of a failure; until somebody does, it is no unhandled rejection.
  finished.catch(() => {});

  return {
    fetch: async (request) => (await current).fetch(request),
    finished,
    async close() {
      closing = true;
      const page = await current.catch(() => null);
      await page?.close();
    },
  };
}
