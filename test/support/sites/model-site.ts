import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect as patient, test as base, type Page } from '@playwright/test';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import { copySite } from './copied-site.ts';
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
export const test = base.extend<{ mirrored: boolean; models: ModelSite; site: Page }>({
  /** Whether that server stands in for the hosts of the catalogue; see {@link mirrorPackage}. */
  mirrored: [false, { option: true }],
  models: async ({ mirrored }, use) => {
    const server = new FaultyModelServer();
    // Not `localhost`: there WebLLM caches no libraries.
    const origin = (await server.listen()).replace('localhost', '127.0.0.1');
    const site = await copySite({ modelHosts: [origin] });
    if (mirrored) {
      changeFile(join(site.folder, 'site-service-worker.js'), (script) => {
        return `self.tabserve = { catalogue: { base: ${JSON.stringify(`${origin}/`)} } };\n${script}`;
      });
      // The built-in model, which is behind every name, takes in no more at once.
      const library = readdirSync(join(site.folder, 'assets')).find((name) => /^lib-.*\.js$/.test(name))!;
      changeFile(join(site.folder, 'assets', library), (script) =>
        script.replaceAll('context_window_size:4096', 'context_window_size:2048'),
      );
    }
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

function changeFile(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} has not what is to be changed.`);
  writeFileSync(path, changed);
}

/** Offers the built-in model's files as a package of the catalogue, where a mirror has it. */
export function mirrorPackage(server: FaultyModelServer, id: string): void {
  const { model, model_lib } = prebuiltAppConfig.model_list.find(({ model_id }) => model_id === id)!;
  const files = builtInPackage();
  server.add(`${mirrorPath(model)}/resolve/main/`, files);
  server.files.set(mirrorPath(model_lib), files.get('pocket.wasm')!);
}

/** Below the base of a mirror, host and path are as they were. */
function mirrorPath(address: string): string {
  return address.replace('https:/', '');
}
