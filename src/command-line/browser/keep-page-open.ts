import { CommandFailure } from '../run-command.ts';
import type { OpenPage } from './open-page.ts';
import type { PageFetch } from './page-fetch.ts';

export interface KeptPage {
  /** Sends a request through the current page; waits while one is being opened. */
  readonly fetch: PageFetch;
  /** Rejects if the browser cannot be restarted; resolves after `close`. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

export interface KeepPageOpenOptions {
  readonly open: () => Promise<OpenPage>;
  /** Called with a sentence for the user about each restart. */
  readonly report: (sentence: string) => void;
}

/** Milliseconds. A page that closes sooner counts towards {@link MAX_SHORT_LIVES}. */
const MIN_LIFE = 10_000;
/** If this many consecutive pages close before {@link MIN_LIFE}, no further browser is started. */
const MAX_SHORT_LIVES = 5;

/** Keeps a page of the site open: if its browser crashes, starts another. */
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
      shortLives = performance.now() - opened < MIN_LIFE ? shortLives + 1 : 0;
      if (shortLives === MAX_SHORT_LIVES)
        throw new CommandFailure('The browser crashed again and again: `npx tabserve ask Hello` may say more.');
      report('The browser has gone; starting another.');
      current = page.close().then(open);
    }
  })();
  // The caller may await `finished` late; until then a failure would be reported as an unhandled rejection.
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
