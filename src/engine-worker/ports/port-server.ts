import type { ApiError } from '../../shared/api-error.ts';
import {
  PROTOCOL_VERSION,
  type EngineReplyMessage,
  type EngineRequestMessage,
} from '../../shared/messaging/messages.ts';
import { traceMessage } from '../../shared/messaging/trace-message.ts';
import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import { embeddedSite } from '../embedded-site.ts';
import type { GpuSource } from '../gpu-source.ts';
import { readEmbeddedMessage } from '../hub/embedded-message.ts';
import { revoked, type HubSites } from '../hub/hub-sites.ts';
import { PortClient, type Embedding, type Hello, type PortClientOptions } from './port-client.ts';
import type { PostToPage } from './run-in-page.ts';
import type { ConnectedPages } from './wait-for-pages.ts';

/** Limit of connected pages and service workers of one other site. */
const MAX_CONTEXTS = 200;

export interface PortServerOptions extends PortClientOptions {
  /** Resolves to the name of this worker's Web Lock after the lock is held. */
  readonly lockName: Promise<string>;
  readonly gpu: Pick<GpuSource, 'find'>;
  /** Why this worker can run no model. Default: it can. */
  readonly fault?: ApiError | null;
  /** The models of each site, by the site's root address. The server adds entries. Default: they are not recorded. */
  readonly sites?: Map<string, SiteModels>;
  /**
   * Called when a client reports that this worker is unresponsive. The worker must then end. Default: it keeps running.
   */
  readonly onAbandoned?: () => void;
  /** The sites that use this engine through its hub. Default: none may. */
  readonly hub?: HubSites;
}

/** Serves the ports of pages and service workers, of this site and of those that use this engine through its hub. */
export class PortServer implements ConnectedPages {
  readonly #options: PortServerOptions;
  readonly #clients = new Set<PortClient>();
  #lastPageLeft = performance.now();

  constructor(options: PortServerOptions) {
    this.#options = options;
  }

  /** Whether any page, or service worker of this site, is connected. Ended ones of other sites are still clients. */
  get isUsed(): boolean {
    return [...this.#clients].some((client) => client.isPage || !client.isOfOtherSite);
  }

  /** The connected pages, most recently connected first. */
  get pages(): readonly PostToPage[] {
    return [...this.#clients].flatMap((client) => (client.runsTasks ? [client.postToPage] : [])).toReversed();
  }

  /** When the last page left, by `performance.now()`; when the engine started if none has. */
  get lastPageLeft(): number {
    return this.#lastPageLeft;
  }

  /**
   * Sends the log of a stored answer to one context of a site that uses this engine through its hub: to a page, because a
   * service worker that has ended is still among the clients.
   */
  sendLog(site: string, answerId: string, events: readonly CompletionEvent[]): void {
    const clients = [...this.#clients].filter((client) => client.site === site);
    (clients.find(({ isPage }) => isPage) ?? clients.at(-1))?.storeLog(answerId, events);
  }

  /** Ends the completions and connections of a site that uses this engine through its hub. */
  closeSite(site: string): void {
    // Also those that no context awaits: its site may start them again, or says that it has got them.
    this.#options.completions.failSite(site, revoked());
    for (const client of this.#clients) if (client.site === site) client.revoke();
  }

  /** Whether the person sees a page of this site, as the frames of the hub report it. */
  isInForeground(site: string): boolean {
    return [...this.#clients].some((client) => client.site === site && client.isInVisibleFrame);
  }

  serve(port: MessagePort): void {
    let client: PortClient | null = null;
    port.addEventListener('message', ({ data, ports }: MessageEvent<EngineRequestMessage>) => {
      traceMessage('gets', data);
      if (data.type === 'hello') client = this.#welcome(port, data);
      else if (data.type === 'abandon') this.#options.onAbandoned?.();
      else if (data.type === 'embed') this.#embed(data.origin, client, ports[0]);
      else if (data.type === 'serve') ports.forEach((further) => this.serve(further));
      else if (data.type === 'visible') {
        if (client) client.isVisible = data.visible;
      }
      // A ping is answered even without a `hello`: a page that hosts this worker sends pings only to check that it runs.
      else if (data.type === 'ping') port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      else client?.receive(data);
    });
    port.start();
  }

  /** Serves a port of another site, which a frame of the hub has passed on. */
  #embed(origin: string, frame: PortClient | null, port: MessagePort | undefined): void {
    const { hub } = this.#options;
    if (!port) return;
    const site = embeddedSite(origin);
    const isServed = () =>
      hub?.isAdmitted(origin) && [...this.#clients].filter((client) => client.site === site).length < MAX_CONTEXTS;
    if (!frame || !isServed()) return port.close();
    let client: PortClient | null = null;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = readEmbeddedMessage(data);
      if (message === null) client?.refuse(data);
      else if (message.type === 'hello')
        client ??= isServed()
          ? this.#welcome(port, { ...message, site }, { origin, frame, scope: message.site })
          : null;
      else if (message.type === 'ping') {
        client?.heard();
        port.postMessage({ type: 'pong' } satisfies EngineReplyMessage);
      } else client?.receive(message);
    });
    port.start();
  }

  #welcome(port: MessagePort, hello: Hello, embedding: Embedding | null = null): PortClient | null {
    const { lockName, gpu, sites, fault } = this.#options;
    void Promise.all([lockName, gpu.find()]).then(([lockName, found]) =>
      port.postMessage({
        type: 'welcome',
        version: PROTOCOL_VERSION,
        lockName,
        gpu: found?.description ?? null,
        ...(fault && { fault: fault.toData() }),
      } satisfies EngineReplyMessage),
    );
    // A client of another version sees the version in the welcome message, and does not use the port.
    if (hello.version !== PROTOCOL_VERSION) return null;
    if (hello.siteModels) sites?.set(hello.site, hello.siteModels);
    const client = new PortClient(port, hello, embedding, this.#options, () => {
      this.#clients.delete(client);
      if (client.runsTasks) this.#lastPageLeft = performance.now();
    });
    for (const earlier of this.#clients) if (client.replaces(earlier)) earlier.close();
    this.#clients.add(client);
    if (embedding) this.#options.siteLogs?.connected(client.site);
    return client;
  }
}
