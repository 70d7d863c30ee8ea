import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
import type { SiteGguf } from '../../../src/shared/models/site-models.ts';
import { serveBuiltSite, type SiteOptions } from '../../../src/command-line/http-server/serve-built-site.ts';

export interface CopiedSite {
  readonly url: string;
  /** Folder of the copy, whose files a test may change. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Serves a copy of the built site that a test may damage. */
export async function copySite(options: Pick<SiteOptions, 'modelHosts'> = {}): Promise<CopiedSite> {
  const dist = process.env['TABSERVE_TEST_DIST'] ?? DIST_FOLDER;
  if (!existsSync(dist)) throw new Error(`There is no built site in ${dist}: run \`npm run build\` first.`);
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-copy-'));
  cpSync(dist, folder, { recursive: true });
  const site = await serveBuiltSite({ folder, ...options });
  return {
    url: site.url,
    folder,
    async close() {
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Serves a copy of the built site that offers these GGUF models and no built-in ones.
 * @param files The models' files, by the name under which a model's address has it: `models/NAME.gguf`.
 */
export async function copySiteWithModels(
  files: Readonly<Record<string, Blob>>,
  models: readonly SiteGguf[],
): Promise<CopiedSite> {
  const site = await copySite();
  mkdirSync(join(site.folder, 'models'), { recursive: true });
  for (const [name, file] of Object.entries(files))
    writeFileSync(join(site.folder, `models/${name}.gguf`), new Uint8Array(await file.arrayBuffer()));
  const script = join(site.folder, 'site-service-worker.js');
  const options = JSON.stringify({ models, builtInModels: [] });
  writeFileSync(script, `self.tabserve = ${options};\n${readFileSync(script, 'utf8')}`);
  return site;
}
