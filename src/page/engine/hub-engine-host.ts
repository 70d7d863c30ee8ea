import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { holdLivenessLock } from '../../shared/locks/liveness-lock.ts';
import { HUB_ENGINE_PREFIX } from '../../shared/locks/site-locks.ts';
import type { HubConnect } from '../hub-messages.ts';
import type { HubModel } from '../../shared/models/hub-model.ts';
import { withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { isHubFault } from '../strings/hub-fault-strings.ts';
import type { EngineHost, OpenConnection } from './engine-host.ts';
import { createHubFrame, HUB_TIMEOUTS, loadFrame } from './hub-frame.ts';
import { HubUnavailable } from './hub-unavailable.ts';
import { sayHello } from './say-hello.ts';

/**
 * Reaches the engine of a hub through a hidden frame of the hub in this page. Ports between this site and that engine do
 * not lead through the frame, which is needed to open them and to learn that the engine has ended.
 */
export class HubEngineHost implements EngineHost {
  readonly #hub: URL;
  readonly #onModels: (models: readonly HubModel[]) => Promise<void>;
  /** Aborts when the host is closed. */
  #life = new AbortController();
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
    this.#leave();
    throw new HubUnavailable('no-engine');
  }

  connect(): EnginePort | null {
    if (this.#reached === null) return null;
    const { control, lockName } = this.#reached;
    const { port1, port2 } = new MessageChannel();
    control.postMessage({ type: 'connect' } satisfies HubConnect, [port2]);
    return { port: port1, lockName };
  }

  restart(lockName: string): void {
    if (this.#reached?.lockName === lockName) this.#leave();
  }

  #leave(): void {
    this.#reached?.end.abort();
    this.#reached?.control.close();
    this.#reached = null;
  }

  /** Also ends what {@link join} is waiting for. The host can be used again. */
  close(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#leave();
    void this.#frame?.then(
      (frame) => frame.remove(),
      () => {},
    );
    this.#frame = null;
  }

  /** Asks the frame for the engine, and holds the lock by which this site knows that the engine is reachable. */
  async #reach(): Promise<void> {
    const { signal: life } = this.#life;
    // A framework that replaces the whole document has removed the frame.
    if (this.#frame && (await this.#frame.catch(() => null))?.isConnected === false) this.#frame = null;
    this.#frame ??= loadHiddenFrame(this.#hub);
    const frame = await this.#frame.catch((thrown: unknown) => {
      this.#frame = null;
      throw thrown;
    });
    if (life.aborted) throw new HubUnavailable('no-engine');
    const end = new AbortController();
    const { control, begun, replied } = sayHello(frame, this.#hub, false, () =>
      end.abort(engineUnavailable('The engine of the hub has stopped.')),
    );
    const isThere = await withTimeoutAfterThaw(HUB_TIMEOUTS.hello, begun);
    const reply = isThere && (await withTimeoutAfterThaw(HUB_TIMEOUTS.reply, replied));
    if (reply?.type !== 'ready') {
      control.close();
      throw new HubUnavailable(reply?.type === 'refused' && isHubFault(reply.reason) ? reply.reason : 'no-answer');
    }
    if (end.signal.aborted) throw new HubUnavailable('no-engine');
    const lockName = `${HUB_ENGINE_PREFIX}${reply.engine}#${crypto.randomUUID()}`;
    await holdLivenessLock(lockName, end.signal);
    await this.#onModels(reply.models);
    // This host was closed meanwhile.
    if (life.aborted) {
      end.abort();
      control.close();
      throw new HubUnavailable('no-engine');
    }
    this.#reached = { control, lockName, end };
    end.signal.addEventListener('abort', () => control.close(), { once: true });
  }
}

/** @throws HubUnavailable `no-answer` if the hub's page cannot be loaded in time, or not in a frame of this page. */
async function loadHiddenFrame(hub: URL): Promise<HTMLIFrameElement> {
  const frame = createHubFrame(hub);
  frame.hidden = true;
  if (await loadFrame(frame, document.documentElement)) return frame;
  frame.remove();
  throw new HubUnavailable('no-answer');
}
