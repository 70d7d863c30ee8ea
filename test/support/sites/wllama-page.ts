import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';

const WLLAMA = join(PROJECT_FOLDER, 'node_modules/@wllama/wllama/esm');

/**
 * Opens an empty page in Chromium, on a server that has wllama alone (`/wllama.js`, `/wllama.wasm`) and some files.
 * @param files The files by their paths on the server: a path on this machine, or the bytes.
 */
export async function openWllamaPage(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const server = serveFiles({
    '/': new TextEncoder().encode(''),
    '/wllama.js': join(WLLAMA, 'index.min.js'),
    '/wllama.wasm': join(WLLAMA, 'wasm/wllama.wasm'),
    ...files,
  });
  const browser = await chromium.launch({ executablePath: findBrowser().path, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    async close() {
      await browser.close();
      server.close();
    },
  };
}

function serveFiles(files: Readonly<Record<string, string | Uint8Array>>) {
  const server = createServer(({ url }, response) => {
    const file = files[url ?? ''];
    const type = url === '/' ? 'text/html' : url === '/wllama.js' ? 'text/javascript' : 'application/wasm';
    response.setHeader('content-type', type);
    if (file === undefined) return void response.writeHead(404).end();
    if (typeof file !== 'string') return void response.end(file);
    response.setHeader('content-length', statSync(file).size);
    createReadStream(file).pipe(response);
  });
  return server.listen(0, '127.0.0.1');
}
