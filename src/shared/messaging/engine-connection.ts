import { ApiError } from '../api-error.ts';
import type { EngineCallMessage, EngineCallName } from './engine-calls.ts';
import { engineUnavailable } from '../engine/engine-errors.ts';
import { livenessLockName, holdLivenessLock, whenHeldAndReleased } from '../locks/liveness-lock.ts';
import { PROTOCOL_VERSION, type EngineReplyMessage, type EngineRequestMessage } from './messages.ts';
import { Heartbeat } from './heartbeat.ts';
import type { SiteModels } from '../models/site-models.ts';
import { withAbort, withTimeout } from '../timeout.ts';
import { trace } from '../trace/trace.ts';
import { traceMessage } from '../trace/trace-message.ts';

type Welcome = Extract<EngineReplyMessage, { type: 'welcome' }>;

/** What an engine says after its welcome. */
export type EngineMessage = Exclude<EngineReplyMessage, { type: 'welcome' | 'pong' }>;

/** Milliseconds an engine worker may take to start and say welcome. */
const WELCOME_TIME = 20_000;

/** A way to an engine, which may only just be starting. */
export interface EnginePort {
  readonly port: MessagePort;
  /** The Web Lock that the engine holds from its start to its end. */
  readonly lockName: string;
}

/** The site that an engine is to serve. */
export interface EngineSite {
  /** Its root with a trailing slash. */
  readonly site: string;
  /** What it has said of its models. Default: nothing, it has the built-in ones. */
  readonly siteModels?: SiteModels | undefined;
}

/** Who this context is to the engine: one for the life of the context, or until it wants no engine any more. */
export class EngineClientIdentity {
  readonly client: 'service-worker' | 'page';
  readonly incarnation: string;
  /** Aborts when nothing is to be opened under this name any more. */
  readonly ended: AbortSignal;
  readonly #held: Promise<void>;

  /** @param ended Ends it: to the engine, this client is dead. Default: only the end of the context does. */
  constructor(client: 'service-worker' | 'page', ended: AbortSignal = new AbortController().signal) {
    this.client = client;
    this.incarnation = livenessLockName(client);
    this.ended = ended;
    this.#held = holdLivenessLock(this.incarnation, ended);
  }

  /** Resolves when the engine may be told the name. */
  get held(): Promise<void> {
    return this.#held;
  }
}

/**
 * A living engine at the other end of a port. It ends in one of three ways, and `ended` tells each: the engine's lock is
 * freed because it died, it is given up because it does not answer, or `close()` is called.
 */
export class EngineConnection {
  readonly gpu: string | null;
  /** Aborts, with an ApiError as reason, when the engine is gone. */
  readonly ended: AbortSignal;
  readonly #port: MessagePort;
  readonly #controller = new AbortController();
  readonly #pings: Heartbeat;
  #unresponsive = false;

  private constructor(port: MessagePort, { lockName, gpu }: Welcome) {
    this.#port = port;
    this.ended = this.#controller.signal;
    this.gpu = gpu;
    this.#pings = new Heartbeat(
      () => port.postMessage({ type: 'ping' } satisfies EngineRequestMessage),
      () => this.#giveUp(),
    );
    port.addEventListener('message', () => this.#pings.hear());
    // Where the site's data were cleared the two may have other locks: then only the pings tell.
    void whenHeldAndReleased(lockName, () => this.close(engineUnavailable('The engine has stopped.')), this.ended);
  }

  /**
   * Introduces this context on a fresh port.
   * @param receive Gets every message after the welcome.
   * @returns null when the engine dies before it says welcome, or does not say it in {@link WELCOME_TIME}: it is told to
   * end, if it should ever hear that, and must not be used.
   * @throws ApiError `engine_unavailable` when an engine of another build answers; the reason why the identity has ended.
   */
  static async open(
    { port, lockName }: EnginePort,
    identity: EngineClientIdentity,
    { site, siteModels }: EngineSite,
    receive: (message: EngineMessage) => void,
  ): Promise<EngineConnection | null> {
    await identity.held;
    const { client, incarnation, ended } = identity;
    const opened = new AbortController();
    const welcomed = new Promise<Welcome | null>((resolve) => {
      port.addEventListener('message', ({ data }: MessageEvent<EngineReplyMessage>) => {
        traceMessage('gets', data);
        if (data.type === 'welcome') resolve(data);
        else if (data.type !== 'pong') receive(data);
      });
      void whenHeldAndReleased(lockName, () => resolve(null), opened.signal);
    });
    port.start();
    const hello = { type: 'hello', version: PROTOCOL_VERSION, client, incarnation, site, siteModels } as const;
    traceMessage('sends', hello);
    port.postMessage(hello satisfies EngineRequestMessage);
    try {
      const welcome = await inWelcomeTime(withAbort(welcomed, ended));
      if (welcome?.version === PROTOCOL_VERSION) return new EngineConnection(port, welcome);
      if (welcome === null) port.postMessage({ type: 'abandon' } satisfies EngineRequestMessage);
      else
        throw new ApiError(
          'engine_unavailable',
          'The engine belongs to another version of this site. Close all its tabs, then open it again.',
        );
    } catch (thrown) {
      port.close();
      throw thrown;
    } finally {
      opened.abort();
    }
    trace('engine', lockName, 'says no welcome');
    port.close();
    return null;
  }

  /** True when it ended because the engine did not answer: its thread is blocked. */
  get unresponsive(): boolean {
    return this.#unresponsive;
  }

  /** Until `signal` aborts something is expected of the engine: one that does not answer meanwhile is given up. */
  monitorUntil(signal: AbortSignal): void {
    if (!this.ended.aborted) this.#pings.runUntil(signal);
  }

  post<Name extends EngineCallName>(message: EngineRequestMessage | EngineCallMessage<Name>): void {
    traceMessage('sends', message);
    this.#port.postMessage(message);
  }

  close(reason: ApiError = engineUnavailable('The connection to the engine was closed.')): void {
    if (this.ended.aborted) return;
    this.#pings.stop();
    this.#controller.abort(reason);
    // The engine, if it lives, would watch this end for as long as this context lives.
    this.post({ type: 'leave' });
    this.#port.close();
  }

  #giveUp(): void {
    this.#unresponsive = true;
    this.post({ type: 'abandon' });
    this.close(engineUnavailable('The engine does not answer any more; another one takes its place.', 2));
  }
}

/**
 * What a promise settles to, null when that takes longer than {@link WELCOME_TIME}. The time is waited for in parts: where
 * this context was stopped meanwhile, the part that was running is over before a message that has come is heard.
 */
async function inWelcomeTime<Value>(promise: Promise<Value>): Promise<Value | null> {
  const parts = 4;
  for (let part = 0; part < parts; part++) {
    const value = await withTimeout(WELCOME_TIME / parts, promise, undefined);
    if (value !== undefined) return value;
  }
  return null;
}
