import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CMAPS_FOLDER, DOCUMENT_READER_FOLDER, DOCUMENT_WORKER } from '../../src/shared/documents/document-reading.ts';
import { copyFiles } from './copy-files.ts';
import { noticesOf } from './library-notices.ts';

/** CMaps of pdf.js. A CMap maps the codes of a Chinese, Japanese or Korean font to characters, if a PDF does not embed it. */
const CMAPS = join(PROJECT_FOLDER, 'node_modules/pdfjs-dist/cmaps');

interface ReaderOptions {
  /** Plugins of each of the reader's scripts. Default: none. */
  readonly plugins?: () => Plugin[];
  /** Whether the files are published in the package, with source maps and third-party notices. Default: false. */
  readonly published?: boolean;
}

/**
 * Bundles the worker that reads documents and adds its files to a build: the worker's script, the reader of PDFs, which
 * the worker imports when it gets one, pdf.js's own worker, and CMaps. Page and engine start the worker by its address,
 * so that the site has one copy of it. The address has no hash: after an update of the site, the engine of a tab that
 * is still open finds the newer files there.
 */
export function addDocumentReader(options: ReaderOptions = {}): Plugin {
  let bundled: Promise<ReadonlyMap<string, Buffer>> | undefined;
  // The plugin may belong to several builds.
  const files = () => (bundled ??= documentReaderFiles(options));
  return copyFiles({ name: 'document-reader', files, folder: DOCUMENT_READER_FOLDER });
}

async function documentReaderFiles({
  plugins = () => [],
  published = false,
}: ReaderOptions): Promise<ReadonlyMap<string, Buffer>> {
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' };
  const output = (await build({
    configFile: false,
    root: PROJECT_FOLDER,
    // Its scripts refer to each other by relative addresses.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: plugins(),
    worker: { format: 'es', plugins, rolldownOptions: { output: names } },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      sourcemap: published,
      license: published && noticesOf(DOCUMENT_WORKER),
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: join(PROJECT_FOLDER, 'src/document-reader', DOCUMENT_WORKER.replace('.js', '.ts')),
        output: names,
      },
    },
  })) as Rolldown.RolldownOutput;
  const scripts = output.output.map((file): [string, Buffer] => [
    file.fileName,
    Buffer.from(file.type === 'chunk' ? file.code : file.source),
  ]);
  const cmaps = readdirSync(CMAPS).map((name): [string, Buffer] => [
    CMAPS_FOLDER + basename(name),
    readFileSync(join(CMAPS, name)),
  ]);
  return new Map([...scripts, ...cmaps]);
}
