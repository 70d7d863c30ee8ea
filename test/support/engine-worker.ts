import { Completions } from '../../src/engine-worker/completions.ts';
import type { CallHandlers } from '../../src/engine-worker/call-handlers.ts';
import { PortServer } from '../../src/engine-worker/port-server.ts';
import { builtInModel } from '../../src/shared/built-in-model.ts';
import { ScriptedEngine } from './scripted-engine.ts';
import type { MemoryLocks } from './web-locks.ts';

export interface EngineWorkerOptions {
  readonly locks: MemoryLocks;
  readonly handlers?: Partial<CallHandlers>;
  /** Description of the graphics adapter, null for a worker without one. */
  readonly gpu?: string | null;
  /** Milliseconds between two messages with pieces. Default: none, each piece has its own. */
  readonly pace?: number;
}

let workers = 0;

/** An engine worker in this process, around a scripted engine that has the model `a` loaded. */
export function startEngineWorker({ locks, handlers = {}, gpu = 'test adapter', pace = 0 }: EngineWorkerOptions) {
  const engine = new ScriptedEngine();
  engine.loadedModel = 'a';
  const completions = new Completions({ engine, findModel: async (id, site) => ({ ...builtInModel(site), id }) });
  const life = new AbortController();
  const lockName = `engine ${++workers}`;
  void locks.request(
    lockName,
    () => new Promise<void>((resolve) => life.signal.addEventListener('abort', () => resolve())),
  );
  const server = new PortServer({
    completions,
    handlers,
    lockName: Promise.resolve(lockName),
    gpu: Promise.resolve(gpu),
    pace,
  });
  const ports: MessagePort[] = [];
  return {
    engine,
    completions,
    server,
    /** A fresh port to it. */
    connect(): MessagePort {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      server.serve(port1);
      return port2;
    },
    /** Ends it as a crash would: its lock is freed, its ports say nothing. */
    die(): void {
      life.abort();
      for (const port of ports.splice(0)) port.close();
    },
  };
}

/** Messages take real time, whatever a test does to its clock. */
const { setTimeout: setRealTimeout } = globalThis;

/** Lets messages travel there and back. */
export async function travel(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setRealTimeout(resolve, 5));
}
