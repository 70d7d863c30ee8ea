import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

const WEB_LLM = fileURLToPath(import.meta.resolve('@mlc-ai/web-llm'));

/**
 * Serves model packages, the unmodified WebLLM and modules of this folder on its own port. A package's files are
 * `/<model>/<file>`; WebLLM inserts `resolve/main/`.
 */
export async function serveModels(
  packages: Map<string, Map<string, string | Uint8Array>>,
): Promise<{ origin: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const [, model = '', file = ''] = path.replace('/resolve/main/', '/').split('/');
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Pocket</title>');
    } else if (path === '/web-llm.js') {
      response.setHeader('content-type', 'text/javascript').end(await readFile(WEB_LLM));
    } else if (path.startsWith('/support/')) {
      response.setHeader('content-type', 'text/javascript').end(await readModule(path));
    } else {
      const content = packages.get(model)?.get(file);
      if (content === undefined) response.statusCode = 404;
      response.end(content);
    }
  });
  const origin = await listen(server);
  return {
    origin,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a module of this folder as JavaScript for the page. */
async function readModule(path: string): Promise<string> {
  const file = fileURLToPath(new URL(path.replace('/support/', './'), import.meta.url));
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
  return code;
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      const address = server.address();
      if (typeof address === 'object' && address) resolve(`http://localhost:${address.port}`);
    });
  });
}
