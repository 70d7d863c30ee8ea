import type { EngineConnection, EnginePort } from '../../shared/messaging/engine-connection.ts';

/**
 * Introduces this page to the engine at the far end of a port.
 * @returns null when that engine dies before it says welcome, or says nothing.
 */
export type OpenConnection = (port: EnginePort) => Promise<EngineConnection | null>;

/** Where the engine runs, as seen from one page. */
export interface EngineHost {
  /**
   * Connects this page with the engine: with the one there is, or with one that is started for it.
   * @throws ApiError `engine_unavailable`, or what `open` throws.
   */
  join(open: OpenConnection): Promise<EngineConnection>;
  /**
   * A fresh port to the engine, ready to be handed to anyone.
   * @returns null before `join()`, and when another tab hosts the engine: only the service worker reaches it.
   */
  connect(): EnginePort | null;
  /** The engine has died or does not answer: another is to be found or started. */
  restart(): void;
  /**
   * Lets go of the engine: another kind of host takes its place, or the page wants none any more.
   * @param reason What a `join()` that is under way fails with.
   */
  close(reason?: unknown): void;
}
