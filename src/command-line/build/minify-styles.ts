import type { Plugin } from 'vite';

/** Vite's minifier leaves texts as they are, and the styles of Lit's elements are texts: this takes from them what only people read. */
export function minifyStyles(): Plugin {
  return {
    name: 'tabserve:minify-styles',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/chat\/.*\.ts$/, code: 'css`' },
      handler: (code) => ({
        code: code.replaceAll(/(?<=css`)[^`]*(?=`)/g, (styles) => minifyStyleText(styles)),
        map: null,
      }),
    },
  };
}

/** The same rules without comments, and without the spaces that mean nothing; those between selectors and values stay. */
export function minifyStyleText(styles: string): string {
  return styles
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':')
    .replaceAll(';}', '}')
    .trim();
}
