import { HASHED_FOLDER } from './hashed-names.ts';
import { PAGES_WORKFLOW } from './pages-workflow.ts';

/** The headers of a site, by their lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** Netlify and Cloudflare Pages read this file. */
export const HEADERS_FILE = '_headers';

const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

/**
 * The files that hosts need for a built site, by their paths in its folder.
 * @param headers Sent with every file.
 * @param path Path of the site on its host, with a slash at both ends: `/`, or `/tabserve/` in a folder.
 * @param keepsHashed Whether browsers may keep the files of {@link HASHED_FOLDER} for ever.
 */
export function hostingFiles(headers: Headers, path: string, keepsHashed: boolean): ReadonlyMap<string, string> {
  return new Map([
    [HEADERS_FILE, headersFile(headers, path, keepsHashed)],
    // Without this file GitHub Pages leaves out files whose names begin with an underscore.
    ['.nojekyll', ''],
    ['hosting/github-pages.yml', PAGES_WORKFLOW],
    ['hosting/Caddyfile', caddyfile(headers, path, keepsHashed)],
    ['hosting/nginx.conf', nginxConfig(headers, path, keepsHashed)],
  ]);
}

const lines = (headers: Headers, line: (name: string, value: string) => string) =>
  Object.entries(headers).map(([name, value]) => line(name, value));

/** A header of two rules that match would be sent twice. */
function headersFile(headers: Headers, path: string, keepsHashed: boolean): string {
  return [
    `${path}*`,
    ...lines(headers, (name, value) => `  ${name}: ${value}`),
    ...(keepsHashed ? [`${path}${HASHED_FOLDER}/*`, `  cache-control: ${FOREVER}`] : []),
    '',
  ].join('\n');
}

/** Caddy's strings have no escapes between backticks. */
function caddyfile(headers: Headers, path: string, keepsHashed: boolean): string {
  const strip = path === '/' ? [] : [`\tredir ${path.slice(0, -1)} ${path}`, `\thandle_path ${path}* {`];
  const indent = path === '/' ? '\t' : '\t\t';
  const rules = [
    'root * /srv/site',
    ...lines(headers, (name, value) => `header ${name} \`${value}\``),
    // Only files that exist: a browser would keep the 404 of a file that a new build is just bringing for ever, too.
    ...(keepsHashed
      ? ['@hashed {', `\tpath /${HASHED_FOLDER}/*`, '\tfile', '}', `header @hashed cache-control "${FOREVER}"`]
      : []),
    // The question mark leaves the value of the rule above.
    `header ?cache-control "${REVALIDATED}"`,
    // Caddy's own list of types lacks WebAssembly.
    'encode zstd gzip {',
    '\tmatch {',
    ...['text/*', 'application/json*', 'application/wasm*'].map((type) => `\t\theader Content-Type ${type}`),
    '\t}',
    '}',
    'file_server',
  ];
  return [
    '# The site lies in /srv/site. Caddy fetches the certificate.',
    'example.org {',
    ...strip,
    ...rules.map((rule) => indent + rule),
    ...(path === '/' ? [] : ['\t}']),
    '}',
    '',
  ].join('\n');
}

/** `add_header` of an inner block replaces those of the outer one, so that each block has all of them. */
function nginxConfig(headers: Headers, path: string, keepsHashed: boolean): string {
  const block = (cacheControl: string) => [
    ...lines(headers, (name, value) => `        add_header ${name} '${value.replaceAll("'", String.raw`\'`)}' always;`),
    // Without `always`: a browser would keep the 404 of a file that a new build is just bringing for ever, too.
    `        add_header cache-control '${cacheControl}';`,
  ];
  return [
    '# The site lies in /srv/site. A part of the `http` block, such as a file in /etc/nginx/conf.d.',
    'server {',
    '    listen 443 ssl;',
    '    server_name example.org;',
    '    ssl_certificate /etc/ssl/example.org.pem;',
    '    ssl_certificate_key /etc/ssl/example.org.key;',
    '    include mime.types;',
    '    # Browsers compile WebAssembly only while it arrives if it has this type, which older lists lack. If nginx warns of a',
    '    # duplicate extension, its list has the type.',
    '    types { application/wasm wasm; text/javascript mjs; }',
    '    gzip on;',
    '    gzip_types text/css text/javascript application/javascript application/json application/wasm;',
    ...(path === '/' ? [] : [`    location = ${path.slice(0, -1)} { return 301 ${path}; }`]),
    `    location ${path} {`,
    '        alias /srv/site/;',
    ...block(REVALIDATED),
    '    }',
    ...(keepsHashed
      ? [
          `    location ${path}${HASHED_FOLDER}/ {`,
          `        alias /srv/site/${HASHED_FOLDER}/;`,
          ...block(FOREVER),
          '    }',
        ]
      : []),
    '}',
    '',
  ].join('\n');
}
