import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_HOSTS, securityHeaders } from '../../shared/security/security-headers.ts';
import { writeHostingFiles } from '../hosting/write-hosting-files.ts';
import { siteOptionsScript } from '../http-server/site-options-script.ts';
import { parseOptions, parseOrigin } from '../parse-options.ts';
import { CommandFailure } from '../run-command.ts';
import type { Command } from './command.ts';

const USAGE = `Writes into a built site what hosts need to serve it, with the headers of \`npx tabserve serve\`.

  npx tabserve host [FOLDER] [options]

  FOLDER             the built site; default: dist

  --path /tabserve/  path of the site on its host; default: /
  --model-host URL   a further origin that models may be fetched from; may be repeated
  --no-model-hosts   strict: no other origin may be reached. Models come from the site or from disk

It writes _headers (Netlify, Cloudflare Pages), .nojekyll (GitHub Pages), and samples to copy into hosting/: Caddyfile,
nginx.conf, and github-pages.yml, a workflow that builds and publishes the site.`;

/** The service worker of the chat page. It is told the options that the headers need. */
const SERVICE_WORKER = 'site-service-worker.js';

/** Ends the line that this command has put before the service worker's script. */
const MARK = ' // written by tabserve host';

/** `tabserve host`: see {@link writeHostingFiles}. */
export const host: Command = async (words) => {
  const {
    values,
    positionals: [folder = 'dist', ...more],
  } = parseOptions(
    USAGE,
    {
      path: { type: 'string', default: '/' },
      'model-host': { type: 'string', multiple: true, default: [] },
      'no-model-hosts': { type: 'boolean', default: false },
    },
    words,
  );
  if (more.length > 0) throw new CommandFailure('host takes one folder: npx tabserve host dist');
  const hosts = values['model-host'].map(parseOrigin);
  const isStrict = values['no-model-hosts'];
  if (isStrict && hosts.length > 0)
    throw new CommandFailure('--no-model-hosts allows no host, so --model-host cannot stand beside it.');
  const path = sitePath(values.path);
  if (!existsSync(join(folder, 'index.html')))
    throw new CommandFailure(`There is no built site in ${folder}, for it has no index.html: build it first.`);

  const files = writeHostingFiles(folder, securityHeaders(isStrict ? [] : [...MODEL_HOSTS, ...hosts]), path);
  tellServiceWorker(join(folder, SERVICE_WORKER), siteOptionsScript({ modelHosts: isStrict ? false : hosts }));
  console.log(`Written to ${folder}: ${files.join(', ')}. The samples in hosting/ are to be copied.`);
};

/** Reads the option `--path`: with a slash at both ends. */
export function sitePath(path: string): string {
  const names = path.split('/').filter((name) => name !== '');
  if (names.some((name) => !/^[\w.~-]+$/.test(name)))
    throw new CommandFailure(`--path takes a path such as /tabserve/, not "${path}".`);
  return names.length === 0 ? '/' : `/${names.join('/')}/`;
}

/** Replaces the options that an earlier run has written before the script. */
function tellServiceWorker(file: string, options: string): void {
  if (!existsSync(file)) return;
  const script = readFileSync(file, 'utf8').replace(new RegExp(`^.*${MARK}\n`), '');
  const line = options === '' ? '' : `${options.replaceAll('\n', ' ')}${MARK}\n`;
  writeFileSync(file, line + script);
}
