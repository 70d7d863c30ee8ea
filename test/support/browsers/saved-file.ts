import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

let folder: string | undefined;

/** Returns the folder of Firefox's downloads, which exists until the process ends. */
export function firefoxDownloads(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'tabserve-downloads-'));
  process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  return (folder = made);
}

/**
 * Runs `act`, which makes the page save a file, and reads the file. Firefox reports no downloads, so its folder is
 * searched.
 */
export async function savedFile(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  if (page.context().browser()?.browserType().name() !== 'firefox') {
    const [saved] = await Promise.all([page.waitForEvent('download'), act()]);
    return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
  }
  const downloads = firefoxDownloads();
  const before = readdirSync(downloads);
  const added = () => readdirSync(downloads).filter((name) => !before.includes(name));
  // While Firefox writes a file, an empty file has its name, and a second file beside it the content.
  const isWhole = () => added().length === 1 && added().every((name) => statSync(join(downloads, name)).size > 0);
  await act();
  await expect.poll(isWhole).toBe(true);
  const [name = ''] = added();
  const path = join(downloads, name);
  const text = await readFile(path, 'utf8');
  // Frees the name for the next download.
  rmSync(path);
  return { name, text };
}
