import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readBasePath } from '../../shared/http/base-path.ts';
import type { Command } from './command.ts';
import { LIBRARY_FOLDER, packageVersion } from '../project-folders.ts';
import { parseOptions } from '../parse-options.ts';
import { CommandFailure } from '../run-command.ts';

const USAGE = `Copies to a site what has to lie in its own origin: the worker scripts, the reader of documents, and the
built-in models.

  npx tabserve init FOLDER [options]

  FOLDER      where the site's static files lie, such as public or static; made where there is none.
              Default: the one that --save wrote

  --save      writes folder and options into package.json. From then on \`npx tabserve init\` copies to the same place
              again, as is needed after every update. By itself, with "postinstall": "tabserve init" among the scripts
  --gguf      for GGUF models and browsers without WebGPU: also copies llama.cpp, and the built-in chat model for it
  --no-model  leaves the built-in models out: the site names its own, or people download one
  --no-model-hosts
              strict: people can add models from the site and from disk only. The server has to send headers that
              enforce it, those of securityHeaders([])
  --base-path /api/v1
              path of the endpoint, which the copied service worker is told; the pages learn it from that. Default: /v1
  --modules   for pages without a bundler: also copies what others import from the package, tabserve.js and
              service-worker.js, and the engine worker, which bundlers find by themselves`;

/** The options that `--save` writes to the field `tabserve` of a site's package.json. */
interface SavedOptions {
  /** Folder for the files, relative to package.json, with `/` as separator. */
  readonly folder?: string | undefined;
  readonly model?: boolean;
  readonly basePath?: string | undefined;
  readonly modules?: boolean;
  readonly gguf?: boolean;
  readonly modelHosts?: boolean;
}

const SERVICE_WORKER = 'tabserve-service-worker.js';

/** Scripts that a site needs at a fixed address. */
const SCRIPTS = [SERVICE_WORKER, 'tabserve-upstreams.js'];

/** Modules that pages and service workers import, and the worker that one of them references. */
const MODULES = ['tabserve.js', 'service-worker.js', 'tabserve-engine-worker.js'];

/** The package.json of the site, in the current folder. */
const PACKAGE_FILE = 'package.json';

export const init: Command = async (words) => {
  const { values, positionals } = parseOptions(
    USAGE,
    {
      save: { type: 'boolean', default: false },
      'no-model': { type: 'boolean', default: false },
      'no-model-hosts': { type: 'boolean', default: false },
      'base-path': { type: 'string' },
      modules: { type: 'boolean', default: false },
      gguf: { type: 'boolean', default: false },
    },
    words,
  );
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new CommandFailure('init takes one folder: npx tabserve init public/');
  const given: SavedOptions = {
    folder: folder && writtenPath(folder),
    model: !values['no-model'],
    modules: values.modules,
    gguf: values.gguf,
    modelHosts: !values['no-model-hosts'],
    basePath: values['base-path'],
  };
  const saved = folder === undefined ? readSavedOptions() : {};
  const options = { ...given, ...saved, basePath: given.basePath ?? saved.basePath };
  if (options.folder === undefined) {
    throw new CommandFailure(
      'Say where the static files of the site lie: npx tabserve init public/ (--save keeps it).',
    );
  }
  if (!existsSync(LIBRARY_FOLDER))
    throw new CommandFailure('There is nothing to copy: run `npm run build:library` first.');

  const basePath = checkedBasePath(options.basePath);
  const names = [
    ...SCRIPTS,
    ...(options.modules ? MODULES : []),
    'tabserve-document-reader',
    ...(options.model ? ['models'] : []),
    ...(options.gguf ? ['tabserve-llama-cpp'] : []),
  ];
  mkdirSync(options.folder, { recursive: true });
  // Only llama.cpp reads GGUF files. Source maps belong to the scripts, which are copied without them.
  const filter = (path: string) => !path.endsWith('.map') && (options.gguf === true || !path.endsWith('.gguf'));
  for (const name of names) {
    cpSync(join(LIBRARY_FOLDER, name), join(options.folder, name), { recursive: true, filter });
  }
  const told = {
    ...(basePath === undefined ? {} : { basePath }),
    ...(options.gguf ? { gguf: true } : {}),
    ...(options.model === false ? { builtInModels: [] } : {}),
    ...(options.modelHosts === false ? { modelHosts: false } : {}),
  };
  if (Object.keys(told).length > 0) tellOptions(join(options.folder, SERVICE_WORKER), told);
  if (values.save) saveOptions(options);
  console.log(`Copied to ${options.folder}, from Tabserve ${packageVersion()}: ${names.join(', ')}.`);
};

/**
 * Returns the folder as written to package.json and to the terminal: relative to the current folder, with `/` on every
 * system.
 */
function writtenPath(folder: string): string {
  return relative('.', resolve(folder)).split(sep).join('/') || '.';
}

function checkedBasePath(path: string | undefined): string | undefined {
  try {
    return path === undefined ? path : readBasePath(path);
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
}

/** Writes options to the beginning of a service worker's script. Options set by an importing script take precedence. */
function tellOptions(file: string, options: Readonly<Record<string, unknown>>): void {
  const fields = Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const told = `self.tabserve = { ${[...fields, '...self.tabserve'].join(', ')} };`;
  writeFileSync(file, `${told}\n${readFileSync(file, 'utf8')}`);
}

function readSavedOptions(): SavedOptions {
  return existsSync(PACKAGE_FILE) ? ((readPackage()['tabserve'] as SavedOptions | undefined) ?? {}) : {};
}

function saveOptions({ folder, model, modules, gguf, modelHosts, basePath }: SavedOptions): void {
  if (!existsSync(PACKAGE_FILE)) throw new CommandFailure('--save needs a package.json, and there is none here.');
  const tabserve = {
    folder,
    ...(model ? {} : { model }),
    ...(modules ? { modules } : {}),
    ...(gguf ? { gguf } : {}),
    ...(modelHosts === false ? { modelHosts } : {}),
    ...(basePath === undefined ? {} : { basePath }),
  };
  writeFileSync(PACKAGE_FILE, `${JSON.stringify({ ...readPackage(), tabserve }, null, 2)}\n`);
}

function readPackage(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new CommandFailure(`${PACKAGE_FILE} cannot be read: ${String(error)}`, { cause: error });
  }
}
