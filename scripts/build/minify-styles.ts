import type { Plugin } from 'vite';

/** Minifies the styles in Lit's template strings, which Vite's minifier does not process. */
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

/** Removes comments and insignificant spaces. Spaces within selectors and values stay. */
export function minifyStyleText(styles: string): string {
  return styles
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':')
    .replaceAll(';}', '}')
    .trim();
}
