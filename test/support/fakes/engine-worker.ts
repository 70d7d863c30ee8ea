import {
  AnswersElsewhere,
  CANCELLED_ANSWERS_CHANNEL,
} from '../../../src/engine-worker/completions/answers-elsewhere.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { CallHandlers } from '../../../src/engine-worker/ports/call-handlers.ts';
import { hubCallHandlers } from '../../../src/engine-worker/ports/hub-call-handlers.ts';
import { embeddedSite, isEmbedded } from '../../../src/engine-worker/embedded-site.ts';
import { HubSites } from '../../../src/engine-worker/hub/hub-sites.ts';
import { SiteLogs } from '../../../src/engine-worker/hub/site-logs.ts';
import { PortServer } from '../../../src/engine-worker/ports/port-server.ts';
import { ENGINE_LOCK_PREFIX } from '../../../src/shared/locks/site-locks.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { EnginePort } from '../../../src/shared/messaging/engine-connection.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { HubSiteRecords } from '../../../src/engine-worker/hub/hub-database.ts';
import type { SiteModels } from '../../../src/shared/models/site-models.ts';
import type { MemoryAnswers } from './memory-answers.ts';
import { MemoryHubRecords } from './memory-hub-records.ts';
import { ScriptedEngine } from './scripted-engine.ts';
import type { MemoryLocks } from './web-locks.ts';

export interface EngineWorkerOptions {
  readonly locks: MemoryLocks;
  readonly handlers?: Partial<CallHandlers>;
  /** Description of the GPU adapter; null for a worker without one. */
  readonly gpu?: string | null;
  /** Milliseconds between two messages with pieces. Default: none, each piece has its own message. */
  readonly pace?: number;
  /** Receives the sites' settings of their models. Default: none. */
  readonly sites?: Map<string, SiteModels>;
  /** Receives the logs of stored answers. Default: none. */
  readonly answers?: MemoryAnswers;
  /** What the person decided about sites that use this engine through its hub. Default: there is no hub. */
  readonly hubRecords?: HubSiteRecords;
  /** See `PortClientOptions`. */
  readonly onAccepted?: () => void;
}

/** Id of the embedding model, whose vectors have two dimensions. */
export const EMBEDDING_MODEL = 'vectors';

/** The entry of any id: {@link EMBEDDING_MODEL} is an embedding model, all others are chat models. */
export function scriptedModel(id: string, site: string): ModelEntry {
  return { ...builtInModel(site), id, ...(id === EMBEDDING_MODEL ? { embedding: { dimensions: 2 } } : {}) };
}

let workers = 0;

/** Locks of a worker are released when it ends, and its channels closed. */
class AnswersOfLife extends AnswersElsewhere {
  readonly #life: AbortSignal;

  constructor(life: AbortSignal, lockName: string, answers: MemoryAnswers) {
    const channel = new BroadcastChannel(CANCELLED_ANSWERS_CHANNEL);
    life.addEventListener('abort', () => channel.close());
    super(lockName, answers, channel);
    this.#life = life;
  }

  override claim(answerId: string): () => void {
    const release = super.claim(answerId);
    this.#life.addEventListener('abort', release);
    return release;
  }
}

/** Starts an engine worker in this process, with a scripted engine that has loaded the model `a`. */
export function startEngineWorker(options: EngineWorkerOptions) {
  const {
    locks,
    handlers = {},
    gpu = 'test adapter',
    pace = 0,
    sites = new Map(),
    answers,
    hubRecords,
    onAccepted,
  } = options;
  const engine = new ScriptedEngine();
  engine.loadedModel = 'a';
  const hub = new HubSites({
    records: hubRecords ?? new MemoryHubRecords(),
    listModels: async (site) => ['a', 'b'].map((id) => scriptedModel(id, site)),
    onRevoked: (origin) => server.closeSite(embeddedSite(origin)),
  });
  const findModel = async (id: string, site: string) => scriptedModel(id, hub.modelSite(site, id));
  const siteLogs = new SiteLogs((site, id, log) => server.sendLog(site, id, log));
  const life = new AbortController();
  const lockName = `${ENGINE_LOCK_PREFIX}${++workers}`;
  const completions = new Completions({
    engine,
    findModel,
    saveLog: async (id, log, site) => (isEmbedded(site) ? siteLogs.add(site, id, log) : answers?.addLog(id, log)),
    ...(answers && { elsewhere: new AnswersOfLife(life.signal, lockName, answers) }),
    isInForeground: (site) => server.isInForeground(site),
    cacheScope: (site) => (isEmbedded(site) ? site : undefined),
    onAnswered: (completion) => void hub.completed(completion),
  });
  void locks.request(
    lockName,
    () => new Promise<void>((resolve) => life.signal.addEventListener('abort', () => resolve())),
  );
  const die = () => {
    life.abort();
    for (const port of ports.splice(0)) port.close();
  };
  const server = new PortServer({
    completions,
    handlers: Object.assign(handlers, hubCallHandlers(hub)),
    hub,
    siteLogs,
    lockName: Promise.resolve(lockName),
    gpu: { find: async () => (gpu === null ? null : { description: gpu }) },
    pace,
    sites,
    ...(onAccepted && { onAccepted }),
    onAbandoned: die,
  });
  const ports: MessagePort[] = [];
  /** Tasks to run when the thread is no longer blocked; null while it is not. */
  let waiting: (() => void)[] | null = null;
  const relay = (from: MessagePort, to: MessagePort) => {
    from.addEventListener('message', ({ data, ports }) => {
      const pass = () => to.postMessage(data, [...ports]);
      if (waiting) waiting.push(pass);
      else pass();
    });
    from.start();
  };
  return {
    engine,
    completions,
    findModel,
    server,
    /** Creates a port to the worker. */
    connect(): EnginePort {
      const [inner, outer] = [new MessageChannel(), new MessageChannel()];
      ports.push(inner.port1, inner.port2, outer.port1, outer.port2);
      server.serve(inner.port1);
      relay(inner.port2, outer.port1);
      relay(outer.port1, inner.port2);
      return { port: outer.port2, lockName };
    },
    /** Blocks the worker's thread while the worker lives. @returns a function that unblocks it. */
    block(): () => void {
      waiting = [];
      return () => {
        const passes = waiting ?? [];
        waiting = null;
        for (const pass of passes) pass();
      };
    },
    get alive(): boolean {
      return !life.signal.aborted;
    },
    /** Ends the worker as a crash would: its lock is released, its ports send nothing. */
    die,
  };
}

/** The real timer, because messages take real time even if a test uses a fake clock. */
const { setTimeout: setRealTimeout } = globalThis;

/** Waits until messages have been delivered in both directions. */
export async function travel(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setRealTimeout(resolve, 5));
}
