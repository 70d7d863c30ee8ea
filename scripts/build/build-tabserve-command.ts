import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { noticesOf } from './library-notices.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** Page that starts the endpoint for `ask` and `bridge`. */
const ENDPOINT_PAGE = 'src/command-line/commands/endpoint-page';

/** Builds `npx tabserve` as one Node script with all its dependencies. */
export async function buildTabserveCommand(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: PROJECT_FOLDER,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      outDir,
      emptyOutDir: true,
      ssr: join(PROJECT_FOLDER, 'src/command-line/tabserve.ts'),
      target: 'node20',
      minify: true,
      license: noticesOf('tabserve.js'),
      rolldownOptions: { output: { entryFileNames: 'tabserve.js', codeSplitting: false } },
    },
  });
  cpSync(join(PROJECT_FOLDER, ENDPOINT_PAGE), outDir, { recursive: true });
}
