import { minify, type MinifyOptions } from 'terser';
import type { Plugin, Rolldown } from 'vite';

/** No declaration of the script is used outside it, so all names can be shortened. */
const OPTIONS: MinifyOptions = {
  ecma: 2020,
  toplevel: true,
  compress: { passes: 3, keep_fargs: false },
};

/**
 * Minifies scripts a second time, after Vite's minifier. Terser's repeated passes save 2 % of the compressed service
 * worker, which browsers must download before the endpoint works, and of the page's first script.
 * @param applies Selects the scripts. Default: all of the build.
 */
export function compressScript(applies: (chunk: Rolldown.OutputChunk) => boolean = () => true): Plugin {
  return {
    name: 'tabserve:compress-script',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk' || !applies(output)) continue;
        const { code } = await minify(output.code, OPTIONS);
        output.code = code ?? output.code;
      }
    },
  };
}
