import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { CallHandlers } from '../../../src/engine-worker/ports/call-handlers.ts';
import { PortServer } from '../../../src/engine-worker/ports/port-server.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { EnginePort } from '../../../src/shared/messaging/engine-connection.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { SiteModels } from '../../../src/shared/models/site-models.ts';
import type { MemoryAnswers } from './memory-answers.ts';
import { ScriptedEngine } from './scripted-engine.ts';
import type { MemoryLocks } from './web-locks.ts';

export interface EngineWorkerOptions {
  readonly locks: MemoryLocks;
  readonly handlers?: Partial<CallHandlers>;
  /** Description of the graphics adapter, null for a worker without one. */
  readonly gpu?: string | null;
  /** Milliseconds between two messages with pieces. Default: none, each piece has its own. */
  readonly pace?: number;
  /** Told what sites say of their models. Default: nobody is. */
  readonly sites?: Map<string, SiteModels>;
  /** Where the logs of stored answers go. Default: nowhere. */
  readonly answers?: MemoryAnswers;
}

/** Id of the model that computes embeddings of two numbers. */
export const EMBEDDING_MODEL = 'vectors';

/** The entry of any id: {@link EMBEDDING_MODEL} computes embeddings, all others write. */
export function scriptedModel(id: string, site: string): ModelEntry {
  return { ...builtInModel(site), id, ...(id === EMBEDDING_MODEL ? { embedding: { dimensions: 2 } } : {}) };
}

let workers = 0;

/** An engine worker in this process, around a scripted engine that has the model `a` loaded. */
export function startEngineWorker(options: EngineWorkerOptions) {
  const { locks, handlers = {}, gpu = 'test adapter', pace = 0, sites = new Map(), answers } = options;
  const engine = new ScriptedEngine();
  engine.loadedModel = 'a';
  const completions = new Completions({
    engine,
    findModel: async (id, site) => scriptedModel(id, site),
    saveLog: async (id, log) => answers?.addLog(id, log),
  });
  const life = new AbortController();
  const lockName = `engine ${++workers}`;
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
    handlers,
    lockName: Promise.resolve(lockName),
    gpu: { find: async () => (gpu === null ? null : { description: gpu }) },
    pace,
    sites,
    onAbandoned: die,
  });
  const ports: MessagePort[] = [];
  /** Tasks that run when the thread is free again; null while it is free. */
  let waiting: (() => void)[] | null = null;
  const relay = (from: MessagePort, to: MessagePort) => {
    from.addEventListener('message', ({ data }) => {
      const pass = () => to.postMessage(data);
      if (waiting) waiting.push(pass);
      else pass();
    });
    from.start();
  };
  return {
    engine,
    completions,
    server,
    /** A fresh port to it. */
    connect(): EnginePort {
      const [inner, outer] = [new MessageChannel(), new MessageChannel()];
      ports.push(inner.port1, inner.port2, outer.port1, outer.port2);
      server.serve(inner.port1);
      relay(inner.port2, outer.port1);
      relay(outer.port1, inner.port2);
      return { port: outer.port2, lockName };
    },
    /** Keeps its thread from doing anything, though it lives. @returns a function that lets it go on. */
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
    /** Ends it as a crash would: its lock is freed, its ports say nothing. */
    die,
  };
}

/** Messages take real time, even if a test mocks the clock. */
const { setTimeout: setRealTimeout } = globalThis;

/** Lets messages travel there and back. */
export async function travel(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setRealTimeout(resolve, 5));
}
