import { STORED_ANSWERS } from '../shared/answer-database.ts';
import { createApiKeys } from '../shared/api-keys.ts';
import type { ConfiguredKey } from '../shared/find-key-by-hash.ts';
import { findDeviceModel, listDeviceModels } from '../shared/device-models.ts';
import { EngineClientIdentity } from '../shared/engine-connection.ts';
import { addRequestRecord, recordsContent } from '../shared/request-records.ts';
import {
  PROTOCOL_VERSION,
  type ClaimMessage,
  type FindEngineMessage,
  type ListUpstreamsMessage,
  type ListUpstreamsReply,
  type ServiceWorkerVersionMessage,
  type ServiceWorkerVersionReply,
  type TakeOverMessage,
} from '../shared/messages.ts';
import { within } from '../shared/timing.ts';
import { joinTrace } from '../shared/trace.ts';
import { createApp } from './app.ts';
import { connectEngine, passEnginePort } from './connect-engine.ts';
import { EngineClient } from './engine-client.ts';
import { absentModels, modelAbsence } from './model-absence.ts';
import { createRequestLog } from './request-log.ts';
import { admitAnswer, takeOver } from './take-over.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Milliseconds for which a message keeps this worker alive: Chromium stops a worker one of whose events takes more than
 * five minutes. The page repeats its message before that.
 */
const EVENT_TIME = 200_000;

export interface ServiceOptions {
  /** Keys that come with the site. Default: one key, `local`, for every model. */
  readonly keys?: readonly ConfiguredKey[];
  /** Further names for models → their ids, such as `{ 'gpt-4o-mini': 'pocket' }`. Default: none. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Engines beyond this device. Default: none. */
  readonly upstreams?: Upstreams | undefined;
}

/** Makes this service worker answer `/v1/…` of its own origin. Listeners that are added later are not heard. */
export function installService({ keys, aliases = {}, upstreams }: ServiceOptions): void {
  joinTrace('service-worker');
  const site = self.registration.scope;
  const identity = new EngineClientIdentity('service-worker');
  const engine = new EngineClient({ identity, site, connect: connectEngine });
  const app = createApp({
    service: engine,
    callEngine: engine.call,
    models: () => listDeviceModels(site),
    findModel: (id) => findDeviceModel(id, site),
    absence: modelAbsence,
    absentModels: () => absentModels(site),
    findKey: createApiKeys(keys).find,
    answers: STORED_ANSWERS,
    aliases,
    upstreams,
    admit: admitAnswer,
    clientGone: async (id) => id !== '' && (await self.clients.get(id)) === undefined,
    observe: createRequestLog({ write: addRequestRecord, keepsContent: recordsContent }),
  });

  self.addEventListener('fetch', (event) => {
    const { origin, pathname } = new URL(event.request.url);
    if (origin !== self.location.origin || !/^\/v1(\/|$)/.test(pathname)) return;
    event.respondWith(app.fetch(event.request, { clientId: event.clientId }));
  });

  // Pages that were open before the first installation are served without a reload.
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

  self.addEventListener('message', (event) => {
    const message = event.data as
      | ClaimMessage
      | TakeOverMessage
      | FindEngineMessage
      | ServiceWorkerVersionMessage
      | ListUpstreamsMessage
      | null;
    const [reply] = event.ports;
    if (message?.type === 'tabserve/claim') event.waitUntil(self.clients.claim());
    else if (message?.type === 'SKIP_WAITING') {
      const taken = takeOver(() => self.skipWaiting(), message.waited ?? 0);
      event.waitUntil(within(EVENT_TIME, taken, undefined));
    } else if (message?.type === 'tabserve/version')
      reply?.postMessage({ version: PROTOCOL_VERSION } satisfies ServiceWorkerVersionReply);
    else if (message?.type === 'tabserve/upstreams')
      reply?.postMessage((upstreams?.configured ?? []) satisfies ListUpstreamsReply);
    else if (message?.type === 'tabserve/find-engine' && reply) event.waitUntil(passEnginePort(reply));
  });
}
