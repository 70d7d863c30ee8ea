import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseOptions, parseOrigin, parsePort } from './parse-options.ts';
import { readUpstreams, type Upstream } from '../shared/upstream.ts';
import { CommandFailure, runCommand } from './run-command.ts';
import { serveSite } from './serve-site.ts';

const USAGE = `Serves the built site.

  npm start -- [options]

  --port NUMBER      port to listen on (default 4173; 0 takes a free one)
  --host NAME        name or address to listen on (default localhost). Service workers need https or localhost:
                     for other machines put a server with a certificate in front
  --model-host URL   a further origin that models may be fetched from; may be repeated
  --upstreams FILE   servers that visitors may let answer beside their own device: a JSON array as in
                     docs/upstreams.md
  --quiet            print nothing`;

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    port: { type: 'string', default: '4173' },
    host: { type: 'string', default: 'localhost' },
    'model-host': { type: 'string', multiple: true, default: [] },
    upstreams: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  });
  const site = await serveSite({
    port: parsePort(values.port),
    host: values.host,
    modelHosts: values['model-host'].map(parseOrigin),
    upstreams: values.upstreams === undefined ? [] : readUpstreamsFile(values.upstreams),
  });
  if (!values.quiet) console.log(welcome(site.url));
  if (!signal.aborted) await once(signal, 'abort');
  await site.close();
});

function readUpstreamsFile(path: string): readonly Upstream[] {
  try {
    return readUpstreams(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new CommandFailure(`--upstreams takes a file with a JSON array: ${String(error)}`, { cause: error });
  }
}

function welcome(url: string): string {
  return `
Tabserve is at ${url}

Open it in Chrome, Edge, Firefox or Safari with WebGPU. chrome://gpu says whether yours has it.
Without a graphics card start Chromium or Chrome with software WebGPU:

  chromium --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader ${url}

Ctrl-C stops the server.`;
}
