import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONS_FILE } from '../../shared/hub/hub-site.ts';
import { MODEL_HOSTS, hubHeaders } from '../../shared/security/security-headers.ts';
import { writeHostingFiles } from '../hosting/write-hosting-files.ts';
import { parseOptions } from '../parse-options.ts';
import { LIBRARY_FOLDER, packageVersion } from '../project-folders.ts';
import { CommandFailure } from '../run-command.ts';
import type { Command } from './command.ts';
import { sitePath } from './host.ts';

const USAGE = `Makes a hub: a site whose models and engine other sites use, so that each model is on a device once.

  npx tabserve hub FOLDER --site ORIGIN [options]

  FOLDER            for the files of the hub; made where there is none

  --site ORIGIN     a site that may show the hub's frame, such as https://app.example.org or https://*.example.org; may
                    be repeated
  --path /models/   path of the hub on its host; default: /
  --gguf            for GGUF models and browsers without WebGPU: also copies llama.cpp, and the built-in chat model for it
  --no-model-hosts  strict: the hub reaches no other origin

It writes the page on which people allow and revoke sites (index.html, unless there is one), the frame, the engine worker and
the built-in models, and what hosts need: _headers (Netlify, Cloudflare Pages), and samples to copy into hosting/.`;

/** What a hub consists of, besides its page. */
const FILES = [
  'tabserve-hub.html',
  'tabserve-hub.js',
  'tabserve-hub-page.html',
  'tabserve-hub-page.js',
  'tabserve-engine-worker.js',
  'models',
];

const LLAMA_CPP = 'tabserve-llama-cpp';

/** `tabserve hub`: copies the files of a hub, and writes the headers by which named sites only may show its frame. */
export const hub: Command = async (words) => {
  const { values, positionals } = parseOptions(
    USAGE,
    {
      site: { type: 'string', multiple: true, default: [] },
      path: { type: 'string', default: '/' },
      gguf: { type: 'boolean', default: false },
      'no-model-hosts': { type: 'boolean', default: false },
    },
    words,
  );
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new CommandFailure('hub takes one folder: npx tabserve hub hub/ --site https://app.example.org');
  const sites = values.site.map(siteSource);
  if (sites.length === 0)
    throw new CommandFailure('Say which sites may use the hub, such as --site https://app.example.org: no other can.');
  const path = sitePath(values.path);
  if (!existsSync(LIBRARY_FOLDER))
    throw new CommandFailure('There is nothing to copy: run `npm run build:library` first.');

  mkdirSync(folder, { recursive: true });
  // Files of an earlier version would not fit to the engine worker.
  const hasLlamaCpp = values.gguf || existsSync(join(folder, LLAMA_CPP));
  // Only llama.cpp reads GGUF files.
  const filter = (file: string) => hasLlamaCpp || !file.endsWith('.gguf');
  for (const name of [...FILES, ...(hasLlamaCpp ? [LLAMA_CPP] : [])])
    cpSync(join(LIBRARY_FOLDER, name), join(folder, name), { recursive: true, filter });
  const page = join(folder, 'index.html');
  if (!existsSync(page)) cpSync(join(LIBRARY_FOLDER, 'tabserve-hub-page.html'), page);
  const isStrict = values['no-model-hosts'];
  const options = { ...(values.gguf && { gguf: true }), ...(isStrict && { modelHosts: false }) };
  const file = join(folder, OPTIONS_FILE);
  writeFileSync(file, `${JSON.stringify({ ...readOptions(file), ...options }, null, 2)}\n`);
  writeHostingFiles(folder, hubHeaders(sites, isStrict ? [] : MODEL_HOSTS), path);
  console.log(`Written to ${folder}, from Tabserve ${packageVersion()}: a hub for ${sites.join(', ')}.`);
};

/** Reads the options that a person may have written. Whether the hub is strict is decided anew with its headers. */
function readOptions(file: string): object {
  if (!existsSync(file)) return {};
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')), modelHosts: undefined };
  } catch (thrown) {
    throw new CommandFailure(`${file} has options that cannot be read: ${(thrown as Error).message}`);
  }
}

/** Reads an origin as a source of a Content-Security-Policy; its host may begin with `*.`. */
function siteSource(text: string): string {
  const [, scheme, host] = /^(https?):\/\/((?:\*\.)?[a-z\d.-]+(?::\d+)?)\/?$/i.exec(text) ?? [];
  if (scheme !== undefined && host !== undefined) return `${scheme}://${host}`.toLowerCase();
  throw new CommandFailure(
    `--site takes an origin such as https://app.example.org or https://*.example.org, not "${text}".`,
  );
}
