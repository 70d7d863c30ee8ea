import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { CommandFailure } from '../../src/command-line/run-command.ts';

/**
 * Name of the module with the search index. It exports JSON as a string: `const e='{"documentCount":…}';export{e as
 * default};`.
 */
const INDEX_MODULE = /^@localSearchIndex.*\.js$/;

/**
 * Searches the built documentation for the main heading of each page, with the site's own index.
 * @param folder The site as VitePress built it.
 * @returns the pages not found, as paths relative to the folder.
 * @throws {CommandFailure} if the site has no search index.
 */
export async function findUnsearchablePages(folder: string): Promise<readonly string[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const indexPath = paths.find((path) => INDEX_MODULE.test(path.split('/').at(-1)!));
  if (indexPath === undefined) throw new CommandFailure('The site of the documentation has no search index.');
  const module = (await import(pathToFileURL(join(folder, indexPath)).href)) as { readonly default: string };
  const index = MiniSearch.loadJSON<never>(module.default, { fields: ['title', 'titles', 'text'] });

  const isFound = (page: string): boolean => {
    const heading = mainHeading(readFileSync(join(folder, page), 'utf8'));
    const results = index.search(heading, { combineWith: 'AND' }).map(({ id }) => String(id).replace(/#.*/, ''));
    return results.some((address) => address.replace(/\/$/, '/index.html').endsWith(`/${page}`));
  };
  return paths.filter((path) => path.endsWith('.html') && path !== '404.html').filter((page) => !isFound(page));
}

/** Returns the text of a page's `h1`, without markup, character references and the anchor link. */
function mainHeading(html: string): string {
  const [, heading = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(html) ?? [];
  return heading.replace(/<a class="header-anchor".*/s, '').replaceAll(/<[^>]*>|&[^;]+;/g, ' ');
}
