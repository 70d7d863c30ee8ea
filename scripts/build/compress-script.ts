import { minify } from 'terser';
import type { Plugin } from 'vite';

/**
 * Minifies a script a second time, after Vite's minifier. Terser's repeated passes save 2 % of the compressed service
 * worker, which browsers must download before the endpoint works.
 */
export function compressScript(): Plugin {
  return {
    name: 'tabserve:compress-script',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        output.code = await compressCode(output.code);
      }
    },
  };
}

/** Minifies a script none of whose declarations are used outside it, so that all names can be shortened. */
export async function compressCode(script: string): Promise<string> {
  const { code } = await minify(script, {
    ecma: 2020,
    toplevel: true,
    compress: { passes: 3, pure_getters: true, keep_fargs: false },
  });
  return code ?? script;
}
