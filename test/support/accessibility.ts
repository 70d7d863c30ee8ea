import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * What axe finds wrong on the page as it stands: WCAG 2.2 A and AA and its best practices, then, in the dark,
 * the contrast once more; nothing else depends on the colour scheme.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours that are still on their way would be judged half-way.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource());
    const { violations } = await page.evaluate(
      (only) =>
        (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'], ...only }),
      colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] },
    );
    const found = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`) }));
    expect(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

let source: Promise<string> | undefined;

function axeSource(): Promise<string> {
  source ??= import('node:fs/promises').then(({ readFile }) => readFile(AXE, 'utf8'));
  return source;
}
