import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The repository's Markdown as a site, built by `npm run docs`. Each file is a page at its own path, so links between files
 * are links between pages. The README is the home page.
 */
export default defineConfig({
  title: 'Tabserve',
  description: 'An OpenAI-compatible endpoint that lives entirely in the browser',
  lang: 'en',
  base: process.env['DOCS_BASE'] ?? '/',
  srcDir: REPOSITORY,
  srcExclude: ['dist/**', 'library/**', '*-results*/**', '.*/**'],
  rewrites: { 'README.md': 'index.md' },
  ignoreDeadLinks: 'localhostLinks',
  // The repository's own Vite settings and `public` folder are those of the chat page.
  vite: {
    configFile: false,
    publicDir: false,
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [
      {
        name: 'packages-of-docs',
        enforce: 'pre',
        // Vite resolves Vue from the page's folder or the repository's root, but it is installed in `docs` only.
        resolveId(id, importer, { ssr }) {
          if (!/^vue(\/|$)/.test(id)) return null;
          if (ssr) return { id, external: true };
          if (!importer?.endsWith('.md')) return null;
          return this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true });
        },
      },
    ],
  },
  markdown: { config: linkPagesOnly, anchor: { slugify } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      { text: 'Tabserve', link: '/' },
      group('Begin', [
        ['Getting started', 'getting-started'],
        ['How it works', 'how-it-works'],
        ['In your own site', 'your-site'],
        ['Hosting', 'hosting'],
        ['Porting from elsewhere', 'porting'],
      ]),
      group('Use', [
        ['What the endpoint does', 'endpoint'],
        ['Clients', 'clients'],
        ['The Prompt API', 'prompt-api'],
        ['Models', 'models'],
        ['The chat page', 'chat-page'],
        ['Upstreams', 'upstreams'],
        ['API of page and service worker', 'api/index'],
      ]),
      group('Know', [
        ['When something fails', 'when-something-fails'],
        ['Debugging', 'debugging'],
        ['Limits', 'limits'],
        ['Security and privacy', 'security-and-privacy'],
        ['Prove it in ten minutes', 'prove-it'],
        ['Content-Security-Policy', 'content-security-policy'],
        ['Measured', 'measured'],
        ['Reports for upstream', 'upstream-reports'],
      ]),
      {
        text: 'Work on it',
        items: [
          { text: 'Architecture', link: '/ARCHITECTURE' },
          { text: 'Decisions', link: '/docs/decisions/README' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Releasing', link: '/docs/releasing' },
          { text: 'Changelog', link: '/CHANGELOG' },
          { text: 'Security', link: '/SECURITY' },
          { text: 'A WebLLM model library', link: '/src/pocket/README' },
        ],
      },
    ],
  },
});

function group(text: string, pages: readonly (readonly [text: string, page: string])[]) {
  return { text, items: pages.map(([text, page]) => ({ text, link: `/docs/${page}` })) };
}

/** The id of a heading, formed as code hosts form it, so that a link to a heading works there and on the site. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/**
 * Turns links to files that are no page, such as source files, into plain text: the site does not have these files. Links
 * within a page stay, among them those of the headings, without which VitePress finds no sections to index for the search.
 */
function linkPagesOnly(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-pages-only', ({ tokens, env }) => {
    const { path, realPath = path } = env as MarkdownEnv;
    for (const { children } of tokens) {
      let isNamedOnly = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const [, target = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(String(token.attrGet('href'))) ?? [];
          const file = resolve(dirname(realPath), target);
          const isFolder = target !== '' && existsSync(join(file, 'README.md'));
          isNamedOnly = !/^([a-z]+:|$)/.test(target) && !isPage(file) && !isFolder;
          if (isFolder) token.attrSet('href', `${target}/README.md${anchor}`);
          if (file === join(REPOSITORY, 'README.md') && target !== '') token.attrSet('href', `/${anchor}`);
        }
        if (isNamedOnly && /^link_(open|close)$/.test(token.type)) Object.assign(token, { type: 'text', content: '' });
      }
    }
  });
}

/** Pages of the API reference do not exist until the build writes them. */
function isPage(file: string): boolean {
  return file.endsWith('.md') && (existsSync(file) || file.startsWith(join(REPOSITORY, 'docs/api/')));
}
