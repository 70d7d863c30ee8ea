import type { AskVersion } from './ask-version.ts';

/**
 * Finds a service worker of the site that has the same scope as Tabserve's and does not mount the endpoint. Registering
 * Tabserve's script would replace it, because a scope has only one service worker.
 * @param script Absolute address of Tabserve's service worker script.
 * @returns the address of its script. Null if there is none, or if the site no longer serves that script, so that the
 * worker may be replaced.
 */
export async function findForeignWorker(script: string, scope: string, ask: AskVersion): Promise<string | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  if (registration?.scope !== scope) return null;
  const { installing, waiting, active } = registration;
  for (const worker of [active, waiting, installing]) {
    if (worker === null || worker.scriptURL === script) continue;
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
