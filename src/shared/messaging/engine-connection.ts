import { ApiError } from '../api-error.ts';
import type { EngineCallMessage, EngineCallName } from '../engine/engine-calls.ts';
import { engineUnavailable } from '../engine/engine-errors.ts';
import { holdLivenessLock, isLockHeld, livenessLockName, whenEngineEnds } from '../locks/liveness-lock.ts';
import { PROTOCOL_VERSION, type EngineReplyMessage, type EngineRequestMessage } from './messages.ts';
import { Heartbeat } from './engine-heartbeat.ts';
import type { SiteModels } from '../models/site-models.ts';
import { withAbort, withTimeoutAfterThaw } from '../timeout.ts';
import { trace } from '../trace/trace.ts';
import { traceMessage } from './trace-message.ts';

type Welcome = Extract<EngineReplyMessage, { type: 'welcome' }>;

/** A message of an engine after the handshake. */
export type EngineMessage = Exclude<EngineReplyMessage, { type: 'welcome' | 'pong' | 'revoked' }>;

/** Milliseconds for an engine worker to start and answer the handshake. */
const HANDSHAKE_TIMEOUT = 20_000;

/** A port to an engine, which may still be starting. */
export interface EnginePort {
  readonly port: MessagePort;
  /** The Web Lock that the engine holds while it lives; for the engine of a hub, that of a page that reaches it. */
  readonly lockName: string;
}

/** The site of this context, which the handshake tells the engine. */
export interface EngineSite {
  /** Root address with a trailing slash. */
  readonly site: string;
  /** The models that the site provides. Default: only the built-in models. */
  readonly siteModels?: SiteModels | undefined;
}

/**
 * Identifies this context to engines. Each context has one identity. It holds a lock of the same name, which proves
 * that the context lives.
 */
export class EngineClientIdentity {
  readonly client: 'service-worker' | 'page';
  /** Name of the liveness lock. */
  readonly incarnation: string;
  /** Aborts when no further connection may be opened with this identity. */
  readonly ended: AbortSignal;
  /**
   * Resolves when the lock is held. Send the lock's name to an engine only then: before, the engine would consider this
   * context dead.
   */
  readonly held: Promise<void>;

  /**
   * @param ended Releases the lock when it aborts; engines then treat this client as dead. Default: the lock is held
   * until the context ends.
   */
  constructor(client: 'service-worker' | 'page', ended: AbortSignal = new AbortController().signal) {
    this.client = client;
    this.incarnation = livenessLockName(client);
    this.ended = ended;
    this.held = holdLivenessLock(this.incarnation, ended);
  }
}

/**
 * A connection to a live engine. It ends when the engine dies (its lock is released), when the engine does not answer
 * the heartbeat, or by `close()`.
 */
export class EngineConnection {
  /** Description of the engine's graphics adapter; null if the engine has none. */
  readonly gpu: string | null;
  /** See {@link EnginePort}. */
  readonly lockName: string;
  /** Why the engine can run no model; null if it can. */
  readonly fault: ApiError | null;
  /** Aborts when the connection ends; the reason is an ApiError. */
  readonly ended: AbortSignal;
  readonly #port: MessagePort;
  readonly #controller: AbortController;
  readonly #heartbeat: Heartbeat;
  #unresponsive = false;

