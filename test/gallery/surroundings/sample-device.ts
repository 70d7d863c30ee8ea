import { STORED_ANSWERS } from '../../../src/shared/storage/answer-database.ts';
import type { ListUpstreamsMessage, SiteReportMessage } from '../../../src/shared/messaging/messages.ts';
import { openSiteDatabase } from '../../../src/shared/storage/site-database.ts';
import { addSentRequest, setUpstreamPermission } from '../../../src/shared/upstreams/upstream-database.ts';
import { rememberSpeed } from '../../../src/chat/models/measuring/device-speed.ts';
import type { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { drafts } from '../../../src/chat/storage/drafts/drafts.ts';
import { SAMPLE_SPEED } from '../samples/models.ts';
import type { Surroundings } from '../specimen.ts';
import { sampleEndpoint } from './sample-endpoint.ts';

/** Prefix of the names under which a specimen stores data, so that the real page's data stay unchanged. */
const PREFIX = 'gallery-';

/**
 * Replaces the browser APIs that elements use (network, service worker and storage) by samples. Call it before any
 * service is created. Afterwards the page can only be used for the gallery.
 */
export function replaceDevice(surroundings: Surroundings): void {
  const replacements = {
    fetch: sampleEndpoint(surroundings),
    localStorage: memoryStorage(),
    caches: sampleCaches(surroundings),
    indexedDB: ownDatabases(globalThis.indexedDB),
    BroadcastChannel: class extends BroadcastChannel {
      constructor(name: string) {
        super(`${PREFIX}${name}`);
      }
    },
  };
  for (const [name, value] of Object.entries(replacements)) Object.defineProperty(globalThis, name, { value });
  Object.defineProperty(navigator, 'serviceWorker', { value: sampleServiceWorkers(surroundings) });
  Object.defineProperty(navigator, 'connection', { value: { downlink: 10, effectiveType: '4g' } });
  Object.defineProperty(navigator, 'onLine', { value: surroundings.online });
}

/** Replaces the stored data by those of the surroundings. */
export async function fillDevice(
  { status, conversations, draft, keys, records, answers, upstreams, sentRequests }: Surroundings,
  store: ConversationStore,
): Promise<void> {
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
  for (const { conversation, messages } of conversations) await store.add(conversation, messages);
  drafts.write(null, draft);
  // No specimen measures the real device.
  rememberSpeed(status.state === 'ready' ? status.gpu : '', SAMPLE_SPEED);
  for (const answer of answers) await STORED_ANSWERS.add(answer);
  for (const { origin, allowed, hasKey } of upstreams)
    if (allowed) await setUpstreamPermission({ origin, granted: 1, key: hasKey ? 'sample' : null });
  for (const request of sentRequests) await addSentRequest(request);
  if (keys.length === 0 && records.length === 0) return;
  const transaction = (await openSiteDatabase()).transaction(['keys', 'requests', 'settings'], 'readwrite');
  for (const key of keys) await transaction.objectStore('keys').put(key);
  for (const record of records) await transaction.objectStore('requests').add(record);
  await transaction.objectStore('settings').put(
    records.some(({ content }) => content !== null),
    'record-content',
  );
  await transaction.done;
}

function ownDatabases(real: IDBFactory): IDBFactory {
  return {
    open: (name, version) => real.open(`${PREFIX}${name}`, version),
    deleteDatabase: (name) => real.deleteDatabase(`${PREFIX}${name}`),
    databases: async () =>
      (await real.databases()).flatMap(({ name, ...rest }) =>
        name?.startsWith(PREFIX) ? [{ ...rest, name: name.slice(PREFIX.length) }] : [],
      ),
    cmp: (first, second) => real.cmp(first, second),
  };
}

/** A `localStorage` in memory, with only the members that the page uses. */
function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'> {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
    clear: () => values.clear(),
    get length() {
      return values.size;
    },
  };
}

function sampleCaches({ site }: Surroundings): Pick<CacheStorage, 'keys' | 'open' | 'delete'> {
  const names = site === null ? [] : ['workbox-precache-v2', 'webllm/model'];
  return {
    keys: async () => names,
    open: async () => ({ keys: async () => Array.from({ length: 12 }, () => new Request('/')) }) as unknown as Cache,
    delete: async () => true,
  };
}

/**
 * A sample of `navigator.serviceWorker`. Its worker answers the page's questions about the site; without a site report
 * there is no worker.
 */
function sampleServiceWorkers({ site, upstreams }: Surroundings): object {
  const controller = {
    postMessage: ({ type }: SiteReportMessage | ListUpstreamsMessage, [port]: readonly MessagePort[]) =>
      port?.postMessage(type === 'tabserve/upstreams' ? upstreams : site),
  };
  return Object.assign(new EventTarget(), {
    controller: site === null ? null : controller,
    getRegistrations: async () => [],
  });
}
