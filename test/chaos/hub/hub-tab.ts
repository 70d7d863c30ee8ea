import type { ChaosBrowser } from '../chaos-browser.ts';
import type { Tab } from '../tabs/tab.ts';

/** Milliseconds for the page to list a site, and to show that it is allowed or revoked. */
const LIST_TIME = 12_000;

/** The tab with the page of the hub, on which a person allows and revokes sites. */
export class HubTab {
  readonly #browser: Pick<ChaosBrowser, 'openTab'>;
  readonly #url: string;
  #tab: Tab | null = null;

  /** @param hub Address of the hub, with a trailing slash. */
  constructor(browser: Pick<ChaosBrowser, 'openTab'>, hub: string) {
    this.#browser = browser;
    this.#url = `${hub}tabserve-hub-page.html`;
  }

  /** The tab; null while it is closed. */
  get tab(): Tab | null {
    return this.#tab;
  }

  /** Opens the tab, loads its page again after a crash, and lets a frozen one go on. */
  async open(): Promise<Tab> {
    const tab = this.#tab;
    if (tab?.state === 'frozen') await tab.resume();
    else if (tab?.state === 'crashed') await tab.navigate(this.#url);
    return (this.#tab ??= await this.#browser.openTab(this.#url));
  }

  async close(): Promise<void> {
    await this.#tab?.close();
    this.#tab = null;
  }

  /** Loads the page again, so that it is that of the hub's newest build. */
  async reload(): Promise<void> {
    await (await this.open()).navigate(this.#url);
  }

  /**
   * Presses the button of a site unless the site is allowed, or not, as it should be.
   * @returns whether it is so now; false if the page does not list the site, or does not work.
   */
  async allow(origin: string, isAllowed: boolean): Promise<boolean> {
    const tab = await this.open();
    // Only a site that is allowed has fields for its limits. The page reads the list every five seconds.
    const press = `(async () => {
      const end = performance.now() + ${LIST_TIME};
      while (performance.now() < end) {
        const button = [...document.querySelectorAll('button')].find(({ dataset }) => dataset.origin === ${JSON.stringify(origin)});
        if (button && (button.parentElement.querySelector('input') !== null) === ${isAllowed}) return true;
        button?.click();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return false;
    })()`;
    return (await tab.evaluate(press)) === true;
  }
}
