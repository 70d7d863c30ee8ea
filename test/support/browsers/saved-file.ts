import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly text: string;
}

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
export async function savedFile(page: Page, act: () => Promise<void>): Promise<SavedFile> {
  if (page.context().browser()?.browserType().name() !== 'firefox') {
    const [saved] = await Promise.all([page.waitForEvent('download'), act()]);
    const bytes = await readFile(await saved.path());
    return { name: saved.suggestedFilename(), bytes, text: bytes.toString('utf8') };
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
  const bytes = await readFile(path);
  // Frees the name for the next download.
  rmSync(path);
  return { name, bytes, text: bytes.toString('utf8') };
}
