import type { AskVersion } from './ask-version.ts';

/**
 * Finds a service worker that does not mount the endpoint. Registering Tabserve's script would replace it, because a scope
 * has only one service worker.
 * @param workers Those of the scope of Tabserve's service worker.
 * @returns the address of its script. Null if there is none, or if the site no longer serves that script, so that the
 * worker may be replaced.
 */
export async function findForeignWorker(workers: readonly ServiceWorker[], ask: AskVersion): Promise<string | null> {
  for (const worker of workers) {
    const code = await readScript(worker.scriptURL);
    if (code === null) continue;
    // A script that neither mounts the endpoint nor imports another one need not be asked, which takes long if it is not
    // Tabserve's.
    if (!/tabserve|import/i.test(code) || (await ask(worker)) === null) return worker.scriptURL;
  }
  return null;
}

/** Returns the code of a script; null if the site no longer has it. Without a network the code is unknown. */
async function readScript(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    // Many servers answer an unknown path with a page.
    const isScript = /(java|ecma)script/i.test(response.headers.get('content-type') ?? '');
    return response.ok && isScript ? await response.text() : null;
  } catch {
    return 'import';
  }
}
