import type { ApiError } from './api-error.ts';
import type { EngineCallMessage, EngineCallName } from './engine-calls.ts';
import { engineUnavailable } from './engine-errors.ts';
import { lifeLockName, holdForLife, onceFreed } from './locks.ts';
import { PROTOCOL_VERSION, type EngineReplyMessage, type EngineRequestMessage } from './messages.ts';
import { orAborted, within } from './timing.ts';
import { traceMessage } from './trace-message.ts';

type Welcome = Extract<EngineReplyMessage, { type: 'welcome' }>;

/** Milliseconds an engine worker may take to start and say welcome. */
const WELCOME_TIME = 20_000;

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
    this.incarnation = lifeLockName(client);
    this.ended = ended;
    this.#held = holdForLife(this.incarnation, ended);
  }

  /** Resolves when the engine may be told the name. */
  get held(): Promise<void> {
    return this.#held;
  }
}

/**
 * A living engine at the other end of a port. It ends in one of two ways, and `ended` tells both: the
 * engine's lock is freed because it died, or `close()` is called.
 */
export class EngineConnection {
  readonly gpu: string | null;
  /** Aborts, with an ApiError as reason, when the engine is gone. */
  readonly ended: AbortSignal;
  readonly #port: MessagePort;
  readonly #controller: AbortController;

  private constructor(port: MessagePort, controller: AbortController, gpu: string | null) {
    this.#port = port;
    this.#controller = controller;
    this.ended = controller.signal;
    this.gpu = gpu;
  }

  /**
   * Introduces this context on a fresh port.
   * @param receive Gets every message after the welcome.
   * @throws ApiError `engine_unavailable` when nothing answers, or an engine of another build does; the reason why the
   * identity has ended.
   */
  static async open(
    port: MessagePort,
    identity: EngineClientIdentity,
    site: string,
    receive: (message: Exclude<EngineReplyMessage, Welcome>) => void,
  ): Promise<EngineConnection> {
    await identity.held;
    const { client, incarnation, ended } = identity;
    const controller = new AbortController();
    const welcomed = new Promise<Welcome>((resolve) => {
      port.addEventListener('message', ({ data }: MessageEvent<EngineReplyMessage>) => {
        traceMessage('gets', data);
        if (data.type === 'welcome') resolve(data);
        else receive(data);
      });
    });
    port.start();
    const hello = { type: 'hello', version: PROTOCOL_VERSION, client, incarnation, site } as const;
    traceMessage('sends', hello);
    port.postMessage(hello satisfies EngineRequestMessage);
    const welcome = await within(WELCOME_TIME, orAborted(welcomed, ended), null).catch((thrown: unknown) => {
      port.close();
      throw thrown;
    });
    if (welcome === null) {
      port.close();
      throw engineUnavailable('The engine did not start in time.');
    }
    if (welcome.version !== PROTOCOL_VERSION) {
      port.close();
      throw engineUnavailable(
        'The engine belongs to another version of this site. Close all its tabs, then open it again.',
      );
    }
    const connection = new EngineConnection(port, controller, welcome.gpu);
    onceFreed(
      welcome.lockName,
      () => connection.close(engineUnavailable('The engine has stopped.')),
      controller.signal,
    );
    return connection;
  }

  post<Name extends EngineCallName>(message: EngineRequestMessage | EngineCallMessage<Name>): void {
    traceMessage('sends', message);
    this.#port.postMessage(message);
  }

  close(reason: ApiError = engineUnavailable('The connection to the engine was closed.')): void {
    this.#controller.abort(reason);
    this.#port.close();
  }
}
