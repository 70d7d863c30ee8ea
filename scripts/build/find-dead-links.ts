import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Placeholder origin of links within the site. */
const SITE = 'https://site.invalid';

/**
 * Finds links to files or anchors that a built site does not have. External links are not checked.
 * @param folder The site's files; its root is `/`.
 * @returns one line for each dead link, with the page that contains it.
 */
export function findDeadLinks(folder: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const names = new Map(pages.map((page) => [page, new Set(attributes(read(page), 'id'))]));
  return pages.flatMap((page) => {
    const links = [...attributes(read(page), 'href'), ...attributes(read(page), 'src')];
    return [...new Set(links)].filter((link) => isDead(link, page)).map((link) => `${page}: ${link}`);
  });

  function isDead(link: string, page: string): boolean {
    const { origin, pathname, hash } = new URL(link, `${SITE}/${page}`);
    if (origin !== SITE) return false;
    const path = decodeURIComponent(pathname).slice(1);
    const file = [path, `${path}index.html`, `${path}.html`].find((one) => isFile(join(folder, one)));
    if (file === undefined) return true;
    return hash.length > 1 && names.get(file)?.has(decodeURIComponent(hash.slice(1))) === false;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Returns the values of an attribute in a page, with character references decoded. */
function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[a-z][^>]*?\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}
