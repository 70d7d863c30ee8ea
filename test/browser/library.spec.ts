import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { buildLibraryFiles } from '../../src/command-line/build-library-files.ts';
import { findBrowser } from '../../src/command-line/find-browser.ts';
import { serveSite } from '../../src/command-line/serve-site.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/software-gpu-flags.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));

let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-library-'));
  await buildLibraryFiles(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a site made of the library files and a few lines of its own answers', async ({ page }) => {
  const site = await serveSite({ folder });
  try {
    await page.goto(site.url);
    await expect(page.locator('body')).toHaveText(/\w+ \w+/, { timeout: 90_000 });
  } finally {
    await site.close();
  }
});

test('a service worker that the browser stopped because it was idle answers the next request', async () => {
  // A debugger, Playwright's too, keeps service workers alive: this browser has none, and reports by itself.
  const reports = createServer();
  reports.listen(0, 'localhost');
  await once(reports, 'listening');
  const report = `http://localhost:${(reports.address() as AddressInfo).port}`;
  const site = await serveSite({ folder, modelHosts: [report] });
  const profile = mkdtempSync(join(tmpdir(), 'tabserve-profile-'));
  const address = `${site.url}unwatched.html?report=${encodeURIComponent(report)}`;
  const flags = ['--headless=new', `--user-data-dir=${profile}`, ...SOFTWARE_GPU_FLAGS];
  const browser = spawn(findBrowser().path, [...flags, address], { stdio: 'ignore' });
  try {
    const [request, response] = await once(reports, 'request');
    const { before, after, first, second } = JSON.parse(await text(request));
    response.end();
    const [one, other] = [before, after].map((answer) => JSON.parse(answer).choices[0].message.content);
    expect(one).toMatch(/\w/);
    expect(other).toBe(one);
    expect(second).not.toBe(first);
  } finally {
    const ended = once(browser, 'exit');
    browser.kill();
    await ended;
    await site.close();
    reports.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
