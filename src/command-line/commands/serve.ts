import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions, parseOrigin, parsePort } from '../parse-options.ts';
import { readUpstreams, type Upstream } from '../../shared/upstreams/upstream.ts';
import type { Command } from './command.ts';
import { CommandFailure } from '../run-command.ts';
import { localModels } from '../local-models.ts';
import { serveBuiltSite } from '../http-server/serve-built-site.ts';

const USAGE = `Serves a built site with the headers that its pages and workers need.

  npx tabserve serve [FOLDER] [options]

  FOLDER             default: the current one

  --port NUMBER      port to listen on (default 4173; 0 takes a free one)
  --host NAME        name or address to listen on (default localhost). Service workers need https or localhost:
                     for other machines put a server with a certificate in front
  --model-host URL   a further origin that models may be fetched from; may be repeated
  --no-model-hosts   strict: no other origin may be reached. Models come from the site or from disk
  --upstreams FILE   servers that visitors may let answer beside their own device: a JSON array as in
                     docs/upstreams.md
  --quiet            print nothing

In Tabserve's repository, its own site: npm start -- [options]`;

/** `tabserve serve`: serves the site. Runs until interrupted. */
export const serve: Command = async (words, _, signal) => {
  const {
    values,
    positionals: [folder = '.', ...more],
  } = parseOptions(
    USAGE,
    {
      port: { type: 'string', default: '4173' },
      host: { type: 'string', default: 'localhost' },
      'model-host': { type: 'string', multiple: true, default: [] },
      'no-model-hosts': { type: 'boolean', default: false },
      upstreams: { type: 'string' },
      quiet: { type: 'boolean', default: false },
    },
    words,
  );
  if (more.length > 0) throw new CommandFailure('serve takes one folder: npx tabserve serve dist/');
  const hosts = values['model-host'].map(parseOrigin);
  const isStrict = values['no-model-hosts'];
  if (isStrict && hosts.length > 0)
    throw new CommandFailure('--no-model-hosts allows no host, so --model-host cannot stand beside it.');
  const site = await serveBuiltSite({
    folder: resolve(folder),
    port: parsePort(values.port),
    host: values.host,
    modelHosts: isStrict ? false : hosts,
    gguf: localModels(),
    upstreams: values.upstreams === undefined ? [] : readUpstreamsFile(values.upstreams),
  });
  if (!values.quiet) console.log(welcome(site.url));
  if (!signal.aborted) await once(signal, 'abort');
  await site.close();
};

function readUpstreamsFile(path: string): readonly Upstream[] {
  try {
    return readUpstreams(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new CommandFailure(`--upstreams takes a file with a JSON array: ${String(error)}`, { cause: error });
  }
}

function welcome(url: string): string {
  return `
The site is at ${url}

Open it in Chrome, Edge, Firefox or Safari. With WebGPU the GPU runs the models (chrome://gpu says whether your browser
has it), without it the CPU runs the built-in model and GGUF models.

Ctrl-C stops the server.`;
}
