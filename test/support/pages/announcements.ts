import type { Page } from '@playwright/test';

declare global {
  /** The announcements of the page's live regions since it was loaded. */
  var announcements: string[];
}

/** Records what screen readers announce on pages that are loaded after this call. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(watchLiveRegions);
}

/** Returns the announcements since the page was loaded, in order. */
export function announcements(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => globalThis.announcements);
}

/**
 * Runs in the page. Like screen readers, it announces changes only in a region that existed before its content, or in
 * an alert. A log announces added text; a status or an alert announces all its text.
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
