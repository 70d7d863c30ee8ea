import type { HubConsent } from '../../../src/shared/hub/hub-calls.ts';
import type { HubSiteChanges } from '../../../src/shared/hub/hub-site.ts';
import { EngineCallClient } from '../../../src/shared/messaging/engine-call-client.ts';
import { EngineClientIdentity, EngineConnection } from '../../../src/shared/messaging/engine-connection.ts';
import type { EngineReplyMessage } from '../../../src/shared/messaging/messages.ts';
import { completionRequest } from './completion-request.ts';
import type { startEngineWorker } from './engine-worker.ts';

type Worker = ReturnType<typeof startEngineWorker>;

export const HUB = 'https://hub.test/';

/** Opens a frame of the hub. */
export async function openHubFrame(worker: Worker) {
  const calls = new EngineCallClient();
  const end = new AbortController();
  const identity = new EngineClientIdentity('page', end.signal);
  const frame = await EngineConnection.open(worker.connect(), identity, { site: HUB }, (message) => {
    if (message.type === 'result' || message.type === 'failure') calls.receive(message);
  });
  if (!frame) throw new Error('No welcome.');
  return {
    admit: (origin: string, consent: HubConsent = 'given') => calls.send(frame, 'hub/admit', { origin, consent }),
    change: (origin: string, changes: HubSiteChanges) => calls.send(frame, 'hub/change-site', { origin, changes }),
    sites: () => calls.send(frame, 'hub/sites', null),
    /** Passes a port of a site on, and returns the site's end. */
    embed(origin: string) {
      const { port1, port2 } = new MessageChannel();
      frame.post({ type: 'embed', origin }, [port2]);
      return port1;
    },
    show: () => frame.post({ type: 'visible', visible: true }),
    close: () => end.abort(new Error('The frame ends.')),
  };
}

export type HubFrame = Awaited<ReturnType<typeof openHubFrame>>;

/** Connects the service worker or page of a site, as that does. */
export async function connectSite(
  worker: Worker,
  frame: HubFrame,
  origin: string,
  client: 'service-worker' | 'page' = 'service-worker',
  path = '/',
) {
  const messages: EngineReplyMessage[] = [];
  const { lockName } = worker.connect();
  const port = { port: frame.embed(origin), lockName };
  const site = { site: origin + path };
  const connection = await EngineConnection.open(port, new EngineClientIdentity(client), site, (message) =>
    messages.push(message),
  );
  if (!connection) throw new Error('No welcome.');
  const types = (requestId: string) =>
    messages.flatMap((message) =>
      message.type === 'events' && message.requestId === requestId ? message.events.map(({ type }) => type) : [],
    );
  const error = (requestId: string) =>
    messages.flatMap((message) =>
      message.type === 'events' && message.requestId === requestId
        ? message.events.flatMap((event) => (event.type === 'error' ? [event.error.code] : []))
        : [],
    )[0];
  return { connection, messages, types, error };
}

/** A request of a site. */
export const askOfSite = (text: string, requestId = text) => {
  const request = completionRequest(text);
  return { type: 'complete', subscription: 1, requestId, fingerprint: text, holdTime: 60_000, request } as const;
};
