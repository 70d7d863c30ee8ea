import type { EngineCallName, EngineCalls } from '../../shared/engine/engine-calls.ts';
import { EngineCallClient } from '../../shared/messaging/engine-call-client.ts';
import {
  EngineClientIdentity,
  EngineConnection,
  type EngineMessage,
} from '../../shared/messaging/engine-connection.ts';
import { VERSION } from '../../shared/messaging/messages.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { modelsForProcessor, readSiteModels } from '../../shared/models/site-models.ts';
import { siteLocks } from '../../shared/locks/site-locks.ts';
import { hasNoAdapter } from '../engine/has-no-adapter.ts';
import { runPageTask } from '../engine/run-page-task.ts';
import { SharedEngineHost } from '../engine/shared-engine-host.ts';
import type { StartSharedWorker } from './hub-access.ts';
import { readHubOptions } from './hub-options.ts';

/** In a constant, because bundlers would treat `new URL('…', import.meta.url)` as an asset to copy. */
const HERE = import.meta.url;

/** Never aborts. */
const PAGE_LIFE = new AbortController().signal;

/** Why a connection has ended that this page closed although its engine runs. */
const LEFT = engineUnavailable('The connection to the engine was closed.');

/** The engine of a hub, as its frames and its page use it. */
export class HubEngine {
  readonly #host: SharedEngineHost;
  readonly #calls = new EngineCallClient();
  readonly #identity: EngineClientIdentity;

  /** The page needs the engine as long as it lives. */
  constructor(start: StartSharedWorker) {
    const script = new URL('tabserve-engine-worker.js', HERE).href;
    this.#identity = new EngineClientIdentity('page', PAGE_LIFE);
    this.#host = new SharedEngineHost(undefined, () => {}, PAGE_LIFE, {
      build: `${VERSION} hub ${script}`,
      start: (name) => start(script, { type: 'module', name, extendedLifetime: true }),
    });
  }

  /**
   * Connects to the engine, or starts one.
   * @throws ApiError if there is none, or it can run no model; HubUnavailable if its models are not known.
   */
  async open(): Promise<EngineConnection> {
    const site = new URL('./', HERE).href;
    const siteModels = readSiteModels(await readHubOptions(HERE), site);
    const connection = await this.#host.join((port) =>
      EngineConnection.open(port, this.#identity, { site, siteModels }, (message) => this.#receive(message)),
    );
    const { ended, lockName } = connection;
    // After LEFT, it would mark a running engine as dead, and all sites would leave it.
    const restart = () => ended.reason === LEFT || this.#host.restart(lockName);
    ended.addEventListener('abort', restart, { once: true });
    connection.monitorUntil(ended);
    // In some browsers a SharedWorker has no graphics device although this page has one; the site's own worker has it, too.
    const runsOnProcessor = async () => modelsForProcessor(siteModels).length > 0 && (await hasNoAdapter());
    if (connection.fault === null && (connection.gpu !== null || (await runsOnProcessor()))) return connection;
    this.leave(connection);
    throw connection.fault ?? new Error('A SharedWorker of this browser has no WebGPU.');
  }

  /** Closes a connection. The engine goes on. */
  leave(connection: EngineConnection): void {
    connection.close(LEFT);
  }

  call<Name extends EngineCallName>(
    connection: EngineConnection,
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#calls.send(connection, name, parameters);
  }

  #receive(message: EngineMessage): void {
    if (message.type === 'start-worker' || message.type === 'serve-browser-model')
      void runPageTask(message, PAGE_LIFE, siteLocks() !== navigator.locks);
    else if (message.type === 'result' || message.type === 'failure') this.#calls.receive(message);
  }
}
