import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect as patient, test as base, type BrowserContext, type Page } from '@playwright/test';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import { copySite } from './copied-site.ts';
import { FaultyModelServer } from './faulty-model-server.ts';

/** A site, and a model server of another origin that its Content-Security-Policy allows. */
export interface ModelSite {
  readonly url: string;
  readonly server: FaultyModelServer;
  /** Origin of the model server. */
  readonly origin: string;
}

/** Long enough for downloads and loads on a simulated GPU and a busy machine. */
export const expect = patient.configure({ timeout: 45_000 });

/** Bytes per second: so slow that nothing arrives completely before a test has acted. */
export const SLOWLY = 60_000;

/** Tests that download models. Each gets its own site and model server. */
export const test = base.extend<{ mirrored: boolean; models: ModelSite; site: Page }>({
  /** Whether the model server replaces the servers of the catalogue's models; see {@link mirrorPackage}. */
  mirrored: [false, { option: true }],
  models: async ({ mirrored }, use) => {
    const { close, ...models } = await startModelSite(mirrored);
    await use(models);
    await close();
  },
  /** A page of that site. It may still be loading the built-in model. */
  site: async ({ page, models }, use) => {
    await page.goto(models.url);
    await use(page);
  },
});

/**
 * Tests that share a site, a model server and a browser context, whose engine keeps the built-in model. Each begins
 * with a new page and a server without faults. Its downloads are kept, so each test needs other package names.
 */
export const sharedTest = base.extend<
  { models: ModelSite; site: Page },
  { sharedModels: ModelSite; modelContext: BrowserContext }
>({
  sharedModels: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
    async ({}, use) => {
      const { close, ...models } = await startModelSite(false);
      await use(models);
      await close();
    },
    { scope: 'worker' },
  ],
  modelContext: [
    async ({ browser, sharedModels }, use) => {
      const context = await browser.newContext();
      // This page keeps the engine alive, which would otherwise end with the last page.
      await (await context.newPage()).goto(sharedModels.url);
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ modelContext }, use) => {
    await use(modelContext);
    for (const page of modelContext.pages().slice(1)) await page.close();
  },
  models: async ({ sharedModels }, use) => {
    const { server } = sharedModels;
    server.faults.length = server.requests.length = 0;
    server.bytesPerSecond = null;
    server.exposesHeaders = true;
    await use(sharedModels);
  },
  site: async ({ page, models }, use) => {
    await page.goto(models.url);
    await use(page);
  },
});

async function startModelSite(mirrored: boolean): Promise<ModelSite & { close(): Promise<void> }> {
  const server = new FaultyModelServer();
  // Not `localhost`, because WebLLM caches no libraries from there.
  const origin = (await server.listen()).replace('localhost', '127.0.0.1');
  const site = await copySite({ modelHosts: [origin] });
  if (mirrored) {
    changeFile(join(site.folder, 'site-service-worker.js'), (script) => {
      return `self.tabserve = { catalogue: { base: ${JSON.stringify(`${origin}/`)} } };\n${script}`;
    });
    // Makes the page treat the tests' simulated GPU as a real one, for which packages are suggested.
    for (const name of readdirSync(join(site.folder, 'assets')).filter((name) => name.endsWith('.js'))) {
      const path = join(site.folder, 'assets', name);
      const script = readFileSync(path, 'utf8');
      if (script.includes('swiftshader|')) writeFileSync(path, script.replaceAll('swiftshader|', ''));
    }
    // The built-in model replaces every package, and its context window is smaller.
    const library = readdirSync(join(site.folder, 'assets')).find((name) => /^lib-.*\.js$/.test(name))!;
    changeFile(join(site.folder, 'assets', library), (script) =>
      script.replaceAll('context_window_size:4096', 'context_window_size:2048'),
    );
  }
  return {
    url: site.url,
    server,
    origin,
    async close() {
      await site.close();
      await server.close();
    },
  };
}

/** Returns the built-in model's files, to be served under other names. */
export function builtInPackage(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const folder = join(process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER, 'models/pocket');
  // No loader requests the model card, and WebLLM's does not request llama.cpp's file.
  const names = readdirSync(folder).filter((name) => name !== 'README.md' && !name.endsWith('.gguf'));
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
}

function changeFile(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} has not what is to be changed.`);
  writeFileSync(path, changed);
}

/** Serves the built-in model's files as a package of the catalogue, at its path on a mirror. */
export function mirrorPackage(server: FaultyModelServer, id: string): void {
  const { model, model_lib } = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id)!;
  const files = builtInPackage();
  server.add(`${mirrorPath(model)}/resolve/main/`, files);
  server.files.set(mirrorPath(model_lib), files.get('pocket.wasm')!);
}

/** A mirror's paths consist of the original host and path. */
function mirrorPath(address: string): string {
  return address.replace('https:/', '');
}
