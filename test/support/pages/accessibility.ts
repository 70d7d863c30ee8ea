import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The runs of axe: all rules once, then only the rules for contrast in other colours. */
const MODES = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' }, rules: {} },
  {
    name: 'forced colours',
    media: { colorScheme: 'light', forcedColors: 'active' },
    rules: { runOnly: ['color-contrast'] },
  },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, rules: { runOnly: ['color-contrast'] } },
] as const;

/**
 * Expects that axe finds no violation of WCAG 2.2 A and AA and of its best practices, and of the contrast rules also in
 * forced colours and in the dark scheme.
 * @param part Only the open dialog, or the whole page. Default: the page.
 */
export async function expectAccessible(page: Page, what: string, part: 'dialog' | 'page' = 'page'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource());
  const endRendering = await page.evaluateHandle(renderEverything);
  for (const { name, media, rules } of MODES) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    const violations = await page.evaluate(runAxe, { rules, part });
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }));
    expect(found, `${what}, ${name}`).toEqual([]);
  }
  await endRendering.evaluate((end) => end());
  await page.emulateMedia({ forcedColors: 'none' });
}

/** Runs in the page, after it has been drawn with the new colours. */
async function runAxe({ rules, part }: { rules: object; part: string }): Promise<AxeResults['violations']> {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  // Waits for transitions, because axe would judge intermediate colours.
  for (let frame = 0; document.getAnimations().some(({ playState }) => playState === 'running'); frame++) {
    if (frame === 1_000) throw new Error('An animation on this page does not end, even with reduced motion.');
    await new Promise(requestAnimationFrame);
  }
  const findDialog = (root: ParentNode): Element | null => {
    for (const element of root.querySelectorAll('*')) {
      const found = element instanceof HTMLDialogElement && element.open ? element : null;
      const inside = found ?? (element.shadowRoot && findDialog(element.shadowRoot));
      if (inside) return inside;
    }
    return null;
  };
  const examined = part === 'dialog' ? findDialog(document) : document;
  if (examined === null) throw new Error('No dialog is open.');
  const { axe } = globalThis as unknown as { axe: { run(examined: Node, options: object): Promise<AxeResults> } };
  const { violations } = await axe.run(examined, { resultTypes: ['violations'], ...rules });
  return violations;
}

/**
 * Runs in the page. Renders the content that `content-visibility` skips, which would keep the colours of the previous
 * scheme, and disables transitions between the colours.
 * @returns a function that ends it.
 */
async function renderEverything(): Promise<() => void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { content-visibility: visible !important; }
    *, *::before, *::after { transition: none !important; }
  `);
  const roots: DocumentOrShadowRoot[] = [];
  const collect = (root: Document | ShadowRoot) => {
    roots.push(root);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) collect(shadowRoot);
  };
  collect(document);
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return () => {
    for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}

let source: Promise<string> | undefined;

function axeSource(): Promise<string> {
  source ??= import('node:fs/promises').then(({ readFile }) => readFile(AXE, 'utf8'));
  return source;
}
