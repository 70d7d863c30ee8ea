import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST_FOLDER } from '../../../src/command-line/project-folders.ts';
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
