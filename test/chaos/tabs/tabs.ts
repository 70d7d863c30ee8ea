import type { ChaosBrowser } from '../chaos-browser.ts';
import type { ChaosSite } from '../chaos-site.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Tab } from './tab.ts';

/** How often a tab is opened whose page crashes meanwhile, in a process that it shares with another tab. */
const MAX_CRASHES = 3;

/** A fixed number of tabs. A place is empty after its tab was closed. */
export class Tabs {
  readonly #browser: Pick<ChaosBrowser, 'openTab'>;
  readonly #site: Pick<ChaosSite, 'url'>;
  readonly #places: (Tab | null)[];
  /** For each place, the pending opening of a tab, so that two callers do not open two tabs. */
  readonly #fills: Promise<void>[];

  constructor(browser: Pick<ChaosBrowser, 'openTab'>, site: Pick<ChaosSite, 'url'>, count: number) {
    this.#browser = browser;
    this.#site = site;
    this.#places = Array.from({ length: count }, () => null);
    this.#fills = this.#places.map(() => Promise.resolve());
  }

  get count(): number {
    return this.#places.length;
  }

  /** The responsive tabs. */
  get open(): readonly Tab[] {
    return this.#places.filter((tab) => tab?.state === 'open') as Tab[];
  }

  get all(): readonly Tab[] {
    return this.#places.filter((tab) => tab !== null);
  }

  at(place: number): Tab | null {
    return this.#places[place] ?? null;
  }

  /** Returns an open tab; null if there is none. */
  pick(random: SeededRandom): Tab | null {
    // Chooses among all places, so that the choice depends only on the seed if possible.
    const place = random.integer(0, this.#places.length - 1);
    const tab = this.#places[place];
    return tab?.state === 'open' ? tab : (this.open[0] ?? null);
  }

  /** Opens a tab in every empty place. */
  async openAll(): Promise<void> {
    for (const place of this.#places.keys()) await this.#fill(place);
  }

  /** Opens a closed tab again, or loads the site again in a crashed one. */
  async restore(tab: Tab): Promise<void> {
    const place = this.#places.indexOf(tab);
    if (place >= 0) await this.#fill(place);
  }

  #fill(place: number): Promise<void> {
    const fill = (this.#fills[place] ?? Promise.resolve()).then(() => this.#fillIfEmpty(place));
    this.#fills[place] = fill.catch(() => {});
    return fill;
  }

  async #fillIfEmpty(place: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#fillOnce(place);
      } catch (thrown) {
        if (attempt === MAX_CRASHES || !String(thrown).includes('crashed')) throw thrown;
      }
    }
  }

  async #fillOnce(place: number): Promise<void> {
    const tab = this.#places[place] ?? null;
    if (tab === null || tab.state === 'closed') this.#places[place] = await this.#browser.openTab(this.#site.url);
    else if (tab.state === 'crashed') await tab.navigate(this.#site.url);
  }
}
