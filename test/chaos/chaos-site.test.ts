import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChaosSite } from './chaos-site.ts';

/** Serves a site of one page. */
async function serve(): Promise<ChaosSite> {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-chaos-site-test-'));
  writeFileSync(join(folder, 'index.html'), 'The page.');
  const site = await ChaosSite.start(folder);
  onTestFinished(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });
  return site;
}

const read = async (address: string): Promise<string> => (await fetch(address)).text();

test('a server that stalls answers when the last stall has ended, on old and new connections', async () => {
  const site = await serve();
  expect(await read(site.url)).toBe('The page.');
  const ends = [site.stall(), site.stall()];
  let answers = 0;
  const reading = [1, 2, 3].map(async () => {
    const text = await read(site.url);
    answers++;
    return text;
  });
  for (const goOn of ends) {
    // Another server answers meanwhile.
    await read(site.controlUrl);
    expect(answers).toBe(0);
    goOn();
  }
  expect(await Promise.all(reading)).toEqual(['The page.', 'The page.', 'The page.']);
});
