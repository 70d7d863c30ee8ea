import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What axe finds wrong on the page as it stands: WCAG 2.2 A and AA and its best practices, then, in the dark,
 * the contrast once more; nothing else depends on the colour scheme.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource());
  for (const colorScheme of ['light', 'dark'] as const) {
    const endRendering = await page.evaluateHandle(renderEverything);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    // Colours that are still on their way would be judged half-way.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
    const { violations } = await page.evaluate(
      (only) =>
        (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
          resultTypes: ['violations'],
          ...only,
        }),
      colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] },
    );
    await endRendering.evaluate((end) => end());
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    }));
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/**
 * Runs in the page. What `content-visibility` leaves out because it is out of sight keeps the colours it had in
 * the other scheme, and would be judged by them: all is rendered before the scheme changes.
 * @returns what ends it.
 */
async function renderEverything(): Promise<() => void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
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