  private constructor(port: MessagePort, lockName: string, { gpu, fault }: Welcome, controller: AbortController) {
    this.#port = port;
    this.lockName = lockName;
    this.#controller = controller;
    this.ended = controller.signal;
    this.gpu = gpu;
    this.fault = fault ? ApiError.fromData(fault) : null;
    this.#heartbeat = new Heartbeat(
      () => port.postMessage({ type: 'ping' } satisfies EngineRequestMessage),
      () => this.#abandon(),
    );
    port.addEventListener('message', ({ data }: MessageEvent<EngineReplyMessage>) => {
      this.#heartbeat.receive();
      if (data.type === 'revoked') this.close(engineUnavailable('The hub no longer serves this site.', 2));
    });
  }

  /**
   * Performs the handshake on a fresh port.
   * @param receive Called with every later message of the engine.
   * @returns null if the engine dies first or does not answer within {@link HANDSHAKE_TIMEOUT}. In that case this
   * method tells the engine to end.
   * @throws ApiError `engine_unavailable` if the engine is of another build; the reason of the identity's `ended` if
   * that aborts.
   */
  static async open(
    { port, lockName }: EnginePort,
    identity: EngineClientIdentity,
    { site, siteModels }: EngineSite,
    receive: (message: EngineMessage) => void,
  ): Promise<EngineConnection | null> {
    await identity.held;
    const { client, incarnation, ended } = identity;
    const life = new AbortController();
    let connection: EngineConnection | null = null;
    const welcomed = new Promise<Welcome | null>((resolve) => {
      port.addEventListener('message', ({ data }: MessageEvent<EngineReplyMessage>) => {
        traceMessage('gets', data);
        if (data.type === 'welcome') resolve(data);
        else if (data.type !== 'pong' && data.type !== 'revoked') receive(data);
      });
      life.signal.addEventListener('abort', () => resolve(null));
    });
    const stop = () => {
      connection?.close(engineUnavailable('The engine has stopped.'));
      life.abort();
    };
    // One watch for the handshake and afterwards: between two, the engine's death would look like its start.
    const first = new AbortController();
    let isWatched = false;
    const watched = whenEngineEnds(lockName, stop, AbortSignal.any([life.signal, first.signal]));
    void watched.then(() => (isWatched = true));
    // The engine holds its lock before it replies. If the lock is invisible then, the site's data were cleared, and this
    // context and the engine have different lock managers. A page ends such an engine: neither would notice the other's
    // death, and no page could run a worker for the engine. A service worker leaves that to the pages, and detects the
    // engine's death by the heartbeat.
    const requireSameLocks = async () => {
      if ((await isLockHeld(lockName)) || life.signal.aborted) return;
      trace('engine', lockName, 'has other locks than this page');
      port.postMessage({ type: 'abandon' } satisfies EngineRequestMessage);
      stop();
    };
    port.start();
    const hello = { type: 'hello', version: PROTOCOL_VERSION, client, incarnation, site, siteModels } as const;
    traceMessage('sends', hello);
    port.postMessage(hello satisfies EngineRequestMessage);
    try {
      const welcome = await withTimeoutAfterThaw(HANDSHAKE_TIMEOUT, withAbort(welcomed, ended));
      if (welcome?.version === PROTOCOL_VERSION) {
        connection = new EngineConnection(port, lockName, welcome, life);
        // That watch may look again only when this engine has ended already. Another one looks now, and replaces it.
        if (!isWatched) void whenEngineEnds(lockName, stop, life.signal).then(() => first.abort());
        if (client === 'page') void requireSameLocks();
        return connection;
      }
      if (welcome === null) port.postMessage({ type: 'abandon' } satisfies EngineRequestMessage);
      else
        throw new ApiError(
          'engine_unavailable',
          'The engine belongs to another version of this site. Close all its tabs, then open it again.',
        );
    } finally {
      if (!connection) {
        life.abort();
        port.close();
      }
    }
    trace('engine', lockName, 'handshake failed');
    return null;
  }

  /** True if the connection ended because the engine's thread was blocked. */
  get unresponsive(): boolean {
    return this.#unresponsive;
  }

  /**
   * Runs the heartbeat until `signal` aborts. If the engine does not reply, closes the connection and tells the engine
   * to end.
   */
  monitorUntil(signal: AbortSignal): void {
    if (!this.ended.aborted) this.#heartbeat.runUntil(signal);
  }

  post<Name extends EngineCallName>(
    message: EngineRequestMessage | EngineCallMessage<Name>,
    transfer: Transferable[] = [],
  ): void {
    traceMessage('sends', message);
    this.#port.postMessage(message, transfer);
  }

  close(reason: ApiError = engineUnavailable('The connection to the engine was closed.')): void {
    if (this.ended.aborted) return;
    this.#heartbeat.stop();
    this.#controller.abort(reason);
    // Without this message the engine would keep the port's state as long as this context lives.
    this.post({ type: 'leave' });
    this.#port.close();
  }

  #abandon(): void {
    this.#unresponsive = true;
    this.post({ type: 'abandon' });
    this.close(engineUnavailable('The engine does not answer any more; another one takes its place.', 2));
  }
}
