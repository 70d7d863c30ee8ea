import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { siteReady } from '../support/pages/site-page.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';

interface Visit {
  /** Milliseconds from the start of the navigation. */
  readonly paint: number;
  readonly ready: number;
}

/**
 * Measures the chat page for returning visitors. The browser restarts before each visit, so that only its caches
 * remain.
 */
export async function measurePage({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const profile = mkdtempSync(join(tmpdir(), 'tabserve-profile-'));
  const visit = async (): Promise<Visit> => {
    const context = await chromium.launchPersistentContext(profile, launch);
    const page = await context.newPage();
    await page.goto(url);
    const paint = await firstContentfulPaint(page);
    await siteReady(page);
    const ready = await page.evaluate(() => performance.now());
    await context.close();
    return { paint, ready };
  };
  try {
    const first = await visit();
    const later: Visit[] = [];
    for (let round = 0; round < rounds; round++) later.push(await visit());
    return [
      measurement('first contentful paint, first visit', 'ms', [first.paint]),
      measurement(
        'first contentful paint, later visits',
        'ms',
        later.map(({ paint }) => paint),
        { atMost: 1000 },
      ),
      measurement('model ready, first visit', 'ms', [first.ready]),
      measurement(
        'model ready, from the cache',
        'ms',
        later.map(({ ready }) => ready),
      ),
    ];
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

function firstContentfulPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) resolve(entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
}
