import type { Plugin } from 'vite';

/** First line of the part of `idb` 8 that makes stores and cursors iterable with `for await`. */
const ITERATORS = 'const advanceMethodProps =';

/**
 * Removes the iterators of `idb`, which Tabserve does not use: half a kilobyte in the service worker and in the page.
 * Bundlers cannot remove them, because `idb` installs them when it is loaded.
 */
export function idbWithoutIterators(): Plugin {
  return {
    name: 'tabserve:idb-without-iterators',
    apply: 'build',
    transform: {
      filter: { id: /\/idb\/build\/index\.js$/ },
      handler(code) {
        const [start, end] = [code.indexOf(ITERATORS), code.indexOf('export {')];
        if (start < 0 || end < start) throw new Error('The source of idb differs from version 8: adapt this plugin.');
        return { code: code.slice(0, start) + code.slice(end), map: null };
      },
    },
  };
}
