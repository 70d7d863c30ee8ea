import type { Page } from '@playwright/test';

declare global {
  /** What the live regions of the page have said since it was loaded. */
  var announcements: string[];
}

/** Records what screen readers announce on the pages that are loaded from now on. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(watchLiveRegions);
}

/** The announcements since the page was loaded, in their order. */
export function announcements(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => globalThis.announcements);
}

/**
 * Runs in the page. Like screen readers, it takes words only from a region that was there before its words, or from an alert. A log
 * announces what is added to it, a status or an alert all of its words.
 */
function watchLiveRegions(): void {
  const said: string[] = [];
  globalThis.announcements = said;
  const REGIONS = '[role="status"], [role="alert"], [role="log"], [aria-live]';
  const say = (text: string | null | undefined) => {
    const words = text?.replace(/\s+/g, ' ').trim() ?? '';
    if (words !== '' && words !== said.at(-1)) said.push(words);
  };
  const regionOf = (node: Node): Element | null => {
    for (let at: Node | null = node; at !== null; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null))
      if (at instanceof Element && at.matches(REGIONS)) return at;
    return null;
  };
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const isNew = (region: Element) => added.some((node) => node === region || node.contains(region));
    for (const { target, addedNodes } of records) {
      const region = regionOf(target);
      if (region?.role === 'log') for (const node of addedNodes) say(node.textContent);
      else if (region !== null && !isNew(region)) say(region.textContent);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        const alerts = [node, ...node.querySelectorAll('*')].filter((element) => element.role === 'alert');
        for (const alert of alerts) say(alert.textContent);
      }
    }
  });
  const what = { subtree: true, childList: true, characterData: true };
  observer.observe(document, what);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    observer.observe(root, what);
    return root;
  };
}
