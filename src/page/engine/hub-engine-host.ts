import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { holdLivenessLock } from '../../shared/locks/liveness-lock.ts';
import { HUB_ENGINE_PREFIX } from '../../shared/locks/site-locks.ts';
import { HUB_FRAME, HUB_PROTOCOL, type HubConnect, type HubHello, type HubReply } from '../hub-messages.ts';
import type { HubModel } from '../../shared/models/hub-model.ts';
import { PROTOCOL_VERSION } from '../../shared/messaging/messages.ts';
import { withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { isHubFault } from '../strings/hub-fault-strings.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { HubUnavailable } from './hub-unavailable.ts';

/**
 * Milliseconds: for the frame to load, then to say that it has got the hello (a page that the browser shows in its place
 * says nothing), then to start its engine or say why it does not.
 */
const TIMEOUTS = { load: 8000, hello: 5000, reply: 25_000 } as const;

/**
 * Reaches the engine of a hub through a hidden frame of the hub in this page. Ports between this site and that engine do
 * not lead through the frame, which is needed to open them and to learn that the engine has ended.
 */
export class HubEngineHost implements EngineHost {
  readonly #hub: URL;
  readonly #onModels: (models: readonly HubModel[]) => Promise<void>;
  #frame: Promise<HTMLIFrameElement> | null = null;
  #reached: { readonly control: MessagePort; readonly lockName: string; readonly end: AbortController } | null = null;

  /**
   * @param hub Address of the hub, with a trailing slash.
   * @param onModels Called with the hub's models before the engine is used.
   */
  constructor(hub: URL, onModels: (models: readonly HubModel[]) => Promise<void>) {
    this.#hub = hub;
    this.#onModels = onModels;
  }

  /** @throws HubUnavailable if the hub does not serve this page. */
  async join(open: OpenConnection): Promise<EngineConnection> {
    if (this.#reached === null) await this.#reach();
    const port = this.connect();
    const connection = port && (await open(port));
    if (connection) return connection;
    this.restart();
    throw new HubUnavailable('no-engine');
  }

  connect(): EnginePort | null {
    if (this.#reached === null) return null;
    const { control, lockName } = this.#reached;
    const { port1, port2 } = new MessageChannel();
    control.postMessage({ type: 'connect' } satisfies HubConnect, [port2]);
    return { port: port1, lockName };
  }

  restart(): void {
    this.#reached?.end.abort();
    this.#reached?.control.close();
    this.#reached = null;
  }

  close(): void {
    this.restart();
    void this.#frame?.then(
      (frame) => frame.remove(),
      () => {},
    );
    this.#frame = null;
  }

  /** Asks the frame for the engine, and holds the lock by which this site knows that the engine is reachable. */
  async #reach(): Promise<void> {
    this.#frame ??= loadFrame(this.#hub);
    const frame = await this.#frame.catch((thrown: unknown) => {
      this.#frame = null;
      throw thrown;
    });
    const { port1: control, port2 } = new MessageChannel();
    const end = new AbortController();
    const begun = new Promise<true>((resolve) => {
      control.addEventListener('message', () => resolve(true), { once: true });
    });
    const replied = new Promise<HubReply | null>((resolve) => {
      control.addEventListener('message', ({ data }: MessageEvent<HubReply | null>) => {
        if (data?.type === 'ended') end.abort(engineUnavailable('The engine of the hub has stopped.'));
        else if (data?.type !== 'starting') resolve(data);
      });
    });
    control.start();
    const hello: HubHello = { type: 'tabserve/hub', protocol: HUB_PROTOCOL, version: PROTOCOL_VERSION };
    frame.contentWindow?.postMessage(hello, this.#hub.origin, [port2]);
    const isThere = await withTimeoutAfterThaw(TIMEOUTS.hello, begun);
    const reply = isThere && (await withTimeoutAfterThaw(TIMEOUTS.reply, replied));
    if (reply?.type !== 'ready') {
      control.close();
      throw new HubUnavailable(reply?.type === 'refused' && isHubFault(reply.reason) ? reply.reason : 'no-answer');
    }
    if (end.signal.aborted) throw new HubUnavailable('no-engine');
    const lockName = `${HUB_ENGINE_PREFIX}${reply.engine}#${crypto.randomUUID()}`;
    await holdLivenessLock(lockName, end.signal);
    await this.#onModels(reply.models);
    this.#reached = { control, lockName, end };
    end.signal.addEventListener('abort', () => control.close(), { once: true });
  }
}

/** @throws HubUnavailable `no-answer` if the hub's page cannot be loaded in time, or not in a frame of this page. */
async function loadFrame(hub: URL): Promise<HTMLIFrameElement> {
  const frame = createHubFrame(hub);
  frame.hidden = true;
  const loaded = new Promise<true>((resolve) => {
    frame.addEventListener('load', () => resolve(true), { once: true });
  });
  document.documentElement.append(frame);
  if (await withTimeoutAfterThaw(TIMEOUTS.load, loaded)) return frame;
  frame.remove();
  throw new HubUnavailable('no-answer');
}

/** Creates a frame of the hub, which does nothing before a message of this page. */
export function createHubFrame(hub: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  // Threads of llama.cpp need an isolated frame, which this page can only permit.
  frame.allow = 'storage-access; cross-origin-isolated';
  frame.referrerPolicy = 'no-referrer';
  frame.src = new URL(HUB_FRAME, hub).href;
  return frame;
}
