import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';

/** Performs the handshake with an engine. Resolves to null if the engine dies first or does not respond. */
export type OpenConnection = (port: EnginePort) => Promise<EngineConnection | null>;

/** Finds or starts the worker that the engine runs in. */
export interface EngineHost {
  /**
   * Connects this page to the running engine, or starts one.
   * @throws ApiError `engine_unavailable` if no engine can be reached or started; any error of `open`.
   */
  join(open: OpenConnection): Promise<EngineConnection>;
  /**
   * Creates a port to the engine for any context.
   * @returns null before `join()`, and if another tab hosts the engine.
   */
  connect(): EnginePort | null;
  /**
   * Replaces an engine that has died or is unresponsive. Does nothing if another engine has taken its place since.
   * @param lockName The lock of that engine.
   */
  restart(lockName: string): void;
  /**
   * Releases the engine.
   * @param reason A `join()` in progress rejects with it.
   */
  close(reason?: unknown): void;
}
