import { isBelow, readBasePath } from '../../shared/http/base-path.ts';
import { createApiKeys } from '../../shared/keys/api-keys.ts';
import type { ConfiguredKey } from '../../shared/keys/find-key-grant.ts';
import { EngineClientIdentity } from '../../shared/messaging/engine-connection.ts';
import {
  PROTOCOL_VERSION,
  VERSION,
  type ClaimMessage,
  type FindEngineMessage,
  type FrozenMessage,
  type ListUpstreamsMessage,
  type ListUpstreamsReply,
  type ServiceWorkerVersionMessage,
  type ServiceWorkerVersionReply,
  type TakeOverMessage,
} from '../../shared/messaging/messages.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import { findDeviceModel, listDeviceModels } from '../../shared/storage/device-models.ts';
import { readSiteModels, type ModelOptions } from '../../shared/models/site-models.ts';
import { STORED_ANSWERS } from '../../shared/storage/answer-database.ts';
import { addRequestRecord, isContentLogged } from '../../shared/storage/request-records.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { joinTrace } from '../../shared/trace/trace.ts';
import { createApp } from '../create-app.ts';
import { connectEngine, passEnginePort } from '../engine/connect-engine.ts';
import { EngineClient } from '../engine/engine-client.ts';
import { absentModels, modelAbsence } from '../models/absent-models.ts';
import { createRequestLog } from '../request-log/request-log.ts';
import { isServed } from '../routes/find-route.ts';
import { answerMisplaced, intendedPath } from '../routes/misplaced-request.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { OpenBodies } from './open-bodies.ts';
import { beginAdmission } from '../engine/admission.ts';
import { takeOver } from './takeover.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Milliseconds for which a `SKIP_WAITING` message keeps this worker alive while it waits to take over. Chromium stops a
 * worker whose event takes more than five minutes; the page repeats the message earlier.
 */
const MAX_EVENT_TIME = 200_000;

export interface ServiceOptions extends ModelOptions {
  /** Path of the endpoint below the origin. Default: `/v1`. */
  readonly basePath?: string;
  /**
   * Whether a request below `basePath` that matches no route goes to the network, for a site whose server uses that
   * path as well. Default: false; such a request gets a 404 that says what to use instead.
   */
  readonly fallthrough?: boolean;
  /** API keys of the site. Default: one key, `local`, for every model. */
  readonly keys?: readonly ConfiguredKey[];
  /** Aliases of models → their ids, such as `{ 'gpt-4o-mini': 'pocket' }`. Default: none. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Servers that may respond instead of this device. Default: none. */
  readonly upstreams?: Upstreams | undefined;
}

/** Returns a sentence for errors that the options of a newer service worker may prevent; null if none waits. */
function adviseUpdate(): string | null {
  const newer = self.registration.waiting ?? self.registration.installing;
  return (
    newer &&
    `The service worker ${newer.scriptURL} is newer and waits; it may have other options. To let it take over, call applyUpdate() on the result of register(), or close all tabs of this site.`
  );
}

/**
 * Adds the listeners of the endpoint to this service worker. Call it synchronously while the script runs.
 * @throws TypeError for invalid options.
 */
export function installService(options: ServiceOptions): void {
  const { keys, aliases = {}, upstreams, fallthrough = false } = options;
  const site = self.registration.scope;
  const basePath = readBasePath(options.basePath);
  const siteModels = readSiteModels(options, site);
  const { entries } = siteModels;
  joinTrace('service-worker');
  const identity = new EngineClientIdentity('service-worker');
  const engine = new EngineClient({ identity, site, siteModels, connect: connectEngine });
  const app = createApp({
    service: engine,
    callEngine: engine.call,
    models: () => listDeviceModels(entries),
    findModel: (id) => findDeviceModel(id, entries),
    absence: modelAbsence,
    absentModels: () => absentModels(entries),
    findKey: createApiKeys(keys).find,
    answers: STORED_ANSWERS,
    aliases,
    upstreams,
    advice: adviseUpdate,
    settings: { basePath, defaultModel: options.default ?? null },
    admit: beginAdmission,
    clientDisconnected: async (id) => id !== '' && (await self.clients.get(id)) === undefined,
    observe: createRequestLog({ write: addRequestRecord, keepsContent: isContentLogged }),
  });

  const replyVersion = async (reply: MessagePort | undefined) =>
    reply?.postMessage({
      version: PROTOCOL_VERSION,
      release: VERSION,
      basePath,
      siteModels,
      options: await sha256(JSON.stringify(options)),
    } satisfies ServiceWorkerVersionReply);

  const openBodies = new OpenBodies();
  self.addEventListener('fetch', (event) => {
    const { origin, pathname } = new URL(event.request.url);
    const { request, clientId } = event;
    if (origin !== self.location.origin) return;
    if (!isBelow(pathname, basePath)) {
      const intended = request.mode === 'navigate' ? null : intendedPath(pathname, basePath);
      if (intended !== null) event.respondWith(answerMisplaced(request, intended, basePath));
      return;
    }
    if (fallthrough && !isServed(pathname, basePath)) return;
    event.respondWith(app.fetch(request, { clientId }).then((response) => openBodies.track(clientId, response)));
  });

  // Claims the pages that are already open, so that the first installation controls them without a reload.
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

  self.addEventListener('message', (event) => {
    const message = event.data as
      | ClaimMessage
      | TakeOverMessage
      | FindEngineMessage
      | FrozenMessage
      | ServiceWorkerVersionMessage
      | ListUpstreamsMessage
      | null;
    const [reply] = event.ports;
    const sender = (event.source as Partial<Client> | null)?.id;
    if (message?.type === 'tabserve/claim') event.waitUntil(self.clients.claim());
    else if (message?.type === 'tabserve/frozen') {
      if (sender) openBodies.breakOff(sender);
    } else if (message?.type === 'SKIP_WAITING') {
      const taken = takeOver(() => self.skipWaiting(), message.waited ?? 0);
      event.waitUntil(withTimeout(MAX_EVENT_TIME, taken, undefined));
    } else if (message?.type === 'tabserve/version') event.waitUntil(replyVersion(reply));
    else if (message?.type === 'tabserve/upstreams')
      reply?.postMessage((upstreams?.configured ?? []) satisfies ListUpstreamsReply);
    else if (message?.type === 'tabserve/find-engine' && reply) event.waitUntil(passEnginePort(reply, sender));
  });
}
