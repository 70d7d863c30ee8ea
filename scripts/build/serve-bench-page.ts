import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FOLDER = fileURLToPath(new URL('../../src/bench/', import.meta.url)).replaceAll('\\', '/');

/**
 * Serves the page that measures, in development: it lies beside the chat page's folder, which is Vite's root. The build
 * writes it to the same address.
 */
export function serveBenchPage(): Plugin {
  return {
    name: 'tabserve:serve-bench-page',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [path = '', query] = (request.url ?? '').split('?');
        const file = /^\/bench\/(.*)$/.exec(path)?.[1];
        if (file !== undefined) request.url = `/@fs/${FOLDER}${file || 'index.html'}${query ? `?${query}` : ''}`;
        next();
      });
    },
  };
}
