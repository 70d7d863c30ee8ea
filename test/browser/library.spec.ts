import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { buildLibraryFiles } from '../../src/command-line/build-library-files.ts';
import { serveSite } from '../../src/command-line/serve-site.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));

test('a site made of the library files and twelve lines of its own answers', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-library-'));
  await buildLibraryFiles(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  const site = await serveSite({ folder });
  try {
    await page.goto(site.url);
    await expect(page.locator('body')).toHaveText(/\w+ \w+/, { timeout: 60_000 });
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
