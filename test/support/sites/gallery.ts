import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';

const GALLERY = fileURLToPath(new URL('../../gallery/', import.meta.url));

/** Builds the gallery into the folder of a built site, which has its icons. */
export async function buildGallery(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: GALLERY,
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      // A folder whose files the server marks as immutable, because tests open hundreds of pages.
      assetsDir: 'assets/gallery',
      target: 'es2023',
      minify: false,
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: [`${GALLERY}specimen.html`, `${GALLERY}gallery.html`],
        // One script instead of a hundred, because requests took a sixth of the time to open a specimen. The PDF
        // reader, which few specimens use, is separate.
        output: {
          strictExecutionOrder: true,
          codeSplitting: { groups: [{ name: 'gallery', test: (module) => !module.includes('pdfjs-dist') }] },
        },
      },
    },
  });
}

/**
 * Opens a page of specimens, such as `answer-message/streaming`, and waits until it is rendered completely.
 * @throws Error with the page's error if it cannot be shown.
 */
export async function openSpecimen(page: Page, name: string, switches: Record<string, string> = {}): Promise<void> {
  const failure = page.waitForEvent('pageerror', { timeout: 0 });
  failure.catch(() => {});
  await page.goto(`/specimen.html?${new URLSearchParams({ specimen: name, ...switches })}`);
  const shown = page.waitForSelector(':root[data-shown]', { state: 'attached' });
  await Promise.race([shown, failure.then((error) => Promise.reject(error))]);
}

/** Returns the names of pages that together show every specimen once, of one table or of all. */
export async function specimenPages(page: Page, table?: string): Promise<string[]> {
  await page.goto('/gallery.html');
  const sections = page.locator(table === undefined ? 'nav section' : `nav section[aria-labelledby="${table}"]`);
  await sections.first().waitFor();
  return sections.evaluateAll((sections) => sections.flatMap((section) => section.dataset['pages']!.split(' ')));
}
