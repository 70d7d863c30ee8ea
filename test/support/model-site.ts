import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect as patient, test as base, type Page } from '@playwright/test';
import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { serveSite } from '../../src/command-line/serve-site.ts';
import { FaultyModelServer } from './faulty-model-server.ts';

/** A site, and a model server on another origin that its Content-Security-Policy names. */
export interface ModelSite {
  readonly url: string;
  readonly server: FaultyModelServer;
  /** Origin of the model server. */
  readonly origin: string;
}

/** Downloads and models take as long as they take, above all with software graphics beside other work. */
export const expect = patient.configure({ timeout: 45_000 });

/** Slow enough that nothing arrives in full before a test has done what it wants to do. */
export const SLOWLY = 60_000;

/** Tests that need models from elsewhere. Each gets a site and a server of its own. */
export const test = base.extend<{ models: ModelSite; site: Page }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  models: async ({}, use) => {
    const server = new FaultyModelServer();
    // Not `localhost`: there WebLLM caches no libraries.
    const origin = (await server.listen()).replace('localhost', '127.0.0.1');
    const folder = process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER;
    const site = await serveSite({ folder, modelHosts: [origin] });
    await use({ url: site.url, server, origin });
    await site.close();
    await server.close();
  },
  /** The page of that site. It may still be loading the built-in model. */
  site: async ({ page, models }, use) => {
    await page.goto(models.url);
    await use(page);
  },
});

/** The built-in model's files, to be offered under other names. */
export function builtInPackage(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const folder = join(process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER, 'models/pocket');
  // The model card is for people; no loader asks for it.
  const names = readdirSync(folder).filter((name) => name !== 'README.md');
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
}
