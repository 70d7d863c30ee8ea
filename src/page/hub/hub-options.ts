import { OPTIONS_FILE } from '../../shared/hub/hub-site.ts';
import type { ModelOptions } from '../../shared/models/site-models.ts';
import { sleep } from '../../shared/timeout.ts';
import { HubUnavailable } from '../engine/hub-unavailable.ts';
import { tryStorage } from '../engine/try-storage.ts';

/** Milliseconds before each further attempt. All together take less than a site waits for the engine. */
const PAUSES = [500, 2000];

/** Milliseconds within which the server has to send the file. */
const TIMEOUT = 5000;

/** Statuses of a server that does not say whether it has the file: 408, 425, 429 and 5xx. */
const MAY_PASS = /^(?:408|425|429|5..)$/;

/**
 * Reads the options of this hub. All sites use the models that they name, so a file that does not arrive must not count as
 * one that names none: the options that this browser got last hold then.
 * @param script Address of a script of the hub, beside which the file is.
 * @returns no options if the hub has no such file.
 * @throws HubUnavailable `no-answer` if the server does not send the file and this browser never got it.
 */
export async function readHubOptions(script: string): Promise<ModelOptions> {
  const address = new URL(OPTIONS_FILE, script).href;
  const key = `tabserve-options ${address}`;
  for (const pause of [...PAUSES, null]) {
    const options = await fetchOptions(address).catch(() => null);
    if (options !== null) {
      tryStorage(() => localStorage.setItem(key, JSON.stringify(options)));
      return options;
    }
    const last = tryStorage(() => JSON.parse(localStorage.getItem(key) ?? 'null') as ModelOptions | null);
    if (last) return last;
    if (pause !== null) await sleep(pause);
  }
  throw new HubUnavailable('no-answer', `The server of the hub does not send ${OPTIONS_FILE} now.`);
}

/** @returns null if another attempt may succeed, as does a rejection. */
async function fetchOptions(address: string): Promise<ModelOptions | null> {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) });
  if (MAY_PASS.test(String(response.status))) return null;
  // Servers may send a page in place of a file that does not exist.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return response.ok && !isPage ? ((await response.json()) as ModelOptions) : {};
}
